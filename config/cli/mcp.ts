import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import * as v from 'valibot'
import { createLogger, type Logger, mount, Refusal, type RouteSpec, use } from '../../kernel/index.ts'
import { createLoader, ownServer } from '../../plugins/mcp/http.ts'
import {
  type Host,
  type HttpRequest,
  NoService,
  repliesOf,
  type ToolSettings,
  toToolSettings,
  ToolVariables,
} from '../../plugins/mcp/index.ts'
import { importBuiltin } from '../builtins.ts'
import type { Environment } from '../env.ts'
import { secretValues } from '../secrets.ts'
import { orchestratorAddress } from '../site-environment.ts'
import { Host as HostName, HostNames, LogLevel, Origins, Port, toAddress } from '../values.ts'
import { CommandError, defineCommand, type Io } from './shared/command.ts'
import { callHttp, NoAnswer } from './shared/http.ts'
import { createDrainingServer, untilStopped } from './shared/server.ts'

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Gives agents the tools of an orchestrator, over standard input and output, until the input ends.',
  flags: { http: { help: 'Listens on a port instead: MCP_PORT, else 4300. Needs MCP_BEARER_TOKEN.' } },
  async run(given, io) {
    const environment = io.environment()
    const env = readVariables(environment)
    // Standard output is reserved for the protocol.
    const destination = { write: (line: string) => io.printError(line.trimEnd()) }
    const secrets = secretValues(environment)
    const log = createLogger({ level: env.ORCHESTRATOR_LOG_LEVEL, secrets, destination })
    const settings = toToolSettings(env, { hasPublishToken: env.PUBLISH_TOKEN !== undefined })
    if (!given.has('http')) {
      const isWanted = hasMessage(io.stdin)
      const served = serveStreams(env, settings, log, io)
      return Promise.race([served, isWanted.then((wanted) => (wanted ? served : undefined))])
    }
    const stopped = untilStopped()
    const { port, stop } = await serveHttp(await createRemoteHost(env), settings, env, log)
    io.printError(`The MCP server listens at http://${env.MCP_HOST}:${port}/mcp.`)
    await stopped
    await stop()
  },
})

const secret = v.optional(v.pipe(v.string(), v.trim()))
/** The variables of the command, in addition to those of `/mcp`. */
const Variables = v.object({
  ...ToolVariables.entries,
  MCP_PORT: v.optional(Port, '4300'),
  MCP_HOST: v.optional(HostName, '127.0.0.1'),
  MCP_ALLOWED_ORIGINS: v.optional(Origins, ''),
  MCP_ALLOWED_HOSTS: v.optional(HostNames, ''),
  ORCHESTRATOR_LOG_LEVEL: v.optional(LogLevel, 'warn'),
  ORCHESTRATOR_ACCESS_TOKEN: secret,
  PUBLISH_TOKEN: secret,
})
type McpVariables = ReturnType<typeof readVariables>

/** Reads the variables. Throws a CommandError that names all missing or invalid ones, but no values. */
export function readVariables(env: Environment) {
  const { success, output, issues = [] } = v.safeParse(Variables, env)
  const orchestrator = toAddress(orchestratorAddress(env))
  const siteId = env['MCP_SITE_ID']
  if (success && siteId && orchestrator !== undefined) return { ...output, MCP_SITE_ID: siteId, orchestrator }
  throw new CommandError(
    [
      !siteId && 'MCP_SITE_ID is not set: set it to the id of the site that the tools work on.',
      !orchestrator && 'ORCHESTRATOR_URL: expected an address such as https://orchestrator.example',
      ...issues.map((issue) => `${v.getDotPath(issue) ?? 'the environment'}: ${issue.message}`),
    ]
      .filter(Boolean)
      .join('\n'),
  )
}

/** The plugins whose routes the tools call. */
const called = [
  'media-audio',
  'chat',
  'checks',
  'draft',
  'draft-history',
  'media-generation',
  'media-interpretation',
  'media',
  'media-usage',
  'draft-ops',
  'preview',
  'publish',
  'publish-restore',
  'sessions',
  'sites',
  'media-unsplash',
] as const

