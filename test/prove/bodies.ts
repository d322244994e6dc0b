/** Generates bodies for every route from its description, each with one field at its limits. */
import { openApiDocument, type Operation, toTemplate } from '../../plugins/docs/testing.ts'
import type { JsonSchema, Subschema } from '../../kernel/index.ts'
import { allRoutes } from '../security/bodies.ts'
import { at } from './load-draft.ts'

/** A value by its position in a list, so that ids and slugs can differ. */
type Made = (n: number) => unknown

export interface AttackedRoute {
  readonly name: string
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  bodies(): Generator<readonly [what: string, body: string]>
}

/** Escapes double the bytes of some texts. */
const mostRoom = 400 * 1024
const mostValues = 80_000
const mostLevels = 6
const manyOperations = 200

const published = allRoutes.map(({ spec: { internal: _internal, ...spec }, ...route }) => ({
  ...route,
  spec,
}))
const {
  paths,
  components: { schemas },
} = await openApiDocument(published, { version: '1' })

/** Every route that is not only read, internal ones included. */
export const attackedRoutes: readonly AttackedRoute[] = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([verb, operation]) => {
    const method = (['POST', 'PUT', 'PATCH', 'DELETE'] as const).find((each) => each === verb.toUpperCase())
    if (!method || !operation) return []
    const address =
      operation.parameters
        ?.filter((each) => each.in === 'path')
        .reduce((text, { name }) => text.replace(`{${name}}`, 'x'), path) ?? path
    return [
      {
        name: `${method} ${path}`,
        method,
        path: address,
        bodies: () => bodiesOf(operation, roomOf(method, path)),
      },
    ]
  }),
)

/** Fits the limit of the route, so that its handler is reached. */
function roomOf(method: string, path: string): number {
  const limit =
    allRoutes.find(({ spec }) => spec.method === method && toTemplate(spec.path) === path)?.spec.maxBytes ??
    Infinity
  return Math.min(mostRoom, Math.floor(limit * 0.45))
}

function* bodiesOf({ requestBody }: Operation, room: number): ReturnType<AttackedRoute['bodies']> {
  const schema = requestBody?.content['application/json']?.schema ?? {
    type: 'object',
    additionalProperties: true,
  }
  for (const [what, make] of variantsOf(schema, '', room, 0)) yield [what, JSON.stringify(make(0))]
}

const resolved = (part: Subschema | undefined): JsonSchema => {
  if (typeof part !== 'object') return {}
  return part.$ref === undefined ? part : resolved(schemas[part.$ref.slice(part.$ref.lastIndexOf('/') + 1)])
}

const alternatives = ({ anyOf, oneOf }: JsonSchema) => anyOf ?? oneOf

/** Values of the draft that is attacked, so that requests reach the work behind their checks. */
const known: Readonly<Record<string, Made>> = {
  siteId: () => at.siteId,
  session: () => at.session,
  pageSlug: () => '/blocks',
  slug: (n) => (n === 0 ? '/blocks' : `/new-${n}`),
  newPageSlug: (n) => `/other-${n}`,
  blockId: (n) => `b${n}`,
  toPageSlug: () => '/',
  newBlockId: () => 'same',
  listKey: () => 'cards',
  message: () => 'replace "x" with "y" on all pages',
  type: () => 'CTA',
  id: () => 'same',
  op: () => 'update_props',
  patch: (n) => ({ title: `Title ${n}` }),
}
const inOperations: Readonly<Record<string, Made>> = {
  ...known,
  pageSlug: (n) => `/page-${n}`,
  slug: (n) => `/new-${n}`,
}

