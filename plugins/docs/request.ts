import * as v from 'valibot'
import type { RouteSpec, Schema, JsonSchema } from '../../kernel/index.ts'
import type { Components } from './components.ts'
import type { Content, Parameter, RequestBody } from './document.ts'
import { propertiesOf } from './parts.ts'

const kibi = 1024
const defaultMaxBytes = kibi * kibi
const longestParameter = 256

const namesIn = /:([^/]+)/g

/** Converts a router path to an OpenAPI template: `/sites/{siteId}` for `/sites/:siteId`. */
export const toTemplate = (path: string): string => path.replaceAll(namesIn, '{$1}')

const ifNoneMatch = 'An ETag that was answered before: 304 without a body while it is still the current one.'

/** Returns the parameters of the path, then the query, then headers other than credentials. */
export function parametersOf(
  { path, params, query, headers, etag }: RouteSpec,
  { describe, resolve }: Components,
): readonly Parameter[] {
  const segments = params && propertiesOf(describe(params, 'input'), resolve)
  const inPath = [...path.matchAll(namesIn)].map(([, name = '']) => {
    const schema = segments?.get(name)?.schema ?? { type: 'string', maxLength: longestParameter }
    return toParameter(name, 'path', true, schema)
  })
  const fromQuery = query ? [...propertiesOf(describe(query, 'input'), resolve)] : []
  const read = Object.entries({ ...headers, ...(etag && { 'if-none-match': ifNoneMatch }) })
  return [
    ...inPath,
    ...fromQuery.map(([name, { schema, required }]) => toParameter(name, 'query', required, schema)),
    ...read.map(([name, description]) => toParameter(name, 'header', false, { type: 'string', description })),
  ]
}

function toParameter(name: string, where: Parameter['in'], required: boolean, schema: JsonSchema): Parameter {
  const { description, ...rest } = schema
  return { name, in: where, required, ...(description !== undefined && { description }), schema: rest }
}

/** True if fields beyond the schema of the body or the query are refused. */
export const refusesMore = ({ body, query }: RouteSpec, { describe, resolve }: Components): boolean =>
  [body, query].some((schema) => {
    const described = schema && describe(schema, 'input')
    const { additionalProperties } =
      described?.$ref === undefined ? (described ?? {}) : resolve(described.$ref)
    return additionalProperties === false
  })

/** Returns the body; `undefined` for a route without one. */
export function requestBodyOf(
  { body, upload, raw, maxBytes = defaultMaxBytes }: RouteSpec,
  components: Components,
): RequestBody | undefined {
  const atMost = `At most ${toSize(maxBytes)}.`
  if (raw)
    return {
      description: `Bytes of any type, read as they are. ${atMost}`,
      required: true,
      content: { '*/*': {} },
    }
  const form = upload && toMultipart(upload)
  if (form && !body) return { description: `A form with one file. ${atMost}`, required: true, content: form }
  if (!body) return undefined
  const schema = components.describe(body, 'input')
  const needed = [...propertiesOf(schema, components.resolve).values()].some(({ required }) => required)
  const description = form
    ? `JSON of at most ${toSize(defaultMaxBytes)}, or a form with one file. ${atMost}`
    : atMost
  return {
    description,
    required: needed || !acceptsNothing(body),
    content: { 'application/json': { schema }, ...form },
  }
}

function toMultipart({ field = 'file', fields, types, maxBytes }: NonNullable<RouteSpec['upload']>): Content {
  const texts = fields.map((name): [string, JsonSchema] => [name, { type: 'string' }])
  const file: JsonSchema = {
    type: 'string',
    format: 'binary',
    description: `One of ${types.join(', ')}; at most ${toSize(maxBytes)}.`,
  }
  const schema: JsonSchema = {
    type: 'object',
    properties: { ...Object.fromEntries(texts), [field]: file },
    required: [field],
  }
  return { 'multipart/form-data': { schema, encoding: { [field]: { contentType: types.join(', ') } } } }
}

/** True if a request without a body, which is read as `{}`, is valid. */
function acceptsNothing(body: Schema): boolean {
  try {
    return v.safeParse(body, {}).success
  } catch {
    return false
  }
}

/** Formats a number of bytes in a readable unit. */
function toSize(bytes: number): string {
  if (bytes < kibi) return `${bytes} bytes`
  const [size, unit] = bytes < kibi * kibi ? [bytes / kibi, 'KiB'] : [bytes / kibi / kibi, 'MiB']
  return `${Number(size.toFixed(1))} ${unit}`
}
