import * as v from 'valibot'
import { builtinBlocks } from './blocks/index.ts'
import { newBudget, violations } from './check-props.ts'
import { completeFields } from './derive-fields.ts'
import { FieldsByName, longestName } from './field-schema.ts'
import { isDeclaredList, mapItemFields, requiredProps, starterProps } from './fields.ts'
import type { BlockType, FieldMeta, Fields, Manifest, Props, PropsSchema, Registry } from './model.ts'
import { described, findUnsafeKey, isPlainObject, mapValues, picked } from './plain-object.ts'
import { itemSchemaOf, toPropsSchema } from './props-schema.ts'
import { blockTypeOf } from './registry.ts'

const wholeNumber = 'must be a whole number from 1 on; write 1'
const name = v.pipe(v.string('must be a text'), v.nonEmpty('must not be empty'), longestName)
const categories = ['content', 'media', 'navigation', 'conversion', 'layout'] as const
const object = v.custom<Props>(isPlainObject, 'must be an object')

const entryWords = 'One block type of a site; `propsSchema` is a JSON Schema. Unknown keys are kept.'

/** One block type that a site declares. Unknown keys are preserved, so later versions can add keys. */
const ManifestEntry = described(
  'BlockType',
  entryWords,
  v.looseObject(
    {
      type: name,
      propsSchema: object,
      displayName: v.exactOptional(name),
      editablePaths: v.exactOptional(v.array(name, 'must be an array of paths')),
      defaultProps: v.exactOptional(object),
      // Sites used these three names for other purposes before they had a meaning here.
      description: v.fallback(v.optional(v.string()), undefined),
      category: v.fallback(v.optional(v.picklist(categories)), undefined),
      chrome: v.fallback(v.optional(v.boolean()), undefined),
      copiedOnly: v.fallback(v.optional(v.boolean()), undefined),
      fields: v.exactOptional(FieldsByName),
    },
    'must be an object with type and propsSchema',
  ),
)
type ManifestEntry = v.InferOutput<typeof ManifestEntry>

const manifestWords =
  'The block types of a site. It decides which props exist; built-in types of the same name only add to them.'

/** The block manifest of a site in its wire format. */
export const ManifestDocument = described(
  'BlockManifest',
  manifestWords,
  v.looseObject(
    {
      version: v.pipe(v.number(wholeNumber), v.integer(wholeNumber), v.minValue(1, wholeNumber)),
      blocks: v.array(ManifestEntry, 'must be an array of block types'),
    },
    'must be an object with version and blocks',
  ),
)
export type ManifestDocument = v.InferOutput<typeof ManifestDocument>

/**
 * Reads a manifest document. Returns a manifest ready to enforce, `undefined` if there is none, or the error
 * and its path.
 *
 * A missing document, or one without blocks, counts as no manifest. If a type is declared twice, the last
 * declaration counts. Refuses invalid shapes, unknown field kinds, unsafe keys, defaults that violate their
 * own schema, names of more than 500 characters, more than 20,000 objects and lists, and more than 48 levels
 * of nesting.
 */
export function parseManifest(
  value: unknown,
  registry: Registry,
):
  | { readonly ok: true; readonly manifest: Manifest | undefined }
  | { readonly ok: false; readonly problem: string; readonly path: string } {
  if (value === undefined || value === null) return { ok: true, manifest: undefined }
  const unsafe = findUnsafeKey(value)
  if (unsafe !== undefined) return { ok: false, problem: 'this key is not allowed; rename it', path: unsafe }
  const size = sizeOf(value)
  const limit =
    size.objects > mostObjects
      ? `have at most ${mostObjects} objects and lists`
      : size.depth > deepest
        ? `be nested at most ${deepest} levels deep`
        : undefined
  if (limit !== undefined) return { ok: false, problem: `a manifest may ${limit}; ${leaveOut}`, path: '' }
  const { success, output, issues } = v.safeParse(ManifestDocument, value, { abortEarly: true })
  if (!success) return { ok: false, problem: issues[0].message, path: v.getDotPath(issues[0]) ?? '' }
  const byType = new Map<string, BlockType>()
  const budget = newBudget()
  for (const [index, entry] of output.blocks.entries()) {
    const schema = toPropsSchema(entry.propsSchema)
    const blockType = toBlockType(entry, schema, registry.get(entry.type))
    const wrong = entry.defaultProps && violations(blockType.propsSchema, entry.defaultProps, '', budget)[0]
    if (wrong) {
      const { path, message } = wrong
      const what = `${path || 'they'} ${message}`
      const problem = `the defaultProps of '${entry.type}' do not satisfy its propsSchema: ${what}`
      return { ok: false, problem, path: `blocks.${index}.defaultProps${path && `.${path}`}` }
    }
    byType.set(entry.type, blockType)
  }
  const types = [...byType.values()]
  return {
    ok: true,
    manifest: types.length === 0 ? undefined : { get: (type) => byType.get(type), types: () => types },
  }
}

