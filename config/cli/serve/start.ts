import {
  createAccessLog,
  createLogger,
  give,
  mount,
  systemClock,
  type KernelOptions,
  type Logger,
} from '../../../kernel/index.ts'
import { version } from '../../../kernel/package-info.ts'
import { allowedOrigins, draftWatcher } from '../../../plugins/auth/port.ts'
import { ownCommand } from '../../../plugins/sites-agent/port.ts'
import { addressOf, banner, dataPlace } from './banner.ts'
import { createDrainingServer } from '../shared/drain.ts'
import type { Demo, DemoOptions } from './demo.ts'
import { publicOriginOf, toOriginRules, toServerEnvironment } from '../../effective.ts'
import type { Environment } from '../../env.ts'
import { createFrontPage } from './front-page.ts'
import type { Io } from '../shared/io.ts'
import { listenNear } from './listen-near.ts'
import type { Resolved } from '../../resolve.ts'
import { secretValues } from '../../secrets.ts'
import type { Settings } from '../../settings.ts'
import { toTerminalLines } from './terminal-log.ts'
import { warnAbout } from './warnings.ts'

export interface ServeOptions {
  readonly settings: Settings
  readonly plugins: readonly Resolved[]
  readonly env: Environment
  /** Starts the demo site beside the service. */
  readonly demo: boolean
  /** The folder of a built editor to serve beside the API, as `openEditorFolder` gives it. */
  readonly editor?: string | undefined
  readonly io: Pick<Io, 'write' | 'line' | 'isTerminal' | 'paint' | 'command'>
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
  editor,
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
  const mayMove = editor !== undefined && chosen.port.source === 'default'
  const wanted = [chosen.port.value, chosen.host.value] as const
  const port = await (mayMove ? listenNear(server, ...wanted) : server.listen(...wanted))

  let site: Demo | undefined
  try {
    if (demo) {
      const publicOrigin = publicOriginOf(chosen, port)
      const env = { ...given, ORCHESTRATOR_PUBLIC_ORIGIN: publicOrigin }
      site = await startDemoSite({ port, origins: [publicOrigin, ...chosen.origins.value], dataDir: chosen.dataDir.value, env, log })
    }
    const settings = site ? withOrigin(chosen, site.origin) : chosen
    const env = toServerEnvironment({ ...site?.variables, ...given }, settings, port)
    const rules = toOriginRules(settings, port)
    // The page of the editor calls the address that it is told, which may not be the name it was opened by.
    const origins = editor === undefined ? rules : { ...rules, origins: [...rules.origins, publicOriginOf(settings, port)] }
    const access = isChatty(settings)
      ? { access: createAccessLog(write, () => systemClock.now().getTime()) }
      : {}
    resolve({
      shape: 'standalone',
      plugins,
      seeds: [give(allowedOrigins, origins.origins), ...(site ? [give(draftWatcher, site.watcherOf)] : []), ...(io.command ? [give(ownCommand, io.command)] : [])],
      env,
      log,
      origins,
      ...access,
      fallback: editor === undefined ? createFrontPage : await createFallback(editor, publicOriginOf(settings, port)),
    })
    const routes = await mounted.ready()
    await site?.register().catch((err: unknown) => log.warn({ err }, 'demo site could not be registered'))

    if (io.isTerminal) {
      for (const line of banner({ settings, port, env, plugins, routes, demoSite: site?.origin, hasEditor: editor !== undefined }))
        io.line(line)
    }
    if (mayMove && port !== chosen.port.value) {
      log.warn({ wanted: chosen.port.value, port }, 'the usual port is in use, listening on the next free one')
    }
    log.info(
      {
        address: addressOf(settings, port),
        publicOrigin: publicOriginOf(settings, port),
        ...(site && { demoSite: site.origin }),
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

/** Imported on demand: a service without an editor needs nothing of it. */
async function createFallback(root: string, orchestratorUrl: string): Promise<NonNullable<KernelOptions['fallback']>> {
  const { createEditor } = await import('./editor/index.ts')
  const settings = { orchestratorUrl, version }
  return (routes) => createEditor({ root, settings, routes })
}

/** Imported on demand: the demo site brings what a service for real sites never needs. */
async function startDemoSite(options: DemoOptions): Promise<Demo> {
  const { startDemo } = await import('./demo.ts')
  return startDemo(options)
}

const withOrigin = (settings: Settings, origin: string): Settings => ({
  ...settings,
  origins: { ...settings.origins, value: [...settings.origins.value, origin] },
})

const isChatty = ({ logLevel }: Settings): boolean => ['trace', 'debug', 'info'].includes(logLevel.value)
