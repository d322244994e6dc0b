import type { Block, BlockType, Page, Props } from '../../../content/model.ts'
import { slugSpellings } from '../../../content/operations/slug-spellings.ts'
import { resolveBlock } from '../../../content/resolve-block.ts'
import { coerceSlug, home } from '../../../content/slugs.ts'
import type { PlanningInput } from '../../types/planner.ts'
import type { Words } from '../words.ts'

/** An operation, or a part of one, as a model wrote it. */
export type Loose = Props

/** What the rows of the normaliser may look at. */
export interface Place {
  readonly input: Pick<PlanningInput, 'draft' | 'selection' | 'registry' | 'manifest'>
  readonly words: Words
  readonly now: Date
  /** Block ids that the plan so far has given away. */
  readonly given: ReadonlySet<string>
  /** Slugs of pages that the plan so far creates. */
  readonly created: ReadonlySet<string>
}

/** The page of a slug, under whatever spelling the draft has. */
export function pageAt({ input }: Pick<Place, 'input'>, slug: unknown): Page | undefined {
  if (typeof slug !== 'string') return undefined
  const spellings = new Set(slugSpellings(slug))
  return input.draft.pages.find((page) => spellings.has(page.slug))
}

/** The block that an operation names, with its type where it is known. */
export function blockAt(place: Pick<Place, 'input'>, op: Loose): { readonly block: Block; readonly blockType: BlockType | undefined } | undefined {
  const page = pageAt(place, op['pageSlug'])
  const id = op['blockId']
  if (!page || typeof id !== 'string') return undefined
  const found = resolveBlock(page.blocks, id, { byType: true })
  return found && { block: found.block, blockType: blockTypeAt(place, found.block.type) }
}

/** The rules of a block type, the site's own first. */
export function blockTypeAt({ input }: { readonly input: Pick<PlanningInput, 'manifest' | 'registry'> }, type: unknown): BlockType | undefined {
  return typeof type === 'string' ? (input.manifest?.get(type) ?? input.registry.get(type)) : undefined
}

/** The slug that a name of a page means: its id, the word home, or a slug without its slash. */
export function slugFor({ input }: Place, name: unknown): string | undefined {
  if (typeof name !== 'string' || name.trim() === '') return undefined
  const text = name.trim()
  if (text.toLowerCase() === 'home') return home
  return input.draft.pages.find(({ id }) => id === text)?.slug ?? coerceSlug(text)
}

/** The name of an operation; empty where it has none, whatever else stands there. */
export function opOf({ op }: Loose): string {
  return typeof op === 'string' ? op : ''
}

/** A copy without some keys. */
export function without(object: Loose, ...names: readonly string[]): Loose {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}
