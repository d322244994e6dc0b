import { effectiveItemFields, isDeclaredList, isInternal } from '../../content/fields.ts'
import type { FieldMeta, Fields, Props } from '../../content/model.ts'
import { ownValue, perObject } from '../../content/plain-object.ts'
import { labelledRows } from '../frame/names.ts'
import { reject } from '../work/ask.ts'
import { type BlockAt, blockOf, type FieldAt, fieldsOf, type RowAt, type Work } from '../work/work.ts'
import { rowAt } from './rows.ts'

/** The fields of blocks and rows, by their props. */

/** The block or row that has a field. */
export const ownerOf = ({ slug, id, row }: FieldAt): BlockAt | RowAt => (row ? { slug, id, ...row } : { slug, id })

/** A block and each of its rows. */
export const ownersIn = (work: Work, at: BlockAt): readonly (BlockAt | RowAt)[] =>
  [at, ...labelledRows(blockOf(work, at)).map(({ listKey, index }) => ({ ...at, listKey, index }))]

/** The first of these fields that a block or row has; rejects if there is none. */
export const fieldOf = (work: Work, at: BlockAt | RowAt, names: readonly string[]): FieldAt => fieldIn(work, at, names) ?? reject('no such field')

/** The current value of a field. */
export function valueOf(work: Work, { slug, id, row, name }: FieldAt): unknown {
  const props: Props = row ? rowAt(work, { slug, id, ...row }) : blockOf(work, { slug, id }).props
  return ownValue(props, name)
}

/** The scalar fields of a block or row. */
export function scalarFields(work: Work, at: BlockAt | RowAt): Fields {
  const fields = fieldsOf(work, blockOf(work, at))
  if (!('listKey' in at)) return scalarsAmong(fields)
  const list = fields[at.listKey]
  return list ? scalarsAmong(effectiveItemFields(list, rowAt(work, at))) : {}
}

/** Cached by the fields of a type, which many blocks share. */
const scalarsAmong = perObject((fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(([name, meta]) =>
  !isDeclaredList(meta) && !isInternal(name, meta) && meta.kind !== 'headingLevel')))

/** The first of these fields that a block or row has; `undefined` if there is none. */
export function fieldIn(work: Work, at: BlockAt | RowAt, names: readonly string[]): FieldAt | undefined {
  const fields = scalarFields(work, at)
  const isOne = (candidate: string) => Object.hasOwn(fields, candidate) && (names[0] !== 'imageUrl' || fields[candidate]?.kind === 'image')
  // In a polymorphic row, prefer a field that is filled.
  const row = 'listKey' in at ? rowAt(work, at) : {}
  const name = names.find((candidate) => isOne(candidate) && Object.hasOwn(row, candidate)) ?? names.find(isOne)
  const meta = name === undefined ? undefined : fields[name]
  if (name === undefined || !meta) return undefined
  return toField(at, name, meta)
}

const toField = (at: BlockAt | RowAt, name: string, meta: FieldMeta): FieldAt => ({
  slug: at.slug, id: at.id, name, meta, ...('listKey' in at && { row: { listKey: at.listKey, index: at.index } }),
})

/** The scalar fields of a block or row, as places. */
export const fieldsAt = (work: Work, at: BlockAt | RowAt): readonly FieldAt[] =>
  Object.entries(scalarFields(work, at)).map(([name, meta]) => toField(at, name, meta))

export const isLink = ({ kind }: FieldAt['meta']): boolean => kind === 'url' || kind === 'link'
