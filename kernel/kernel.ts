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
import { createLifecycle, pluginTimesMs } from './lifecycle.ts'
import type { AccessLog, Logger } from './log.ts'
import { mountRoutes } from './mount-routes.ts'
import { requestObservers } from './observer.ts'
import type { Used } from './plugin.ts'
import { policies } from './policy.ts'
import { isProduction, productionProblems, unusualEnvironment } from './production.ts'
import { refusals } from './refusals.ts'
import { createRegistry, give, type Seed, type ServiceRef } from './service.ts'
import { InFlight } from './outgoing.ts'
import { readSettings } from './settings.ts'

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

/** Boots plugins into one service, or throws a BootError with every problem. */
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { shape, plugins: used, env, log, faults = 'answer', access, times = pluginTimesMs } = options
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
    used.map(({ plugin }) => plugin),
    seeds,
  )
  const { settings, problems: unset } = readSettings(used, env)
  const all = [...productionProblems(env), ...problems, ...unset]
  if (all.length > 0) throw new BootError(all)
  const production = isProduction(env)

  const closing = new AbortController()
  const registry = createRegistry(seeds)
  const plugins = createLifecycle({
    registry,
    log,
    times,
    contextOf: (plugin) => ({
      options: settings.get(plugin)?.options,
      env: settings.get(plugin)?.env,
      shape,
      production,
      signal: closing.signal,
    }),
  })

  try {
    await plugins.setUp(order.keys())
    const { router, routes } = mountRoutes(plugins.booted, registry, shape)
    mounted = routes
    await plugins.ready()

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
          await plugins.close()
          access?.flush()
        })()),
    }
  } catch (error) {
    closing.abort()
    await plugins.close()
    throw error
  }
}
