/** Finding what an operation names: a page, a block, a list. Each refuses what is not there. */
import { authorityOf } from '../authority.ts'
import { isDeclaredList } from '../fields.ts'
import type { Block, BlockType, FieldMeta, Page } from '../model.ts'
import { ofType, resolveBlock } from '../resolve-block.ts'
import { ownValue } from '../plain-object.ts'
import { fieldOf } from './declared.ts'
import { refuse } from './refuse.ts'
import { slugSpellings } from './slug-spellings.ts'
import { pageAt, type BatchContext, type BatchState } from './state.ts'

/** The page of a slug, under whatever spelling of it the draft has. */
export function findPage(state: BatchState, slug: string): Page {
  const exact = pageAt(state, slug)
  if (exact) return exact
  for (const spelling of slugSpellings(slug)) {
    const page = pageAt(state, spelling)
    if (page) return page
  }
  return refuse('not_found', `no page ${slug} in this draft`, { missingPage: slug })
}

/** Refuses a slug that a page has already, under any spelling; `except` is the page that is to get it. */
export function refuseTaken(state: BatchState, slug: string, path: string, except?: Page): void {
  const other = slugSpellings(slug).find((spelling) => spelling !== except?.slug && pageAt(state, spelling))
  if (other !== undefined) refuse('schema_violation', `there is a page ${other} already; choose another slug`, { path })
}

/** A block that an operation is about, and the rules for its type. */
export interface Target {
  readonly page: Page
  readonly block: Block
  readonly index: number
  readonly by: 'manifest' | 'registry'
  readonly blockType: BlockType
}

/**
 * The block that an operation is about.
 *
 * What is removed has to be named: only for other operations may a plan's id mean the one block of its type.
 */
export function findTarget(state: BatchState, op: { readonly pageSlug: string; readonly blockId: string },
  { removal = false }: { readonly removal?: boolean } = {}): Target {
  const page = findPage(state, op.pageSlug)
  const byType = state.context.source === 'planner' && !removal
  const found = resolveBlock(page.blocks, op.blockId, { byType })
  if (!found) return refuse('not_found', `no block ${op.blockId} on ${page.slug}`)
  const { block, index, strategy } = found
  if (strategy) state.fuzzyMatches.push({ requestedId: op.blockId, resolvedId: block.id, resolvedIndex: index, strategy })
  const { by, blockType } = rulesFor(state, block.type)
  return { page, block, index, by, blockType }
}

/** Refuses a block type that a public demo keeps locked. */
export function admitToDemo({ playground }: BatchContext, type: string): void {
  if (!playground || playground.blockTypes.has(type)) return
  const admissible = [...playground.blockTypes]
  refuse('planner_refusal', `blocks of type ${type} cannot be edited in this demo; try ${admissible.join(', ')}`, { admissible })
}

/** Whose rules hold for a block type; refuses a type that nobody declares, and one that a public demo keeps locked. */
export function rulesFor(state: BatchState, type: string): Pick<Target, 'by' | 'blockType'> {
  admitToDemo(state.context, type)
  const authority = authorityOf(type, state.context)
  if (!authority.ok) return refuse(authority.category, authority.message, { admissible: authority.admissible })
  return authority
}

/** Refuses what would add, move, copy or remove a pinned block. */
export function refuseChrome({ type, chrome }: BlockType): void {
  if (chrome) refuse('schema_violation', `${type} is pinned to its page: change its props with update_props instead`)
}

/** The place in a page right after a block, or `undefined` without an anchor. */
export function placeAfter(page: Page, afterBlockId: string | undefined): number | undefined {
  if (afterBlockId === undefined) return undefined
  const index = page.blocks.findIndex(({ id }) => id === afterBlockId)
  return index >= 0 ? index + 1 : refuse('not_found', `no block ${afterBlockId} on ${page.slug} to come after`, { path: 'afterBlockId' })
}

/** The same for a plan, whose anchor may also mean the last block of its type. */
export function placeLooselyAfter(page: Page, afterBlockId: string | undefined): number | undefined {
  const exact = afterBlockId !== undefined && page.blocks.some(({ id }) => id === afterBlockId)
  const last = afterBlockId === undefined || exact ? undefined : ofType(page.blocks, afterBlockId).at(-1)
  return placeAfter(page, last?.block.id ?? afterBlockId)
}

/** A list of a block, and what is declared about it. */
export interface List {
  readonly rows: readonly unknown[]
  /** Absent when nothing declares this array as a list of rows. */
  readonly meta?: FieldMeta
}

/** The list of a block; one that is declared and not there yet is empty when `orEmpty` is set. */
export function findList({ block, blockType }: Target, listKey: string, { orEmpty = false } = {}): List {
  const meta = fieldOf(blockType.fields, listKey)
  const declared = meta && isDeclaredList(meta) ? { meta } : {}
  const rows = ownValue(block.props, listKey) ?? (orEmpty && 'meta' in declared ? [] : undefined)
  if (Array.isArray(rows)) return { rows, ...declared }
  const admissible = Object.keys(block.props).filter((name) => Array.isArray(block.props[name]))
  return refuse('not_found', `block ${block.id} has no list ${listKey}; ${admissible.length > 0 ? `it has ${admissible.join(', ')}` : 'it has none'}`,
    { path: 'listKey', admissible })
}
