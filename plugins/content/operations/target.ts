/** Lookups of the page, block or list that an operation names. Each function refuses a missing one. */
import { authorityOf } from '../registry.ts'
import { isDeclaredList } from '../fields.ts'
import { isLocked, type LockedBlock, lockedSentence } from '../locked.ts'
import type { Block, BlockType, FieldMeta, FuzzyMatch, Page, Props, PropsSchema } from '../model.ts'
import { ownValue, sameJson } from '../plain-object.ts'
import { canonicalSlug, isReserved, isRootFile, routeFolder, slugSpellings } from '../slugs.ts'
import { enforce, enforcedSchema } from './enforce.ts'
import { refuse, violates } from './refuse.ts'
import { type BatchContext, type BatchState, orderOf, pageAt, replaceBlocks } from './state.ts'

/** A found block, with the strategy if its id is not the requested one. */
interface Resolved {
  readonly block: Block
  /** Its position on the page. */
  readonly index: number
  readonly strategy?: FuzzyMatch['strategy']
}

/**
 * Finds the block of a page that an id refers to.
 *
 * Tries the exact id, then the original of a copy or the copy of an original: a plan may copy a page and
 * continue with the ids it knows. With `byType`, an id such as `b_hero_9` also matches the only block whose
 * id begins with `b_hero_`; two such blocks are ambiguous.
 */
export function resolveBlock(
  blocks: readonly Block[],
  requestedId: string,
  { byType }: { readonly byType: boolean },
): Resolved | undefined {
  const found = exactly(blocks, requestedId) ?? otherCopy(blocks, requestedId)
  if (found || !byType) return found
  const [first, second] = ofType(blocks, requestedId)
  return second ? undefined : first
}

/** Returns the blocks whose ids have the type prefix of `id`; none if `id` has no such prefix. */
function ofType(blocks: readonly Block[], id: string): readonly Resolved[] {
  const letters = /^b_([a-z]+)/i.exec(id)?.[1]
  if (letters === undefined) return []
  const prefix = `b_${letters.toLowerCase()}_`
  return [...blocks.entries()]
    .filter(([, block]) => block.id.startsWith(prefix))
    .map(([index, block]) => ({ block, index, strategy: 'type_prefix' }))
}

function otherCopy(blocks: readonly Block[], id: string): Resolved | undefined {
  const original = id.replace(/_copy(?:_\d+)?$/, '')
  return original === id
    ? exactly(blocks, `${id}_copy`, 'append_copy_suffix')
    : exactly(blocks, original, 'strip_copy_suffix')
}

function exactly(
  blocks: readonly Block[],
  id: string,
  strategy?: FuzzyMatch['strategy'],
): Resolved | undefined {
  const index = blocks.findIndex((block) => block.id === id)
  const block = blocks[index]
  return block && (strategy ? { block, index, strategy } : { block, index })
}

/** Returns the page with a slug, under any spelling. */
export function findPage(state: BatchState, slug: string): Page {
  const named = pageAt(state, slug)
  if (named) return named
  for (const spelling of slugSpellings(slug)) {
    const page = pageAt(state, spelling)
    if (page) return page
  }
  return refuse('not_found', `no page ${slug} in this draft`, { missingPage: slug })
}

/** Returns the canonical slug of a new page; refuses a slug without a canonical form. */
export function newSlug(wanted: string, path: string): string {
  const rule = 'use letters, digits and - . _ ~ between slashes, such as /about'
  return canonicalSlug(wanted) ?? violates(path, `'${wanted}' cannot be a slug; ${rule}`)
}

/**
 * Refuses a slug that is taken, under any spelling, by a page, by the routes for editors, or by what a
 * website answers by convention without a page; a folder of routes is free where the draft has a page in it.
 * `except` is the page that will get the slug.
 */
