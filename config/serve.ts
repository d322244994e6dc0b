import {
  createAccessLog,
  createLogger,
  give,
  mount,
  systemClock,
  type KernelOptions,
  type Logger,
} from '../kernel/index.ts'
import { allowedOrigins } from '../plugins/auth/port.ts'
import { addressOf, banner, dataPlace } from './banner.ts'
import { createDrainingServer } from './drain.ts'
import type { Demo } from './demo.ts'
import { publicOriginOf, toOriginRules, toServerEnvironment } from './effective.ts'
import type { Environment } from './env.ts'
import type { Io } from './io.ts'
import type { Resolved } from './resolve.ts'
import { secretValues } from './secrets.ts'
import type { Settings } from './settings.ts'
import { toTerminalLines } from './terminal-log.ts'
import { warnAbout } from './warnings.ts'

export interface ServeOptions {
  readonly settings: Settings
  readonly plugins: readonly Resolved[]
  readonly env: Environment
  /** Starts the demo site beside the service. */
  readonly demo: boolean
  readonly io: Pick<Io, 'write' | 'line' | 'isTerminal' | 'paint'>
}

/** A server of its own that is up. */
export interface Serving {
  readonly port: number
  readonly log: Logger
  /**
   * Lets running requests finish for at most ten seconds, closes the plugins in reverse order, and resolves
   * when all is closed.
   */
  stop(): Promise<void>
}

/**
 * Starts a server of its own, and tells where it is: on a terminal in lines for people, elsewhere in its
 * log.
 *
 * It listens before the plugins are set up, so that a port in use is told before anything else is touched;
 * a request that comes so early waits. Throws a BootError when it cannot start, and leaves nothing behind
 * then.
 */
export async function serve({
  settings: chosen,
  plugins,
  env: given,
  demo,
  io,
}: ServeOptions): Promise<Serving> {
  const write = (lines: string): void => io.write(io.isTerminal ? toTerminalLines(lines, io.paint) : lines)
  const log = createLogger({
    level: chosen.logLevel.value,
    secrets: secretValues(given),
    destination: { write },
  })
  const { promise: options, resolve, reject } = Promise.withResolvers<KernelOptions>()
  const mounted = mount(() => options)
  const server = createDrainingServer(mounted.node, (err) => log.error({ err }, 'answer broke off'))
  const port = await server.listen(chosen.port.value, chosen.host.value)

  let site: Demo | undefined
  try {
    if (demo) site = await startDemoSite({ port, dataDir: chosen.dataDir.value, env: given, log })
    const settings = site ? withOrigin(chosen, site.origin) : chosen
    const env = toServerEnvironment({ ...site?.variables, ...given }, settings, port)
    const origins = toOriginRules(settings, port)
    const access = isChatty(settings)
      ? { access: createAccessLog(write, () => systemClock.now().getTime()) }
      : {}
    resolve({
      shape: 'standalone',
      plugins,
      seeds: [give(allowedOrigins, origins.origins)],
      env,
      log,
      origins,
      ...access,
    })
    const routes = await mounted.ready()
    await site?.register().catch((err: unknown) => log.warn({ err }, 'demo site could not be registered'))

    if (io.isTerminal) {
      for (const line of banner({ settings, port, env, plugins, routes, demoSite: site?.origin }))
        io.line(line)
    }
    log.info(
      {
        address: addressOf(settings, port),
        publicOrigin: publicOriginOf(settings, port),
        data: dataPlace(settings, env, plugins),
      },
      'listening',
    )
    warnAbout({ settings, env, plugins, routes, isAnyHost: origins.hosts === undefined, log })
  } catch (error) {
    reject(error)
    await options.catch(() => undefined)
    await server.stop(() => mounted.close().catch(() => undefined), 0)
    await site?.close()
    throw error
  }

  const stop = async (): Promise<void> => {
    await server.stop(() => mounted.close())
    await site?.close()
    log.info('stopped')
  }
  let stopped: Promise<void> | undefined
  return { port, log, stop: () => (stopped ??= stop()) }
}

/** Imported on demand: the demo site brings what a service for real sites never needs. */
async function startDemoSite(options: {
  readonly port: number
  readonly dataDir: string
  readonly env: Environment
  readonly log: Logger
}): Promise<Demo> {
  const { startDemo } = await import('./demo.ts')
  return startDemo(options)
}

const withOrigin = (settings: Settings, origin: string): Settings => ({
  ...settings,
  origins: { ...settings.origins, value: [...settings.origins.value, origin] },
})

const isChatty = ({ logLevel }: Settings): boolean => ['trace', 'debug', 'info'].includes(logLevel.value)
