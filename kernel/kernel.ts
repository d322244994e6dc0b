import { clock, createClock, ids, randomIds } from './clock.ts'
import { createDispatch } from './dispatch.ts'
import { BootError } from './errors.ts'
import type { Fallback } from './fallback.ts'
import { gates, publicGate, type Shape } from './gate.ts'
import { plan } from './graph.ts'
import { admittedOrigins, createCrossOrigin, type OriginRules } from './http/cors.ts'
import { createHeldBodies, type BodyLimits } from './http/held-bodies.ts'
import { inject } from './http/inject.ts'
import { toAnswer, type Dispatch } from './http/message.ts'
import { innerRequests, type MountedRoute, routeList } from './route-list.ts'
import type { AccessLog, Logger } from './log.ts'
import { mountRoutes } from './mount-routes.ts'
import { requestObservers } from './observer.ts'
import type { Booted, Plugin, Used } from './plugin.ts'
import { policies } from './policy.ts'
import { isProduction, productionProblems, unusualEnvironment } from './production.ts'
import { refusals } from './refusals.ts'
import { createRegistry, give, type Seed, type ServiceRef } from './service.ts'
import { InFlight } from './in-flight.ts'
import { readSettings } from './settings.ts'
import { withTimeout } from './std/with-timeout.ts'

export interface KernelOptions {
  readonly shape: Shape
  readonly plugins: readonly Used[]
  /** Services of the host. */
  readonly seeds?: readonly Seed[]
  /** A snapshot of the environment; each plugin sees the variables it declares. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Logger
  /** Writes a line per request; default: no access log. */
  readonly access?: AccessLog
  /** Origins whose pages may call, and host names of the service; default: no origin and any host name. */
  readonly origins?: OriginRules
  /** Creates the fallback for paths without a route; default: 404. */
  readonly fallback?: (routes: readonly MountedRoute[]) => Fallback
  /** Limits of request bodies in memory; default: 256 MiB, and 128 MiB per address. */
  readonly bodies?: BodyLimits
  /** Milliseconds per plugin for `setup`, and again for `ready`, and for `close`; default: 30 s, and 10 s. */
  readonly times?: { readonly setup: number; readonly close: number }
  /** `throw` passes unexpected errors to the caller of `dispatch`, for tests; default: log and answer 500. */
  readonly faults?: 'answer' | 'throw'
}

// A setup may take longer than a store waits for another process.
const pluginTimesMs = { setup: 30_000, close: 10_000 }
const drainMs = 10_000

/** Services that the host may replace. */
const createDefaults = () => [
  give(gates.public, publicGate),
  give(clock, createClock()),
  give(ids, randomIds),
]

export interface Kernel {
  readonly routes: readonly MountedRoute[]
  /** Plugins in setup order, each with its dependencies. */
  readonly plan: readonly { readonly plugin: string; readonly needs: readonly string[] }[]
  /** Answers a request, synchronously if possible. */
  readonly dispatch: Dispatch
  /** Returns a service by its ref; throws a BootError if no loaded plugin provides it. */
  get<T>(ref: ServiceRef<T>): T
  /**
   * Refuses new requests, ends streams, waits for those in flight for at most ten seconds, then closes
   * plugins in reverse order.
   */
  close(): Promise<void>
}

const lacks = ({ name }: Plugin, key: string): string =>
  `plugin '${name}' declares '${key}' in gives, but its setup returned no value for it`

/** Boots plugins into one service, or throws a BootError with every problem. */
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { shape, plugins, env, log, faults = 'answer', access, times = pluginTimesMs } = options
  let mounted: readonly MountedRoute[] = []
  let dispatch: Dispatch = () => toAnswer(refusals.closing())
  const inner = give(innerRequests, { send: (request) => inject(dispatch, request) })
  const seeds = [
    ...createDefaults(),
    ...(options.seeds ?? []),
    give(routeList, { all: () => mounted }),
    inner,
  ]
  const warning = unusualEnvironment(env)
  if (warning !== undefined) log.warn({ variable: 'NODE_ENV' }, warning)
  const { order, problems } = plan(
    plugins.map(({ plugin }) => plugin),
    seeds,
  )
  const { settings, problems: unset } = readSettings(plugins, env)
  const all = [...productionProblems(env), ...problems, ...unset]
  if (all.length > 0) throw new BootError(all)
  const production = isProduction(env)

  const closing = new AbortController()
  const registry = createRegistry(seeds)
  const booted = new Map<Plugin, Booted>()
  const closePlugin = ({ name }: Plugin, product: Booted): Promise<void> =>
    withTimeout(
      times.close,
      (async () => product.close?.())(),
      () => new Error(`plugin did not close within ${times.close} ms`),
    ).catch((err: unknown) => log.error({ err, plugin: name }, 'plugin failed to close'))
  const closePlugins = async (): Promise<void> => {
    for (const [plugin, product] of [...booted].toReversed()) await closePlugin(plugin, product)
  }
  const tooLate = ({ name }: Plugin, was: string): BootError =>
    new BootError([`plugin '${name}' was not ${was} within ${times.setup} ms: look at what it waits for`])

  try {
    for (const plugin of order.keys()) {
      const booting = plugin.boot({
        options: settings.get(plugin)?.options,
        env: settings.get(plugin)?.env,
        needs: Object.fromEntries(
          Object.entries(plugin.needs).map(([key, ref]) => [key, registry.receive(ref)]),
        ),
        shape,
        production,
        log: log.child({ plugin: plugin.name }),
        signal: closing.signal,
      })
      const product = await withTimeout(times.setup, booting, () => {
        booting.then(
          (late) => closePlugin(plugin, late),
          () => undefined,
        )
        return tooLate(plugin, 'set up')
      })
      booted.set(plugin, product)
      const gives = Object.entries(plugin.gives)
      const lacking = gives.filter(
        ([key, ref]) => ref.kind === 'service' && !Object.hasOwn(product.gives, key),
      )
      if (lacking.length > 0) throw new BootError(lacking.map(([key]) => lacks(plugin, key)))
      for (const [key, ref] of gives) registry.put(ref, product.gives[key])
    }
    const { router, routes } = mountRoutes(booted, registry, shape)
    mounted = routes
    for (const [plugin, product] of booted) {
      await withTimeout(times.setup, (async () => product.ready?.())(), () => tooLate(plugin, 'ready'))
    }

    const inFlight = new InFlight()
    dispatch = createDispatch({
      router,
      shape,
      faults,
      access,
      log,
      inFlight,
      closing: closing.signal,
      ids: registry.get(ids),
      clock: registry.get(clock),
      policies: registry.all(policies),
      observers: registry.all(requestObservers),
      fallback: options.fallback?.(routes),
      bodies: createHeldBodies(options.bodies),
      crossOrigin: createCrossOrigin(options.origins ?? { origins: [] }, registry.all(admittedOrigins)),
    })
    let closed: Promise<void> | undefined
    return {
      routes,
      plan: Array.from(order, ([{ name }, needs]) => ({
        plugin: name,
        needs: needs.map((each) => each.name),
      })),
      dispatch,
      get: registry.get,
      close: () =>
        (closed ??= (async () => {
          closing.abort()
          await inFlight.none(drainMs)
          await closePlugins()
          access?.flush()
        })()),
    }
  } catch (error) {
    closing.abort()
    await closePlugins()
    throw error
  }
}
