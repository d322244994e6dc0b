import { builtinBlocks } from './blocks/index.ts'
import { completeFields } from './derive-fields.ts'
import { checkFields } from './field-schema.ts'
import { requiredProps, starterProps } from './fields.ts'
import type {
  BlockMeta,
  BlockType,
  BlockTypeInput,
  FieldMeta,
  AvailableTypes,
  Registry,
  Source,
} from './model.ts'
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
  const byType = new Map<string, BlockType>()
  let listed: readonly BlockType[] | undefined
  const registry: OpenRegistry = {
    get: (type) => byType.get(type),
    types: () => (listed ??= [...byType.values()]),
    register(input) {
      byType.set(input.type, toBlockType(input))
      listed = undefined
    },
  }
  initial.forEach(registry.register)
  return registry
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
type BlockDescription = {
  readonly [K in 'displayName' | 'description' | 'category' | 'chrome' | 'copiedOnly']:
    BlockMeta[K] | undefined
}

/** Creates a block type from its registration or its manifest. */
export function blockTypeOf(
  type: string,
  { displayName = type, description, category, chrome = false, copiedOnly }: Partial<BlockDescription>,
  rest: Pick<BlockType, 'fields' | 'propsSchema' | 'starter'>,
): BlockType {
  const more = {
    ...(description !== undefined && { description }),
    ...(category !== undefined && { category }),
    ...(copiedOnly && { copiedOnly }),
  }
  return { type, displayName, ...more, chrome, ...rest }
}

const isName = (value: unknown) => typeof value === 'string' && value !== ''

/** The block types that come with the orchestrator. */
export const builtinRegistry: Registry = createRegistry(builtinBlocks)

/** Returns the declaration of a block type, open or not: the site's, else the registry's. */
export function declaredType(type: string, { registry, manifest }: AvailableTypes): BlockType | undefined {
  return manifest?.get(type) ?? registry.get(type)
}

/**
 * Returns the rules for a block type, from the manifest of the request or else the registry; or the reason
 * why there are none, with the accepted types.
 *
 * A manifest leaves the header and footer to the registry, and closes every other type that it does not
 * declare. Operations that add, move, copy or remove blocks refuse chrome types separately.
 */
export function authorityOf(type: string, { registry, manifest }: AvailableTypes) {
  const declared = manifest?.get(type)
  if (declared) return { ok: true, by: 'manifest', blockType: declared } as const
  const registered = registry.get(type)
  const isOpen = !manifest || registered?.chrome
  if (registered && isOpen) return { ok: true, by: 'registry', blockType: registered } as const
  const admissible = (manifest ?? registry).types().map((each) => each.type)
  const message = manifest
    ? `the manifest of this site does not declare block type '${type}'; ${oneOf(admissible)}`
    : `unknown block type '${type}'; ${oneOf(admissible)}, or send the manifest that declares it`
  return { ok: false, category: manifest ? 'not_found' : 'schema_violation', message, admissible } as const
}

/**
 * Whether every schema violation is refused; otherwise only structural ones are, and the others are noted.
 *
 * A plan must satisfy a site's manifest completely; for edits by people and by the system its limits are
 * advice.
 */
export const isStrict = (by: 'manifest' | 'registry', source: Source): boolean =>
  by === 'registry' || source === 'planner'

const oneOf = (types: readonly string[]) =>
  types.length === 0 ? 'there is none yet' : `use one of ${types.join(', ')}`