export function refuseTaken(state: BatchState, slug: string, path: string, except?: Page): void {
  if (isReserved(slug))
    violates(path, `${slug} leads to the routes for editors of the site; choose another slug`)
  const folder = routeFolder(slug)
  const hasPages = folder !== undefined && orderOf(state).some((each) => routeFolder(each) === folder)
  if (isRootFile(slug) || (folder !== undefined && !hasPages))
    violates(path, `${slug} leads to a file or a route of the website, not to a page; choose another slug`)
  const isTaken = (spelling: string) => spelling !== except?.slug && pageAt(state, spelling)
  const other = slugSpellings(slug).find(isTaken)
  if (other !== undefined) violates(path, `there is a page ${other} already; choose another slug`)
}

/** The rules for a block type, and their source. */
export interface Rules {
  readonly by: 'manifest' | 'registry'
  readonly blockType: BlockType
}

/** The block that an operation changes. */
export interface TargetBlock extends Rules {
  readonly page: Page
  readonly block: Block
  /** Its position on the page. */
  readonly index: number
}

/** In a plan, the id also matches the only block of its type, except for a removal. */
export function findBlock(
  state: BatchState,
  op: Readonly<Record<'pageSlug' | 'blockId', string>>,
  { removal = false } = {},
): TargetBlock {
  const page = findPage(state, op.pageSlug)
  const byType = state.context.source === 'planner' && !removal
  const found = resolveBlock(page.blocks, op.blockId, { byType })
  if (!found) return refuse('not_found', `no block ${op.blockId} on ${page.slug}`)
  const { block, index, strategy } = found
  if ('unreadable' in block && isLocked(block)) refuseLocked(block, page)
  if (strategy) {
    state.fuzzyMatches.push({ requestedId: op.blockId, resolvedId: block.id, resolvedIndex: index, strategy })
  }
  return { page, block, index, ...rulesFor(state, block.type) }
}

/** Like `findBlock`; refuses a pinned block, which is never moved, copied or removed. */
export function findFreeBlock(...args: Parameters<typeof findBlock>): TargetBlock {
  const target = findBlock(...args)
  refuseChrome(target.blockType)
  return target
}

/** Finds the block that a removal names: of those that cannot be read, only by its own id. */
export function findRemovedBlock(
  state: BatchState,
  op: Readonly<Record<'pageSlug' | 'blockId', string>>,
): Pick<TargetBlock, 'page' | 'block' | 'index'> {
  const page = findPage(state, op.pageSlug)
  const index = page.blocks.findIndex(({ id }) => id === op.blockId)
  const block = page.blocks[index]
  if (!block || !isLocked(block)) return findFreeBlock(state, op, { removal: true })
  admitToDemo(state.context, block.type)
  return { page, block, index }
}

/** Refuses to change, move or copy a block that cannot be read. */
function refuseLocked(block: LockedBlock, { slug }: Page): never {
  const remedy = 'Correct it on the site, or remove it with remove_block.'
  return refuse('schema_violation', `${lockedSentence(slug, block)} ${remedy}`, { path: 'blockId' })
}

/** Refuses a block that stands for one that cannot be read, unless it is one of these. */
export function refuseNewLock(block: Block, path: string, own: readonly Block[] = []): void {
  if (isLocked(block) && !own.some((each) => sameJson(each, block)))
    violates(path, 'only a site has blocks that cannot be read; send a block of another type')
}

/** Stores new props of a block. */
export function replaceProps(state: BatchState, { page, block, index }: TargetBlock, props: Props): void {
  replaceBlocks(state, page, page.blocks.with(index, { ...block, props }))
}

/** Returns the rules for a block type; refuses an undeclared type, and a type that a public demo locks. */
export function rulesFor({ context }: BatchState, type: string): Rules {
  if (context.playground) admitToDemo(context, type)
  const authority = authorityOf(type, context)
  if (authority.ok) return authority
  return refuse(authority.category, authority.message, { admissible: authority.admissible })
}

/** Refuses a block type that a public demo locks. */
export function admitToDemo({ playground }: BatchContext, type: string): void {
  if (!playground || playground.blockTypes.has(type)) return
  const admissible = [...playground.blockTypes]
  const message = `blocks of type ${type} cannot be edited in this demo; try ${admissible.join(', ')}`
  refuse('planner_refusal', message, { admissible })
}

