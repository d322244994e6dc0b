import { Writable } from 'node:stream'
import { createLogger, type Logger } from '../../../kernel/index.ts'
import type { Host } from '../../../plugins/mcp/host.ts'
import { createMcp } from '../../../plugins/mcp/server.ts'
import { type ToolSettings, toToolSettings } from '../../../plugins/mcp/settings.ts'
import { Failed } from '../../../plugins/mcp/tools/tool.ts'
import { secretValues } from '../../secrets.ts'
import { CommandError, defineCommand, type Io } from '../shared/command.ts'
import { stopOnSignal } from '../shared/signals.ts'
import { createRemoteHost } from './remote-host.ts'
import { serveHttp } from './serve-http.ts'
import { readVariables } from './variables.ts'

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
    return 0
  },
})

/** Serves one host over the streams of this process, until its input ends or a signal comes. */
async function serveStreams(host: Host, settings: ToolSettings, log: Logger, io: Io): Promise<number> {
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
  return 0
}
