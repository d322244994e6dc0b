import {
  type Call,
  definePlugin,
  findJsonExcess,
  findJsonProblem,
  packageVersion,
} from '../../kernel/index.ts'
import { createOwnGate, mcpGate } from './gate.ts'
import type { Host } from './host.ts'
import { ownRoutes } from './routes.ts'
import type { Mcp, McpParts } from './server.ts'
import { serverName } from './settings.ts'
import { Failed } from './tools/tool.ts'
import { missing } from './refusals.ts'

const limits = { depth: 64, values: 100_000 }
const statuses = [200, 202, 400, 404, 406, 415, 500] as const
const codes = { parse: -32_700, invalid: -32_600, server: -32_000 } as const

/** A protocol error without a message id. */
const errorBody = (code: number, message: string) => ({
  jsonrpc: '2.0' as const,
  error: { code, message },
  id: null,
})

/** The answer to other HTTP methods. */
export const onlyPost = {
  status: 405,
  headers: { allow: 'POST' },
  body: errorBody(codes.server, 'Method not allowed. Send messages with POST.'),
} as const

/** Answers the single message in a request body; other bodies get 400 and a protocol error. */
export async function answerMessage(
  load: () => Promise<Mcp>,
  host: Host,
  { body, headers, signal }: Message,
) {
  // Not parsed: a batch may have thousands of messages.
  if (isList(body)) return refuse(codes.invalid, 'Batches are not supported. Send one message per request.')
  const message = readMessage(body)
  if (typeof message === 'string') return refuse(codes.parse, message)
  const mcp = await load()
  const response = await mcp.answer(
    host,
    new Request('http://localhost/mcp', { method: 'POST', headers, signal }),
    message,
  )
  const status = statuses.find((each) => each === response.status) ?? 500
  const type = response.headers.get('content-type')
  const named: Readonly<Record<string, string>> = type === null ? {} : { 'content-type': type }
  const answered = { ...named, 'cache-control': 'no-store' }
  return { status, headers: answered, body: response.body ?? new Uint8Array() }
}

type Message = Pick<Call, 'headers' | 'signal'> & { readonly body: Uint8Array }

function refuse(code: number, message: string) {
  const body = new TextEncoder().encode(JSON.stringify(errorBody(code, message)))
  return { status: 400, headers: { 'content-type': 'application/json' }, body } as const
}

const blank = 0x20
const openingBracket = 0x5b

const isList = (bytes: Uint8Array): boolean => bytes.find((byte) => byte > blank) === openingBracket

/** Parses a message, or returns the problem. */
function readMessage(bytes: Uint8Array): object | string {
  if (findJsonExcess(bytes, limits)) return 'The body is nested too deeply or holds too many values.'
  try {
    const message: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const problem = findJsonProblem(message, limits)
    if (problem !== undefined) return problem
    return typeof message === 'object' && message !== null ? message : 'The body is not a protocol message.'
  } catch {
    return 'The body is not JSON in UTF-8.'
  }
}

/** Loads the protocol on first use. Refuses with 503 `mcp_missing` if its package is not installed. */
export function createLoader(parts: McpParts): () => Promise<Mcp> {
  let loading: Promise<Mcp> | undefined
  return async () => {
    try {
      return await (loading ??= import('./server.ts').then(({ createMcp }) => createMcp(parts)))
    } catch (error) {
      loading = undefined
      throw error instanceof Failed ? missing(error.message) : error
    }
  }
}

/** Creates a plugin for a separate MCP server, whose tools use a remote host. */
export function ownServer({
  host,
  bearer,
  hosts,
  origins,
  ...parts
}: McpParts & Parameters<typeof createOwnGate>[0] & { readonly host: Host }) {
  return definePlugin({
    name: 'mcp-server',
    tag: 'Agent',
    gives: { gate: mcpGate },
    routes: ownRoutes,
  }).setup(() => {
    const load = createLoader(parts)
    return {
      gives: { gate: createOwnGate({ bearer, hosts, origins }) },
      handlers: {
        message: (call) => answerMessage(load, host, call),
        listen: () => onlyPost,
        leave: () => onlyPost,
        healthz: () => ({ status: 200, body: { ok: true, name: serverName, version: packageVersion } }),
      },
    }
  })
}
