import { setTimeout as pause } from 'node:timers/promises'
import {
  BootError,
  createAccessLog,
  createLogger,
  createRedactor,
  give,
  mount,
  redactor,
  systemClock,
  type KernelOptions,
} from '../../../kernel/index.ts'
import { version } from '../../../kernel/package-info.ts'
import { allowedOrigins } from '../../../plugins/auth/port.ts'
import { installation, leaving } from '../../../plugins/health/port.ts'
import { ownCommand } from '../../../plugins/agents/onboarding/port.ts'
import type { Assembly } from '../../assemble.ts'
import { missingPackages } from '../../optional-packages.ts'
import { secretValues } from '../../secrets.ts'
import { publicOriginOf, toOriginRules, toServerEnvironment, type Settings } from '../../settings.ts'
import type { Io } from '../shared/command.ts'
import { databaseOf } from '../shared/database.ts'
import { createDrainingServer, listenNear } from '../shared/server.ts'
import { addressOf, banner, refuseExposed, toTerminalLines, warnIfUnsafe } from './announce.ts'
import { createFrontPage } from './front-page.ts'
import { behind, type Listening, type OpenWebsite, type OwnWebsite, upgradesOf } from './own-website.ts'

interface Installed extends Pick<Assembly, 'settings' | 'env' | 'plugins'> {}

interface ServeOptions extends Installed {
  /** Starts the website that this server runs as well. */
  readonly website?: OpenWebsite | undefined
  /** The folder of a built editor to serve, as returned by `openEditorFolder`. */
  readonly editor?: string | undefined
  /** Whether the next free port may take the place of the default one. */
  readonly mayMove?: boolean
  /** Starts without a credential where others reach the server, also in production. */
  readonly insecure?: boolean
  readonly io: Pick<Io, 'write' | 'print' | 'isTerminal' | 'paint' | 'command'>
}

/**
 * Starts a standalone server. It listens before the plugins are set up, to report a port in use before
 * anything else is touched; requests wait for the start. Throws a BootError if it cannot start, and leaves
 * nothing behind.
 */
export async function serve({
  settings: chosen,
  env: given,
  plugins,
  website,
  editor,
  mayMove = editor !== undefined,
  insecure = false,
  io,
}: ServeOptions) {
  if (!insecure) refuseExposed({ settings: chosen, env: given, plugins })
  const missing = missingPackages(given)
  if (missing.length > 0) throw new BootError(missing)
  const write = (lines: string): void => io.write(io.isTerminal ? toTerminalLines(lines, io.paint) : lines)
  const log = createLogger({
    level: chosen.logLevel.value,
    secrets: secretValues(given),
    destination: { write },
  })
  const { promise: options, resolve, reject } = Promise.withResolvers<KernelOptions>()
  const mounted = mount(() => options)
  let site: OwnWebsite | undefined
  const server = createDrainingServer(
    website ? behind(() => site?.front, mounted.node) : mounted.node,
    (err) => log.error({ err }, 'answer aborted by an error'),
  )
  const isMovable = mayMove && chosen.port.source === 'default'
  const wanted = [chosen.port.value, chosen.host.value] as const
  const port = await (isMovable ? listenNear(server, ...wanted) : server.listen(...wanted))
  const publicOrigin = publicOriginOf(chosen, port)

  let isLeaving = false
  try {
    site = await website?.({ settings: chosen, env: given, port, publicOrigin, log })
    if (site?.front) server.onUpgrade(upgradesOf(site.front))
    const installed = { settings: chosen, env: given, plugins }
    const { settings, admitted, ...rest } = await kernelOptions(installed, {
      port,
      publicOrigin,
      editor,
      site,
      command: io.command,
      isLeaving: () => isLeaving,
    })
    const isVerbose = ['trace', 'debug', 'info'].includes(settings.logLevel.value)
    resolve({
      ...rest,
      log,
      origins: admitted,
      ...(isVerbose && { access: createAccessLog(write, () => systemClock.now().getTime(), probes) }),
    })
    const routes = await mounted.ready()

    const demoSite = site?.front ? undefined : site?.origin
    const started = {
      settings,
      port,
      env: rest.env,
      plugins,
      routes,
      demoSite,
      hasEditor: editor !== undefined,
    }
    if (io.isTerminal) for (const line of banner(started)) io.print(line)
    if (isMovable && port !== chosen.port.value)
      log.warn(
        { wanted: chosen.port.value, port },
        'the default port is in use, listening on the next free one',
      )
    const places = { ...(site && { demoSite }), data: databaseOf(started).place }
    log.info({ address: addressOf(started), publicOrigin, ...places }, 'listening')
    warnIfUnsafe(started, admitted.hosts === undefined, log)
  } catch (error) {
    reject(error)
    await options.catch(() => undefined)
    await server.stop(() => mounted.close().catch(() => undefined), 0)
    await site?.close()
    throw error
  }

  return {
    port,
    log,
    get: mounted.get,
    /**
     * Announces the end to proxies for as long as it is set, waits at most ten seconds for running requests,
     * then closes the plugins in reverse order.
     */
    async stop(): Promise<void> {
      isLeaving = true
      // Connections stay open meanwhile: a new one that arrives as the listener closes would be reset.
      await pause(chosen.drainSeconds.value * 1000)
      await server.stop(() => mounted.close())
      await site?.close()
      log.info('stopped')
    },
  }
}

/** Proxies and supervisors ask these all the time. */
const probes = ['/livez', '/readyz']

interface Served extends Pick<Listening, 'port' | 'publicOrigin'> {
  readonly editor: string | undefined
  readonly site: OwnWebsite | undefined
  readonly command: Io['command']
  readonly isLeaving: () => boolean
}

/** The options of the kernel behind the port, with the settings and origins that a website adds to. */
async function kernelOptions(
  { settings: chosen, env: given, plugins }: Installed,
  { port, publicOrigin, editor, site, command, isLeaving }: Served,
) {
  const origins = [...chosen.origins.value, ...(site ? [site.origin] : [])]
  const settings: Settings = { ...chosen, origins: { ...chosen.origins, value: origins } }
  const env = toServerEnvironment({ ...site?.variables, ...given }, settings, port)
  const listed = toOriginRules(settings, port)
  const rules = site ? { ...listed, usual: [...(listed.usual ?? []), site.origin] } : listed
  // The editor page calls the configured address, which may differ from the name by which it was opened.
  const admitted = editor === undefined ? rules : { ...rules, origins: [...rules.origins, publicOrigin] }
  return {
    settings,
    env,
    admitted,
    shape: 'standalone' as const,
    plugins: [...plugins, ...(site?.plugins ?? [])],
    seeds: [
      give(allowedOrigins, admitted.origins),
      give(redactor, createRedactor(secretValues(env))),
      give(leaving, isLeaving),
      ...(site?.seeds ?? []),
      give(installation, async () => {
        const { checkSettings } = await import('../doctor/checklist.ts')
        return checkSettings({ env, settings, plugins, shape: 'standalone' })
      }),
      ...(command ? [give(ownCommand, command)] : []),
    ],
    fallback: editor === undefined ? createFrontPage : await editorIn(editor, publicOrigin),
  }
}

async function editorIn(root: string, orchestratorUrl: string) {
  const { createEditor } = await import('./editor/index.ts')
  return createEditor(root, { orchestratorUrl, version })
}
