import { navLabelOf } from '../navigation.ts'
import { ownValue, picked } from '../plain-object.ts'
import { home, isFileSlug } from '../slugs.ts'
import { type BatchState, configOf, spend } from './state.ts'

/**
 * Labels a page that a planner adds with its title in the menu, unless it has a label; other clients set
 * theirs.
 */
export function nameInMenu(state: BatchState, slug: string, title: string): void {
  if (state.context.source !== 'planner' || slug === home || labelAt(state, slug)) return
  setLabel(state, slug, title)
}

/** Changes the label of a page, now at `slug`, to its new title, if the label was its title and not derived. */
export function renameInMenu(state: BatchState, before: Titled, slug: string, title: string): void {
  const isTitle = labelAt(state, slug) === before.title && before.title !== navLabelOf(before.slug)
  if (isTitle) setLabel(state, slug, title)
}

interface Titled {
  readonly slug: string
  readonly title: string
}

const labelAt = (state: BatchState, slug: string) => ownValue(configOf(state).navLabels, slug)

/** Sets the label of a page; one that its address gives anyway is removed. Files are in no menu. */
function setLabel(state: BatchState, slug: string, title: string): void {
  if (isFileSlug(slug)) return
  const label = title === navLabelOf(slug) ? undefined : title
  if (label === labelAt(state, slug)) return
  const { navLabels = {}, ...config } = configOf(state)
  spend(state, Object.keys(navLabels).length)
  const others = picked(navLabels, (_label, each) => each !== slug)
  state.config = { ...config, navLabels: label === undefined ? others : { ...others, [slug]: label } }
}
