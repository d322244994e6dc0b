import { type Logger, mount, use } from '../../../kernel/index.ts'
import type { Host } from '../../../plugins/mcp/host.ts'
import { ownServer } from '../../../plugins/mcp/http.ts'
import type { ToolSettings } from '../../../plugins/mcp/settings.ts'
import { CommandError } from '../shared/command.ts'
import { createDrainingServer } from '../shared/server.ts'
import type { McpVariables } from './variables.ts'

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
