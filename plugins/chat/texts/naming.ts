import type { BlockType, FieldMeta, Fields } from '../../content/model.ts'
import { ownValue } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'

/** Words of the built-in block types in another language; those that are the same in both are left out. */
export type Names = Readonly<Record<string, string>>

/** Gives a block type the names that people of a language have for it and its fields. */
export type Naming = (blockType: BlockType) => BlockType

/** Makes the naming of a language. Only what is built in is renamed: what a site calls by a name of its own keeps it. */
export function namingBy(names: Names): Naming {
  const known = new WeakMap<BlockType, BlockType>()
  return (blockType) => {
    const named = known.get(blockType) ?? renamed(blockType, builtinRegistry.get(blockType.type), names)
    known.set(blockType, named)
    return named
  }
}

function renamed(own: BlockType, builtin: BlockType | undefined, names: Names): BlockType {
  if (!builtin) return own
  return {
    ...own,
    displayName: wordFor(own.displayName, builtin.displayName, names),
    ...(own.description !== undefined && { description: wordFor(own.description, builtin.description, names) }),
    fields: renamedFields(own.fields, builtin.fields, names),
  }
}

const wordFor = (own: string, builtin: string | undefined, names: Names): string => (own === builtin ? ownValue(names, own) : undefined) ?? own

const renamedFields = (own: Fields, builtin: Fields, names: Names): Fields =>
  Object.fromEntries(Object.entries(own).map(([name, meta]) => [name, renamedField(meta, ownValue(builtin, name), names)]))

function renamedField(own: FieldMeta, builtin: FieldMeta | undefined, names: Names): FieldMeta {
  if (!builtin) return own
  const { label, itemFields, itemFieldsByType } = own
  const branches = itemFieldsByType && Object.entries(itemFieldsByType)
  return {
    ...own,
    ...(label !== undefined && { label: wordFor(label, builtin.label, names) }),
    ...(itemFields && { itemFields: renamedFields(itemFields, builtin.itemFields ?? {}, names) }),
    ...(branches && { itemFieldsByType: Object.fromEntries(branches.map(([branch, fields]) => [branch, renamedFields(fields, ownValue(builtin.itemFieldsByType, branch) ?? {}, names)])) }),
  }
}
