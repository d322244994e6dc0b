import type { JsonSchema, MediaType, Operation, OperationMethod, RequestBody } from '../document.ts'
import type { OpenApiDocument } from '../openapi.ts'
import { exampleOf } from './example.ts'
import { resolver } from './schema.ts'

/** The shell variables of the examples. */
const variables: Readonly<Record<string, string>> = {
  accessToken: 'ORCHESTRATOR_ACCESS_TOKEN',
  publishToken: 'PUBLISH_TOKEN',
}

type Example = (schema: JsonSchema, name?: string) => unknown

/**
 * Builds a command for a POSIX shell that calls a route with its minimal input.
 *
 * The address and credentials come from the variables ORCHESTRATOR_URL, ORCHESTRATOR_ACCESS_TOKEN and
 * PUBLISH_TOKEN; other credentials are omitted.
 */
export function curlOf(
  document: OpenApiDocument,
  path: string,
  method: OperationMethod,
  operation: Operation,
): string {
  const example: Example = (schema, name) => exampleOf(schema, resolver(document), name)
  const options = [
    ...(isStream(operation) ? ['-N'] : []),
    ...(method === 'get' ? [] : [`-X ${method.toUpperCase()}`]),
  ]
  const address = `"$ORCHESTRATOR_URL${inDoubleQuotes(toTarget(path, operation, example))}"`
  const lines = [...credentials(document, operation), ...bodyOptions(operation.requestBody, example)]
  return [['curl', ...options, address].join(' '), ...lines].join(' \\\n  ')
}

const isStream = ({ responses }: Operation): boolean =>
  Object.values(responses).some(
    (response) => 'content' in response && response.content?.['text/event-stream'] !== undefined,
  )

/** Returns the path with its parameters, and query parameters that are required or have an example. */
function toTarget(path: string, { parameters = [] }: Operation, example: Example): string {
  const values = parameters
    .filter(({ required, schema }) => required || schema.examples !== undefined)
    .map(({ name, in: where, schema }) => {
      const value = example(schema, name)
      return { name, where, value: encode(typeof value === 'string' ? value : JSON.stringify(value)) }
    })
  const inPath = values.filter(({ where }) => where === 'path')
  const filled = inPath.reduce((target, { name, value }) => target.replace(`{${name}}`, () => value), path)
  const query = values
    .filter(({ where }) => where === 'query')
    .map(({ name, value }) => `${encode(name)}=${value}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

function credentials(
  { components }: OpenApiDocument,
  { security: [way = {}] }: Operation,
): readonly string[] {
  return Object.keys(way).flatMap((name) => {
    const scheme = components.securitySchemes[name]
    const variable = variables[name]
    return scheme?.type === 'apiKey' && variable !== undefined ? [`-H "${scheme.name}: $${variable}"`] : []
  })
}

function bodyOptions(body: RequestBody | undefined, example: Example): readonly string[] {
  const [[type, media] = []] = Object.entries(body?.content ?? {})
  if (type === undefined || media === undefined) return []
  if (type === 'multipart/form-data')
    return formOptions(media, example).map((part) => `-F ${inSingleQuotes(part)}`)
  if (type !== 'application/json')
    return [`-H 'content-type: application/octet-stream'`, '--data-binary @file']
  return [`-H 'content-type: application/json'`, `-d ${inSingleQuotes(toJson(example(media.schema ?? {})))}`]
}

/** Formats JSON on one line if it is short, else indented under the option. */
function toJson(value: unknown): string {
  const line = JSON.stringify(value)
  return line.length <= 72 ? line : JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')
}

function formOptions({ schema, encoding }: MediaType, example: Example): readonly string[] {
  const [[field, { contentType }] = ['file', { contentType: '' }]] = Object.entries(encoding ?? {})
  const texts = Object.keys(schema?.properties ?? {}).filter((name) => name !== field)
  return [
    `${field}=@file;type=${contentType.split(', ')[0]}`,
    ...texts.map((name) => `${name}=${String(example({ type: 'string' }, name))}`),
  ]
}

/** Also encodes characters that `encodeURIComponent` keeps but a shell interprets. */
const encode = (text: string): string => encodeURIComponent(text).replaceAll(/[!'()*]/g, toEscape)
const toEscape = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
const inDoubleQuotes = (text: string): string => text.replaceAll(/["\\$`]/g, '\\$&')
const inSingleQuotes = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
