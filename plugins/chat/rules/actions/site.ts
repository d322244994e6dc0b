import { Ask, unfit } from '../ask.ts'
import { pagesIn } from '../../../content/draft-view.ts'
import { listOf, type Node } from '../grammar/node.ts'
import { isNamed } from '../grammar/site-names.ts'
import { findPage, findPages } from '../resolve/pages.ts'
import { choose } from '../resolve/references.ts'
import { perform, type Work } from '../work.ts'
import { ownValue } from '../../../content/plain-object.ts'
import { sameJson } from '../../../content/same-json.ts'
import type { SiteConfig } from '../../../content/model.ts'
import { need, textOf, type Action } from './action.ts'
import { isAddress } from './values.ts'

const longestName = 80

export const siteName: Action = (work, parts, detail) => {
  const v = need(parts, 'v')
  const name = textOf(v).trim()
  if (detail === 'bare' && v.form !== 'quoted' && name === name.toLowerCase()) return unfit('a name has a capital')
  if (name === '') throw new Ask({ question: work.scene.texts.emptyValue })
  if (name.length > longestName) throw new Ask({ question: work.scene.texts.nameTooLong })
  return configure(work, { name })
}

export const logo: Action = (work, parts) => {
  const address = textOf(need(parts, 'v')).trim()
  const isImage = isAddress(address) && /^(?:https?:|\/)/i.test(address)
  if (!isImage) throw new Ask({ question: work.scene.texts.wantsImage(work.scene.texts.logo) })
  return configure(work, { logo: address })
}

/** What the menu calls a page; the page itself keeps its title. */
/** A page cannot be taken out of the menu, which shows all of them; removing it would be more than was asked for. */
export const leaveMenu: Action = (work, parts) => {
  const { title } = findPage(work, need(parts, 'page'))
  throw new Ask({ question: work.scene.texts.staysInMenu(title), isFinal: true })
}

export const menuLabel: Action = (work, parts) => {
  const label = textOf(need(parts, 'v')).trim()
  if (label === '') throw new Ask({ question: work.scene.texts.emptyValue })
  if (isAddress(label)) return unfit('a label is no address')
  const slug = menuEntry(work, need(parts, 'name'))
  if (ownValue(work.draft.config.navLabels, slug) === label) return work
  return perform(work, { op: 'update_site_config', patch: { navLabels: { [slug]: label } } })
}

function menuEntry(work: Work, name: Node): string {
  const { draft, scene } = work
  const found = pagesIn(draft).filter((page) => isNamed(page, draft.config, textOf(name)))
  if (found.length === 0) return unfit('no entry of the menu is called so')
  return choose(work, name, found, {
    toChoice: ({ slug, title }) => ({ id: slug, label: `${title} (${slug})` }),
    inquiry: (choices) => ({ question: scene.texts.whichPage(choices.map(({ label }) => label)), suggestions: [] }),
  }).slug
}

/** Pages under one heading of the menu; they leave the groups they were in. */
export const menuGroup: Action = (work, parts, detail) => {
  const label = textOf(need(parts, 'v')).trim()
  const slugs = findPages(work, listOf(parts['pages'])).map(({ slug }) => slug)
  if (label === '') throw new Ask({ question: work.scene.texts.emptyValue })
  if (slugs.length < 2 && detail !== 'dropdown') return unfit('a group has several pages')
  const others = Object.entries(work.draft.config.navGroups ?? {})
    .filter(([name]) => name !== label)
    .map(([name, members]) => [name, members.filter((slug) => !slugs.includes(slug))] as const)
    .filter(([, members]) => members.length > 0)
  return configure(work, { navGroups: Object.fromEntries([...others, [label, slugs]]) })
}

function configure(work: Work, patch: Pick<SiteConfig, 'name' | 'logo' | 'navGroups'>): Work {
  const isSo = Object.entries(patch).every(([key, value]) => sameJson(work.draft.config[key], value))
  return isSo ? work : perform(work, { op: 'update_site_config', patch })
}
