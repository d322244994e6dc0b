import { builtinBlocks } from './blocks/index.ts'
import { completeFields } from './derive-fields.ts'
import { checkFields } from './field-schema.ts'
import { requiredProps, starterProps } from './fields.ts'
import type { BlockMeta, BlockType, BlockTypeInput, FieldMeta, Registry } from './model.ts'
import { isPlainObject, mapValues } from './plain-object.ts'
import { toPropsSchema } from './props-schema.ts'

/** A registry that accepts further block types. */
export interface OpenRegistry extends Registry {
  /**
   * Adds a block type, or replaces the type of that name.
   *
   * Throws an Error that names the type and the remedy if something is missing or a field kind is unknown.
   */
  register(input: BlockTypeInput): void
}

/** Creates a registry with the given block types. Throws like `register`. */
export function createRegistry(initial: readonly BlockTypeInput[] = []): OpenRegistry {
  const known = new Map<string, BlockType>()
  let listed: readonly BlockType[] | undefined
  const registry: OpenRegistry = {
    get: (type) => known.get(type),
    types: () => (listed ??= [...known.values()]),
    register(input) {
      known.set(input.type, toBlockType(input))
      listed = undefined
    },
  }
  initial.forEach(registry.register)
  return registry
}

/** Returns the types that can be added to pages: all except chrome. */
export function addableTypes(registry: Registry): readonly BlockType[] {
  return registry.types().filter(({ chrome }) => !chrome)
}

function toBlockType({ type, propsSchema, meta, starter }: BlockTypeInput): BlockType {
  if (!isName(type)) throw new Error(`A block type needs a 'type': a name that is not empty.`)
  if (!isPlainObject(propsSchema)) throw new Error(`Block type '${type}' needs a 'propsSchema': an object.`)
  if (!isName(meta?.displayName)) throw new Error(`Block type '${type}' needs 'displayName' in its metadata.`)
  const declared = {
    ...meta.fields,
    ...mapValues(meta.listFields ?? {}, (list): FieldMeta => ({ ...list, kind: 'list' })),
  }
  checkFields(type, declared)
  const schema = toPropsSchema(propsSchema)
  const fields = completeFields(declared, schema)
  const start = () => (starter ? starterProps(starter, fields) : requiredProps(fields, schema))
  return blockTypeOf(type, meta, { fields, propsSchema: schema, starter: start })
}

/** The description of a block type in addition to its fields; a missing name defaults to the type. */
type Words = {
  readonly [K in 'displayName' | 'description' | 'category' | 'chrome']: BlockMeta[K] | undefined
}

/** Creates a block type from its registration or its manifest. */
export function blockTypeOf(
  type: string,
  { displayName = type, description, category, chrome = false }: Partial<Words>,
  rest: Pick<BlockType, 'fields' | 'propsSchema' | 'starter'>,
): BlockType {
  const more = {
    ...(description !== undefined && { description }),
    ...(category !== undefined && { category }),
  }
  return { type, displayName, ...more, chrome, ...rest }
}

const isName = (value: unknown) => typeof value === 'string' && value !== ''

/** The block types that come with the orchestrator. */
export const builtinRegistry: Registry = createRegistry(builtinBlocks)