/** The routes that the tools call, for an orchestrator elsewhere. */
export const loadToolRoutes = async (): Promise<readonly RouteSpec[]> =>
  (await Promise.all(called.map(importBuiltin))).flatMap(({ routes }) => Object.values(routes))

/** Longer than the timeout of any tool. */
const timeoutMs = 200_000
const maxBytes = 64 * 1024 * 1024

/** Adapts a remote orchestrator as a host of tools. The credentials of the operator are sent only to it. */
export async function createRemoteHost(env: McpVariables): Promise<Host> {
  const replies = repliesOf(await loadToolRoutes())
  const { orchestrator, MCP_SITE_ID: siteId, MCP_SESSION: session } = env
  const { ORCHESTRATOR_ACCESS_TOKEN: accessToken, PUBLISH_TOKEN: publishToken } = env

  const send = async ({ method, url, headers, content, publishes, signal }: HttpRequest) => {
    const answer = await callHttp(new URL(orchestrator + url), {
      method,
      headers: {
        ...headers,
        ...(content && { 'content-type': content.type }),
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
        ...(publishes && publishToken !== undefined && { 'x-publish-token': publishToken }),
      },
      body: content?.bytes,
      signal,
      timeoutMs,
      maxBytes,
    }).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error
      throw new NoService(`${orchestrator} ${error.message}; start it, or name another in ORCHESTRATOR_URL`)
    })
    return { status: answer.status, headers: answer.headers, text: new TextDecoder().decode(answer.bytes) }
  }

  return {
    siteId,
    session,
    secrets: [accessToken, publishToken, env.MCP_BEARER_TOKEN].filter((value) => value !== undefined),
    replyOf: (route) => replies.get(route),
    send,
  }
}

/** Serves one host over the streams of this process, until its input ends or a signal arrives. */
async function serveStreams(env: McpVariables, settings: ToolSettings, log: Logger, io: Io): Promise<void> {
  const host = await createRemoteHost(env)
  const { serve } = await createLoader({ settings, log })().catch((error: unknown) => {
    throw error instanceof Refusal ? new CommandError(error.reason) : error
  })
  const output = new PassThrough({ encoding: 'utf8' }).on('data', (text: string) => io.write(text))
  const { ended, close } = await serve(host, io.stdin, output)
  await Promise.race([ended, untilStopped()])
  await close()
}

/**
 * Resolves with the first bytes of the input, which stay in its buffer, or with its end: `false` if that came
 * first. The start of the command takes seconds on a busy machine, and its host may have gone by then.
 */
const hasMessage = (input: Readable): Promise<boolean> =>
  once(input, 'readable').then(
    () => input.readableLength > 0 || input.readableDidRead,
    () => false,
  )

/** Milliseconds for running calls to finish. */
const drainMs = 5_000

/** Starts an MCP server on a separate port. Throws a CommandError without a bearer. */
export async function serveHttp(host: Host, settings: ToolSettings, env: McpVariables, log: Logger) {
  const { MCP_BEARER_TOKEN: bearer, MCP_ALLOWED_HOSTS: hosts, MCP_ALLOWED_ORIGINS: origins } = env
  if (bearer === undefined) {
    const remedy = 'Set it to at least 32 random characters.'
    throw new CommandError(`MCP_BEARER_TOKEN is not set: hosts show it to this server. ${remedy}`)
  }
  const plugin = ownServer({ host, bearer, hosts, origins, settings, log })
  const mounted = mount({ shape: 'standalone', plugins: [use(plugin)], env: {}, log, origins: { origins } })
  await mounted.ready()
  const server = createDrainingServer(mounted.node, (err) => log.error({ err }, 'answer aborted by an error'))
  const port = await server.listen(env.MCP_PORT, env.MCP_HOST)
  return { port, stop: () => server.stop(() => mounted.close(), drainMs) }
}