const mostObjects = 20_000
const deepest = 48
const leaveOut = 'leave out block types and fields that are not used'

/** Counts objects, lists and their levels; counts the common fields of a list once per branch. */
function sizeOf(value: unknown, depth = 1, size = { objects: 0, depth: 0 }): typeof size {
  if (typeof value !== 'object' || value === null) return size
  size.objects += 1
  size.depth = Math.max(size.depth, depth)
  if (depth > deepest) return size
  const { itemFields, itemFieldsByType } = isPlainObject(value) ? value : {}
  if (isPlainObject(itemFields) && isPlainObject(itemFieldsByType)) {
    size.objects += Object.keys(itemFields).length * Object.keys(itemFieldsByType).length
  }
  for (const inner of Object.values(value)) sizeOf(inner, depth + 1, size)
  return size
}

/** The manifest decides which props exist; a registered type of the same name only completes them. */
function toBlockType(entry: ManifestEntry, schema: PropsSchema, registered?: BlockType): BlockType {
  const { type, defaultProps, fields: own = {} } = entry
  const words = {
    displayName: entry.displayName ?? registered?.displayName,
    description: entry.description ?? registered?.description,
    category: entry.category ?? registered?.category,
    chrome: entry.chrome ?? registered?.chrome,
    copiedOnly: entry.copiedOnly ?? registered?.copiedOnly,
  }
  const fields = completeFields(
    { ...own, ...registeredFieldsFor(schema, registered?.fields ?? {}, own) },
    schema,
  )
  const starter = () =>
    defaultProps ? starterProps(defaultProps, fields) : startFrom(registered, fields, schema)
  return blockTypeOf(type, words, { fields, propsSchema: schema, starter })
}

function startFrom(registered: BlockType | undefined, fields: Fields, schema: PropsSchema): Props {
  const starter = picked(registered?.starter() ?? {}, (_value, prop) =>
    Object.hasOwn(schema.properties ?? {}, prop),
  )
  const isSound = Object.keys(starter).length > 0 && violations(schema, starter, '').length === 0
  return isSound ? starter : requiredProps(fields, schema)
}

/**
 * Selects the registered fields of the props and row props that the schema of a site declares.
 *
 * Omits props in `own`: the site describes them itself. If the schema lists required props, only that list
 * counts.
 */
function registeredFieldsFor(schema: PropsSchema, registered: Fields, own: Fields = {}): Fields {
  const { properties = {}, required } = schema
  const shared = picked(
    registered,
    (_meta, name) => Object.hasOwn(properties, name) && !Object.hasOwn(own, name),
  )
  return mapValues(shared, (meta, name) => {
    const { required: _required, ...open } = meta
    return rowsFor(itemSchemaOf(properties[name]), required ? open : meta)
  })
}

function rowsFor(row: PropsSchema | undefined, meta: FieldMeta): FieldMeta {
  if (!isDeclaredList(meta) || !row?.properties) return meta
  const narrowed = mapItemFields(meta, (fields) => registeredFieldsFor(row, fields))
  const { discriminator, itemFieldsByType: _branches, ...plain } = narrowed
  return discriminator && Object.hasOwn(row.properties, discriminator) ? narrowed : plain
}

/**
 * Creates the manifest of the block types of a registry: all that can be added, and pinned ones of a site.
 * Built-in types that are pinned need no declaration.
 *
 * The schemas of built-in types contain only their structure: clients send this document back with each
 * batch, where it is enforced, and a limit would make clearing a text an error. Types registered by a site
 * keep their schemas.
 */
export function generateManifest(registry: Registry) {
  const declared = registry.types().filter(({ type, chrome }) => !chrome || !builtin.has(type))
  const blocks = declared.map(({ chrome, fields, propsSchema, starter, ...words }) => {
    const schema = builtin.has(words.type) ? structureOf(propsSchema) : propsSchema
    return { ...words, ...(chrome && { chrome }), propsSchema: schema, defaultProps: starter(), fields }
  })
  return { version: 1, blocks } as const
}

/** Reduces a schema to types, props, rows and closed sets. */
function structureOf({ type, properties, items, enum: members }: PropsSchema): PropsSchema {
  const row = itemSchemaOf({ ...(items && { items }) })
  return {
    ...(type !== undefined && { type }),
    ...(properties && { properties: mapValues(properties, structureOf) }),
    ...(row && { items: structureOf(row) }),
    ...(members && { enum: members }),
  }
}

const builtin = new Set(builtinBlocks.map(({ type }) => type))
