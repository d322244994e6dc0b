import type { FieldMeta, Fields, Props } from './model.ts'
import { ownValue } from './plain-object.ts'

/** Tells whether rows of this field have ids, operations of their own and a merge row by row. */
export function isDeclaredList(meta: FieldMeta | undefined): boolean {
  return meta?.kind === 'list' || meta?.kind === 'imageList'
}

/** Tells whether the fields of a row depend on one of its props. */
export function isPolymorphic(meta: FieldMeta): meta is FieldMeta & { readonly discriminator: string } {
  return Boolean(meta.discriminator)
}

/** The fields of one row: those of every row and those of its branch, which wins on a name clash. */
export function effectiveItemFields(listMeta: FieldMeta, row: Props): Fields {
  const { discriminator, itemFields = noFields, itemFieldsByType } = listMeta
  const name = discriminator ? ownValue(row, discriminator) : undefined
  const branch = typeof name === 'string' ? ownValue(itemFieldsByType, name) : undefined
  return branch ? joined(listMeta, itemFields, branch) : itemFields
}

/** The fields that rows of any branch may have; of a name declared more than once, the last branch's. */
export function everyItemField({ itemFields, itemFieldsByType = {} }: FieldMeta): Fields {
  const every = { ...itemFields }
  for (const branch of Object.values(itemFieldsByType)) Object.assign(every, branch)
  return every
}

/** Tells whether rows get their ids from the author of the content: some branch declares a prop `id`. */
export function isContentOwned(listMeta: FieldMeta): boolean {
  const { itemFields = noFields, itemFieldsByType = {} } = listMeta
  let owned = ownedLists.get(listMeta)
  if (owned === undefined) {
    owned = [itemFields, ...Object.values(itemFieldsByType)].some((fields) => Object.hasOwn(fields, 'id'))
    ownedLists.set(listMeta, owned)
  }
  return owned
}

const noFields: Fields = {}
/** What follows from field metadata, kept as long as that is: a list may have many rows, and a row many fields. */
const ownedLists = new WeakMap<FieldMeta, boolean>()
const joinedFields = new WeakMap<FieldMeta, WeakMap<Fields, Fields>>()

function joined(listMeta: FieldMeta, common: Fields, branch: Fields): Fields {
  let byBranch = joinedFields.get(listMeta)
  if (!byBranch) joinedFields.set(listMeta, (byBranch = new WeakMap()))
  let fields = byBranch.get(branch)
  if (!fields) byBranch.set(branch, (fields = { ...common, ...branch }))
  return fields
}
