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
  const common = listMeta.itemFields ?? {}
  const branch = branchOf(listMeta, row)
  return branch ? { ...common, ...branch } : common
}

/** The fields that rows of any branch may have; of a name declared more than once, the last branch's. */
export function everyItemField({ itemFields, itemFieldsByType }: FieldMeta): Fields {
  const branches = Object.values(itemFieldsByType ?? {})
  return branches.reduce((fields, branch) => ({ ...fields, ...branch }), itemFields ?? {})
}

/** Tells whether rows get their ids from whoever writes the content: some branch declares a prop `id`. */
export function isContentOwned(listMeta: FieldMeta): boolean {
  return Object.hasOwn(everyItemField(listMeta), 'id')
}

function branchOf({ discriminator, itemFieldsByType }: FieldMeta, row: Props): Fields | undefined {
  const branch = discriminator ? ownValue(row, discriminator) : undefined
  return typeof branch === 'string' ? ownValue(itemFieldsByType, branch) : undefined
}
