import { loadConvert, mapParts, type JsonSchema, type Schema } from '../../kernel/index.ts'

export type Components = Awaited<ReturnType<typeof createComponents>>

const prefix = '#/components/schemas/'

/** Returns the name at the end of a reference to a shared schema. */
export const nameIn = (ref: string): string => ref.slice(prefix.length)

/**
 * Creates an empty collection of the schemas of one document.
 *
 * A schema is shared if it has a title, as in `v.pipe(Page, v.title('Page'))`, or contains itself. If two
 * different schemas have the same title, the later is numbered. Descriptions and defaults stay with each use.
 */
export async function createComponents() {
  const convert = await loadConvert()
  const schemas = new Map<string, JsonSchema>()
  const byText = new Map<string, string>()
  const unique = uniqueNames()
  const recursiveNames = new WeakMap<object, string>()

  const reserve = (title: string): string => unique(toName(title))
  const naming = {
    refTo: (name: string) => prefix + name,
    nameOf(schema: object, title = 'Recursive'): string {
      const name = recursiveNames.get(schema) ?? reserve(title)
      recursiveNames.set(schema, name)
      return name
    },
  }
  const keep = (name: string, schema: JsonSchema): string => {
    if (schemas.has(name)) return name
    schemas.set(name, schema)
    byText.set(schemaText(schema), name)
    return name
  }

  const share = (schema: JsonSchema): JsonSchema => {
    const inner = mapParts(schema, share)
    if (inner.title === undefined) return inner
    const { default: fallback, ...shape } = inner
    const name = byText.get(schemaText(shape)) ?? keep(reserve(inner.title), shape)
    const described = shape.description !== undefined && shape.description !== schemas.get(name)?.description
    return {
      $ref: prefix + name,
      ...(described && { description: shape.description }),
      ...(fallback !== undefined && { default: fallback }),
    }
  }

  const described = { input: new Map<Schema, JsonSchema>(), output: new Map<Schema, JsonSchema>() }
  return {
    /** Describes a schema in a request (`input`) or a reply (`output`). */
    describe(schema: Schema, direction: 'input' | 'output'): JsonSchema {
      const cached = described[direction].get(schema)
      if (cached) return cached
      const { schema: converted, recursive } = convert(schema, direction, naming)
      for (const [name, definition] of recursive) keep(name, mapParts(definition, share))
      const shared = share(converted)
      described[direction].set(schema, shared)
      return shared
    },
    /** Resolves a reference; an unknown one accepts anything. */
    resolve: (ref: string): JsonSchema => schemas.get(nameIn(ref)) ?? {},
    /** Returns the shared schemas by name, in alphabetical order. */
    all: () => Object.fromEntries([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Returns the identity of a schema, without its description, which may differ by use. */
const schemaText = (schema: JsonSchema): string => JSON.stringify({ ...schema, description: undefined })

/** Creates a function that makes names unique by numbering later ones. */
export function uniqueNames(): (base: string) => string {
  const taken = new Set<string>()
  return (base) => {
    let name = base
    for (let count = 2; taken.has(name); count++) name = `${base}${count}`
    taken.add(name)
    return name
  }
}

/** Converts a title to a name of letters and digits, such as `SiteConfig` for `site config`. */
export function toName(title: string, otherwise = 'Schema'): string {
  const words = title.match(/[A-Za-z0-9]+/g) ?? [otherwise]
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
