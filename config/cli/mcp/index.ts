import { Writable } from 'node:stream'
import { createLogger, type Logger, mount, use } from '../../../kernel/index.ts'
import type { Host } from '../../../plugins/mcp/host.ts'
import { ownServer } from '../../../plugins/mcp/http.ts'
import { createMcp } from '../../../plugins/mcp/server.ts'
import { type ToolSettings, toToolSettings } from '../../../plugins/mcp/settings.ts'
import { Failed } from '../../../plugins/mcp/tools/tool.ts'
import { secretValues } from '../../secrets.ts'
import { CommandError, defineCommand, type Io } from '../shared/command.ts'
import { createDrainingServer, stopOnSignal } from '../shared/server.ts'
import { createRemoteHost } from './remote-host.ts'
import { type McpVariables, readVariables } from './variables.ts'

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Gives agents the tools of an orchestrator, over standard input and output, until the input ends.',
  flags: { http: { help: 'Listens on a port instead: MCP_PORT, else 4300. Needs MCP_BEARER_TOKEN.' } },
  async run(given, io) {
    const environment = io.environment()
    const env = readVariables(environment)
    // Standard output belongs to the protocol.
    const log = createLogger({ level: env.ORCHESTRATOR_LOG_LEVEL, secrets: secretValues(environment), destination: { write: (line) => io.printError(line.trimEnd()) } })
    const settings = toToolSettings(env, { hasPublishToken: env.PUBLISH_TOKEN !== undefined })
    const host = createRemoteHost(env, log)
    if (!given.has('http')) return serveStreams(host, settings, log, io)
    const { port, stop } = await serveHttp(host, settings, env, log)
    io.printError(`The MCP server listens at http://${env.MCP_HOST}:${port}/mcp.`)
    await stopOnSignal(stop)
  },
})

/** Serves one host over the streams of this process, until its input ends or a signal comes. */
async function serveStreams(host: Host, settings: ToolSettings, log: Logger, io: Io): Promise<void> {
  const { serve } = await createMcp({ settings, log }).catch((error: unknown) => {
    throw error instanceof Failed ? new CommandError(error.message) : error
  })
  const output = new Writable({
    decodeStrings: false,
    write(text, _, done) {
      io.write(String(text))
      done()
    },
  })
  const { ended, close } = await serve(host, io.stdin, output)
  await Promise.race([ended, stopOnSignal(close)])
  await close()
}

/** Milliseconds that running calls have to finish. */
const drainFor = 5_000

/** An MCP server on a port of its own. */
export interface Serving {
  readonly port: number
  stop(): Promise<void>
}

/** Starts it. Refuses to without a bearer, as a CommandError. */
export async function serveHttp(host: Host, settings: ToolSettings, env: McpVariables, log: Logger): Promise<Serving> {
  const { MCP_BEARER_TOKEN: bearer, MCP_ALLOWED_HOSTS: hosts, MCP_ALLOWED_ORIGINS: origins } = env
  if (bearer === undefined) throw new CommandError('MCP_BEARER_TOKEN is not set: hosts show it to this server. Set it to at least 32 random characters.')
  const plugin = ownServer({ host, bearer, hosts, origins, settings, log })
  const mounted = mount({ shape: 'standalone', plugins: [use(plugin)], env: {}, log, origins: { origins } })
  await mounted.ready()
  const server = createDrainingServer(mounted.node, (err) => log.error({ err }, 'answer aborted by an error'))
  const port = await server.listen(env.MCP_PORT, env.MCP_HOST)
  return { port, stop: () => server.stop(() => mounted.close(), drainFor) }
}
