import {
  Client,
  type jsonSchemaValidator,
  type JsonSchemaValidator,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { createRemoteHost, loadToolRoutes, readVariables, serveHttp } from '../../config/cli/mcp.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { type JsonSchema, toJsonSchema } from '../../kernel/index.ts'
import { repliesOf, toToolSettings } from '../../plugins/mcp/index.ts'
import { compileCache } from './environment.ts'
import { serve, type TeardownTest } from './raw.ts'
import { temporaryFolder } from './stack.ts'

export const bearer = 'a-bearer-for-hosts-of-at-least-32-characters'
export const [access, publish] = ['canary-access-token-0123456789', 'canary-publish-token-0123456789']
export const cli = fileURLToPath(new URL('../../config/cli/bin.ts', import.meta.url))

/** The two generations of the protocol. */
export type Era = 'legacy' | 'auto'

/** The variables of a standalone MCP server that calls an orchestrator at this address. */
export const ownVariables = (orchestrator: string) => ({
  MCP_SITE_ID: 'acme',
  MCP_TOOLS: 'all',
  MCP_PORT: '0',
  MCP_BEARER_TOKEN: bearer,
  ORCHESTRATOR_URL: `${orchestrator}/`,
  ORCHESTRATOR_ACCESS_TOKEN: access,
  PUBLISH_TOKEN: publish,
})

/** Starts a standalone MCP server. */
export async function startOwn(
  t: TeardownTest,
  orchestrator: string,
  more: Readonly<Record<string, string>> = {},
) {
  const { log, lines } = capturedLog()
  const env = readVariables({ ...ownVariables(orchestrator), ...more })
  const settings = toToolSettings(env, { hasPublishToken: true })
  const { port, stop } = await serveHttp(await createRemoteHost(env), settings, env, log)
  t.teardown(stop)
  const origin = `http://127.0.0.1:${port}`
  return { origin, address: `${origin}/mcp`, lines }
}

const ajv = new AjvJsonSchemaValidator()
const compiled = new Map<string, JsonSchemaValidator<never>>()
/** The clients share validators: those of all tools take long to compile. */
const sharing: jsonSchemaValidator = {
  getValidator(schema) {
    const text = JSON.stringify(schema)
    const validator = compiled.get(text) ?? ajv.getValidator<never>(schema)
    compiled.set(text, validator)
    return validator
  },
}

const createClient = (mode: Era): Client =>
  new Client({ name: 'a-host', version: '1' }, { versionNegotiation: { mode }, jsonSchemaValidator: sharing })

/** A client of the official library, over HTTP on a real socket. */
export async function connect(
  t: TeardownTest,
  address: string,
  {
    era = 'auto',
    headers = { authorization: `Bearer ${bearer}` },
  }: { readonly era?: Era; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Client> {
  const client = createClient(era)
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }))
  t.teardown(() => client.close())
  return client
}

/** The environment of a process of the command. */
export function commandEnvironment(more: Readonly<Record<string, string>>): Record<string, string> {
  const { PATH = '', NODE_V8_COVERAGE } = process.env
  const coverage = NODE_V8_COVERAGE !== undefined && { NODE_V8_COVERAGE }
  return { PATH, ...coverage, ...compileCache(), MCP_SITE_ID: 'acme', ...more }
}

/** A client of the command `mcp` in a child process. */
export async function spawnHost(t: TeardownTest, env: Readonly<Record<string, string>>, era: Era = 'auto') {
  const client = createClient(era)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'mcp'],
    cwd: temporaryFolder(t),
    env: commandEnvironment(env),
    stderr: 'pipe',
  })
  let complaints = ''
  transport.stderr?.on('data', (chunk: Buffer) => (complaints += String(chunk)))
  await client.connect(transport)
  t.teardown(() => client.close())
  return { client, complaints: () => complaints }
}

/** One request that a stub received; a form as its file. */
export interface Recorded {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
}

export interface StubAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent unchanged; the default is a minimal valid answer of the route. */
  readonly body?: unknown
  /** Never answers; the connection stays open. */
  readonly hangs?: true
}

const schemas = await Promise.all(
  [...repliesOf(await loadToolRoutes())].map(
    async ([route, reply]) => [route, await toJsonSchema(reply, 'output')] as const,
  ),
)
const samples = new Map(schemas.map(([route, schema]) => [route, sampleOf(schema)]))

/** A minimal value of a schema. */
function sampleOf(schema: JsonSchema): unknown {
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return sampleOf(schema.anyOf[0] ?? {})
  if (schema.type === 'array') return []
  if (schema.type === 'object')
    return Object.fromEntries(
      (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]),
    )
  return schema.type === 'string'
    ? 'x'
    : schema.type === 'boolean'
      ? true
      : schema.type === undefined
        ? {}
        : 1
}

/** A valid answer of a route, with these fields. */
export const sample = (route: string, fields: object = {}): object => ({
  ...Object(samples.get(route)),
  ...fields,
})

/** An orchestrator that records requests and answers as configured, by path. */
export async function startStub(t: TeardownTest, answers: Record<string, StubAnswer> = {}) {
  const seen: Recorded[] = []
  const closed: string[] = []
  const origin = await serve(t, async (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const bytes = await buffer(request)
    seen.push({
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: await bodyOf(bytes, request.headers['content-type']),
    })
    const {
      status = 200,
      headers = {},
      body = sample(`${request.method} ${path}`),
      hangs,
    } = answers[path] ?? {}
    response.once('close', () => void (response.writableFinished || closed.push(path)))
    if (hangs) return
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return { origin, seen, closed, answers }
}

async function bodyOf(bytes: Buffer, type = ''): Promise<unknown> {
  if (bytes.length === 0) return undefined
  if (!type.startsWith('multipart/')) return JSON.parse(bytes.toString())
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  return Object.fromEntries(
    await Promise.all(
      [...form].map(async ([name, value]) => [
        name,
        typeof value === 'string' ? value : { name: value.name, type: value.type, text: await value.text() },
      ]),
    ),
  )
}

const Result = v.object({
  content: v.array(
    v.looseObject({
      type: v.string(),
      text: v.optional(v.string()),
      data: v.optional(v.string()),
      mimeType: v.optional(v.string()),
    }),
  ),
  isError: v.optional(v.boolean(), false),
  structuredContent: v.optional(v.unknown()),
})

/** Calls a tool; returns its first text, whether it failed, and the complete content. */
export async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError, structuredContent } = v.parse(
    Result,
    await client.callTool({ name: `orchestrator-${name}`, arguments: args }),
  )
  return {
    text: content[0]?.text ?? '',
    isError,
    content,
    structuredContent,
    json: (): unknown => JSON.parse(content[0]?.text ?? ''),
  }
}
