import type { JsonSchema } from '../../../kernel/index.ts'
import type { MediaType, Operation, OperationMethod, RequestBody } from '../document.ts'
import type { Resolve } from '../parts.ts'
import { exampleOf } from './example.ts'

/** The credentials of an example, by security scheme; others are omitted. */
const credentials: Readonly<Record<string, string>> = {
  accessToken: '-H "x-access-token: $ORCHESTRATOR_ACCESS_TOKEN"',
  publishToken: '-H "x-publish-token: $PUBLISH_TOKEN"',
}

type Example = (schema: JsonSchema, name?: string) => unknown

/** A route of the API description. */
export type DescribedRoute = Readonly<{ path: string; method: OperationMethod; operation: Operation }>

/** Builds a command for a POSIX shell that calls a route with its minimal input. */
export function curlOf({ path, method, operation }: DescribedRoute, resolve: Resolve): string {
  const example: Example = (schema, name) => exampleOf(schema, resolve, name)
  const { security, requestBody } = operation
  const options = [
    ...(isStream(operation) ? ['-N'] : []),
    ...(method === 'get' ? [] : [`-X ${method.toUpperCase()}`]),
  ]
  const address = `"$ORCHESTRATOR_URL${toTarget(path, operation, example)}"`
  const headers = Object.keys(security[0] ?? {}).flatMap((name) => credentials[name] ?? [])
  return [['curl', ...options, address].join(' '), ...headers, ...bodyOptions(requestBody, example)].join(
    ' \\\n  ',
  )
}

const isStream = ({ responses }: Operation): boolean =>
  Object.values(responses).some(
    (response) => 'content' in response && response.content?.['text/event-stream'] !== undefined,
  )

/** Returns the path with its parameters, and query parameters that are required or have an example. */
function toTarget(path: string, { parameters = [] }: Operation, example: Example): string {
  let target = path
  const query = new URLSearchParams()
  for (const { name, in: where, required, schema } of parameters) {
    if (!required && schema.examples === undefined) continue
    const value = String(example(schema, name))
    if (where === 'path') target = target.replace(`{${name}}`, () => encodeURIComponent(value))
    if (where === 'query') query.append(name, value)
  }
  return query.size === 0 ? target : `${target}?${query}`
}

function bodyOptions(body: RequestBody | undefined, example: Example): readonly string[] {
  const [[type, media] = []] = Object.entries(body?.content ?? {})
  if (type === undefined || media === undefined) return []
  if (type === 'multipart/form-data')
    return formFields(media, example).map((part) => `-F ${inSingleQuotes(part)}`)
  if (type !== 'application/json')
    return [`-H 'content-type: application/octet-stream'`, '--data-binary @file']
  const value = example(media.schema ?? {})
  const line = JSON.stringify(value)
  const json = line.length <= 72 ? line : JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')
  return [`-H 'content-type: application/json'`, `-d ${inSingleQuotes(json)}`]
}

function formFields({ schema, encoding = {} }: MediaType, example: Example): readonly string[] {
  return Object.entries(schema?.properties ?? {}).map(([name, part]) => {
    const type = encoding[name]?.contentType.split(', ')[0]
    return type === undefined ? `${name}=${String(example(part, name))}` : `${name}=@file;type=${type}`
  })
}

const inSingleQuotes = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
