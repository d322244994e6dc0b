import { effectiveItemFields, hasMarkup, isDeclaredList } from '../fields.ts'
import type { Block, FieldMeta, Fields, Props } from '../model.ts'
import { isPlainObject, memberPath, ownValue, sameJson } from '../plain-object.ts'
import type { BlockDiff, FieldDiff } from './schema.ts'

/** A value in the baseline and in the draft. */
export interface Sides<T> {
  readonly before: T
  readonly after: T
}

/** The metadata of a prop on both sides; they differ if the block changed its type or a row its branch. */
type Metas = Sides<FieldMeta | undefined>

const imageNames = new Set(['imageurl', 'image', 'src', 'poster', 'logo', 'avatar', 'thumbnail'])

export const unknownFields: Sides<Fields> = { before: {}, after: {} }

/** Describes one difference; a side without a value gets no key. */
export function fieldDiff(path: string, values: Sides<unknown>, kind: FieldDiff['kind']): FieldDiff {
  const { before, after } = values
  return { path, ...(before !== undefined && { before }), ...(after !== undefined && { after }), kind }
}

/** Lists the values that differ between two sets of props, by the metadata of either side. */
export function diffProps({ before, after }: Sides<Props>, fields: Sides<Fields>, path = ''): FieldDiff[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)])
  return [...names].flatMap((name) => {
    const values = { before: ownValue(before, name), after: ownValue(after, name) }
    if (values.before === values.after) return []
    const metas = { before: fields.before[name], after: fields.after[name] }
    return valueDiffs(memberPath(path, name), name, values, metas)
  })
}

function rowDiffs(path: string, { before, after }: Sides<readonly Props[]>, metas: Metas): FieldDiff[] {
  const longer = before.length > after.length ? before : after
  return longer.flatMap((_row, i) => {
    const [from, to] = [before[i], after[i]]
    if (!from || !to) return fieldDiff(`${path}[${i}]`, { before: from, after: to }, 'other')
    const fields = { before: rowFields(metas.before, from), after: rowFields(metas.after, to) }
    return diffProps({ before: from, after: to }, fields, `${path}[${i}]`)
  })
}

function valueDiffs(path: string, name: string, values: Sides<unknown>, metas: Metas): FieldDiff[] {
  const { before, after } = values
  const areObjects = typeof before === 'object' && typeof after === 'object'
  // A rich-text document is one value to its author, however it is stored.
  if (areObjects && !hasMarkup(metas.before) && !hasMarkup(metas.after)) {
    if (isPlainObject(before) && isPlainObject(after))
      return diffProps({ before, after }, unknownFields, path)
    if (isRows(before) && isRows(after)) return rowDiffs(path, { before, after }, metas)
  }
  return sameJson(before, after) ? [] : [fieldDiff(path, values, kindOf(name, values, metas))]
}

function isRows(value: unknown): value is readonly Props[] {
  return Array.isArray(value) && value.every(isPlainObject)
}

function rowFields(list: FieldMeta | undefined, row: Props): Fields {
  return list && isDeclaredList(list) ? effectiveItemFields(list, row) : {}
}

function kindOf(name: string, { before, after }: Sides<unknown>, metas: Metas): FieldDiff['kind'] {
  const isImage = metas.before?.kind === 'image' || metas.after?.kind === 'image'
  if (isImage || imageNames.has(name.toLowerCase())) return 'image'
  return typeof before === 'string' || typeof after === 'string' ? 'text' : 'other'
}

type PlacedBlocks = ReadonlyMap<string, { readonly block: Block; readonly position: number }>

/**
 * Compares the blocks of one page by id. Lists the draft's blocks in draft order, then the removed blocks in
 * published order.
 *
 * A block has moved if its rank among the blocks on both sides changed; one inserted block does not mark all
 * blocks below it. If an id occurs twice on a page, which only imported content can have, its occurrences are
 * compared in order.
 */
export function diffBlocks(blocks: Sides<readonly Block[]>, fieldsOf: (type: string) => Fields): BlockDiff[] {
  const [old, current] = [placed(blocks.before), placed(blocks.after)]
  const [oldRanks, ranks] = [ranksAmong(old, current), ranksAmong(current, old)]
  const present = [...current].map(([key, { block, position }]): BlockDiff => {
    const from = old.get(key)
    const facts = { blockId: block.id, type: block.type }
    if (!from) return { ...facts, status: 'added', positionAfter: position }
    const positions = { positionBefore: from.position, positionAfter: position }
    const fieldDiffs = diffBlock({ before: from.block, after: block }, fieldsOf)
    if (fieldDiffs.length > 0) return { ...facts, status: 'modified', ...positions, fieldDiffs }
    return { ...facts, status: oldRanks.get(key) === ranks.get(key) ? 'unchanged' : 'moved', ...positions }
  })
  const gone = [...old]
    .filter(([key]) => !current.has(key))
    .map(([, { block, position }]): BlockDiff => ({
      blockId: block.id,
      type: block.type,
      status: 'removed',
      positionBefore: position,
    }))
  return [...present, ...gone]
}

/** Lists blocks that are known to be equal on both sides. */
export function unchangedBlocks(blocks: readonly Block[]): BlockDiff[] {
  return blocks.map(({ id, type }, position) => ({
    blockId: id,
    type,
    status: 'unchanged',
    positionBefore: position,
    positionAfter: position,
  }))
}

function diffBlock({ before, after }: Sides<Block>, fieldsOf: (type: string) => Fields): FieldDiff[] {
  const fields = { before: fieldsOf(before.type), after: fieldsOf(after.type) }
  const propDiffs = diffProps({ before: before.props, after: after.props }, fields)
  if (before.type === after.type) return propDiffs
  return [fieldDiff('type', { before: before.type, after: after.type }, 'other'), ...propDiffs]
}

/** Indexes blocks by id and occurrence of the id. */
function placed(blocks: readonly Block[]): PlacedBlocks {
  const seen = new Map<string, number>()
  return new Map(
    blocks.map((block, position) => {
      const occurrence = (seen.get(block.id) ?? 0) + 1
      seen.set(block.id, occurrence)
      return [`${occurrence} ${block.id}`, { block, position }]
    }),
  )
}

function ranksAmong(side: PlacedBlocks, other: PlacedBlocks): ReadonlyMap<string, number> {
  return new Map([...side.keys()].filter((key) => other.has(key)).map((key, rank) => [key, rank]))
}