function sampleOf(part: Subschema | undefined, name: string, names = known): Made {
  const schema = resolved(part)
  const { type, properties = {}, required = [] } = schema
  const first = alternatives(schema)?.[0]
  if (schema.const !== undefined) return () => schema.const
  const usual = names[name]
  if (usual && type !== 'object' && type !== 'array') return usual
  if (first) return sampleOf(first, name, names)
  if (type === 'object') {
    const isAboutPages = !properties['blockId']
    const inner = properties['op'] && isAboutPages ? inOperations : names
    const entries = Object.entries(properties).filter(([key]) => required.includes(key) || key in known)
    const made = entries.map(
      ([key, each]) =>
        [
          key,
          key === 'patch' && properties['blockId'] ? known['patch'] : sampleOf(each, key, inner),
        ] as const,
    )
    return (n) => Object.fromEntries(made.map(([key, make]) => [key, make?.(n)]))
  }
  const { examples: [example] = [], default: usually, enum: [choice] = [] } = schema
  if (type === 'array') {
    const item = sampleOf(schema.items, name, names)
    return (n) => [item(n)]
  }
  return () =>
    example ??
    usually ??
    choice ??
    ({ string: 'x', boolean: true, integer: schema.minimum ?? 0, number: 1 } as const)[String(type)] ??
    {}
}

/** Texts that are slow to search, to parse or to escape. */
const texts = ['x ', 'a](/b ', '<a href="/">', '\\"', '/'] as const

const repeated = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = { a: value }
  return value
}

/** Variants of a value, each with one part at its limits, in about so many bytes. */
function* variantsOf(
  part: Subschema | undefined,
  name: string,
  room: number,
  level: number,
): Generator<readonly [what: string, make: Made]> {
  const schema = resolved(part)
  const { type, properties, additionalProperties, maxLength = Infinity } = schema
  const choices = alternatives(schema)
  if (level > mostLevels || room < 4 || schema.const !== undefined) return
  const wide = Math.min(mostValues, Math.floor(room / 12))
  if (choices) {
    for (const choice of choices) yield* variantsOf(choice, name, room, level)
  } else if (type === 'string') {
    for (const text of room < 1_000 ? texts.slice(0, 1) : texts)
      yield [`: ${text.trim()}…`, () => repeated(text, Math.min(room, maxLength))]
    if (maxLength < room) yield [': too long', () => repeated('x', maxLength + 1)]
  } else if (type === 'array') {
    yield* listsOf(schema, name, room, level)
  } else if (properties) {
    const whole = sampleOf(schema, name)
    for (const [key, each] of Object.entries(properties)) {
      for (const [what, make] of variantsOf(each, key, room, level + 1))
        yield [`.${key}${what}`, (n) => ({ ...Object(whole(n)), [key]: make(n) })]
    }
  } else if (type === undefined || additionalProperties) {
    const value = type === undefined ? () => 1 : sampleOf(additionalProperties, '')
    yield [': wide', () => Object.fromEntries(Array.from({ length: wide }, (_, n) => [`k${n}`, value(n)]))]
    if (type === undefined || resolved(additionalProperties).type === undefined) {
      yield [': deep', () => nested(40)]
      yield [': long', () => ({ title: repeated('x ', room) })]
      yield [': list', () => ({ cards: Array.from({ length: wide }, () => ({})) })]
    }
  } else if (type === 'integer' || type === 'number') {
    yield [': large', () => schema.maximum ?? 1e9]
  }
}

/** As many elements as fit of each kind, and elements that are themselves at their limits. */
function* listsOf(
  { items, maxItems = Infinity }: JsonSchema,
  name: string,
  room: number,
  level: number,
): ReturnType<typeof variantsOf> {
  const kinds = alternatives(resolved(items)) ?? [items]
  const many =
    (make: Made, count: number): Made =>
    () =>
      Array.from({ length: count }, (_, n) => make(n))
  for (const kind of kinds) {
    const title = resolved(kind).title ?? ''
    const sample = sampleOf(kind, name)
    const text = JSON.stringify(sample(0)) ?? 'null'
    const fits = Math.min(
      Math.floor(room / (text.length + 1)),
      Math.floor(mostValues / (text.split(',').length + 2)),
    )
    yield [`[${title}…]`, many(sample, Math.min(fits, maxItems))]
    if (maxItems < fits) yield [`[${title}: too many]`, many(sample, maxItems + 1)]
    if (fits > manyOperations) yield [`[${manyOperations} ${title}]`, many(sample, manyOperations)]
    for (const count of [1, manyOperations]) {
      for (const [what, make] of variantsOf(kind, name, room / count, level + 1))
        yield [`[${count} ${title}${what}]`, many(make, count)]
    }
  }
}