/** Refuses to add, move, copy or remove a pinned block. */
export function refuseChrome({ type, chrome }: BlockType): void {
  if (chrome) refuse('schema_violation', `${type} is pinned to its page; change its props with update_props`)
}

/**
 * Returns the position right after a block, or `undefined` without an anchor. With `byType`, the anchor also
 * matches the last block of its type.
 */
export function positionAfter(
  { blocks, slug }: Page,
  anchor: string | undefined,
  { byType = false } = {},
): number | undefined {
  if (anchor === undefined) return undefined
  const exact = blocks.findIndex(({ id }) => id === anchor)
  const index = exact < 0 && byType ? (ofType(blocks, anchor).at(-1)?.index ?? -1) : exact
  if (index >= 0) return index + 1
  return refuse('not_found', `no block ${anchor} on ${slug} to come after`, { path: 'afterBlockId' })
}

/** The list that an operation changes. */
interface TargetList extends TargetBlock {
  readonly listKey: string
  readonly rows: readonly unknown[]
  /** `undefined` if the array is not declared as a list of rows. */
  readonly meta: FieldMeta | undefined
  readonly schema: PropsSchema | undefined
}

/** Returns the target list of an operation; with `orEmpty`, a declared list that does not exist is empty. */
export function findList(
  state: BatchState,
  op: Readonly<Record<'pageSlug' | 'blockId' | 'listKey', string>>,
  { orEmpty = false, removal = false } = {},
): TargetList {
  const target = findBlock(state, op, { removal })
  const {
    block: { id, props },
    blockType,
  } = target
  const { listKey } = op
  const field = ownValue(blockType.fields, listKey)
  const meta = isDeclaredList(field) ? field : undefined
  const rows = ownValue(props, listKey) ?? (orEmpty && meta ? [] : undefined)
  const schema = ownValue(enforcedSchema(blockType).properties, listKey)
  if (Array.isArray(rows)) return { ...target, listKey, rows, meta, schema }
  const admissible = Object.keys(props).filter((name) => Array.isArray(props[name]))
  const has = admissible.length > 0 ? `it has ${admissible.join(', ')}` : 'it has none'
  return refuse('not_found', `block ${id} has no list ${listKey}; ${has}`, { path: 'listKey', admissible })
}

/** Like `findList`; refuses a list that has the rows that it has. */
export function findFreeList(...args: Parameters<typeof findList>): TargetList {
  const list = findList(...args)
  if (list.meta?.fixedRows)
    violates(
      'listKey',
      `the rows of ${list.listKey} are not added, moved or removed; change one with update_item`,
    )
  return list
}

/** Returns the element at a position of a list; refuses a position out of range. */
export function rowAt({ rows, listKey }: TargetList, index: number): unknown {
  if (index < rows.length) return rows[index]
  const has = rows.length === 0 ? 'is empty' : `has positions 0 to ${rows.length - 1}`
  return violates('index', `list ${listKey} ${has}`)
}

/** Like `rowAt`, but refuses a row of cells: a table is only replaced completely. */
export function wholeRowAt(list: TargetList, index: number): unknown {
  const row = rowAt(list, index)
  if (!Array.isArray(row)) return row
  return violates('listKey', `${list.listKey} is a table of cells; send it whole with update_props`)
}

/**
 * Replaces the rows of a list; refuses rows that violate the limits of the list: their number and, if each
 * position has its own schema, their content. Rows with a common schema are checked when they are written.
 * Errors refer to the field `path` of the operation.
 */
export function replaceRows(
  state: BatchState,
  list: TargetList,
  after: readonly unknown[],
  path: string,
): void {
  const { by, block, listKey, rows, schema: declared } = list
  const { items, ...limits } = declared ?? {}
  const schema = Array.isArray(items) ? declared : limits
  const subject = `list ${listKey}`
  enforce(state, { by, schema, at: listKey, after, before: rows, pathInOp: () => path, subject })
  replaceProps(state, list, { ...block.props, [listKey]: after })
}
