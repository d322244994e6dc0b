import { clock, ids, randomIds, systemClock } from './clock.ts'
import { createDispatch } from './dispatch.ts'
import { BootError } from './errors.ts'
import type { Fallback } from './fallback.ts'
import { gates, publicGate, type Shape } from './gate.ts'
import { plan } from './graph.ts'
import { admittedOrigins, createCrossOrigin, type OriginRules } from './http/cors.ts'
import { createHeldBodies, type BodyLimits } from './http/held-bodies.ts'
import { injectFrom } from './http/inject.ts'
import type { Dispatch } from './http/message.ts'
import { innerRequests, type MountedRoute, routeList } from './route-list.ts'
import { noAccessLog, type AccessLog, type Logger } from './log.ts'
import { mountRoutes } from './mount-routes.ts'
import { requestObservers } from './observer.ts'
import type { Booted, Plugin, Used } from './plugin.ts'
import { policies } from './policy.ts'
import { toAnswer } from './outgoing.ts'
import { refusals } from './refusals.ts'
import { createRegistry, give, type Seed, type ServiceRef } from './service.ts'
import { Running } from './running.ts'
import { readSettings } from './settings.ts'
import { within } from './pace.ts'

export interface KernelOptions {
  readonly shape: Shape
  readonly plugins: readonly Used[]
  /** Services of the host. */
  readonly seeds?: readonly Seed[]
  /** A snapshot of the environment; each plugin sees the variables it declares. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Logger
  /** Writes a line per request; default: none. */
  readonly access?: AccessLog
  /** Origins whose pages may call, and host names of the service; no origin and any host name without it. */
  readonly origins?: OriginRules
  /** Creates the fallback for paths without a route; default: 404. */
  readonly fallback?: (routes: readonly MountedRoute[]) => Fallback
  /** Limits of request bodies in memory; default: 256 MiB, and 128 MiB per address. */
  readonly bodies?: BodyLimits
  /** Time limits of one plugin. */
  readonly times?: PluginTimes
  /** `throw` lets an unexpected error reach the caller of `dispatch`, for tests; otherwise it is logged and answered 500. */
  readonly faults?: 'answer' | 'throw'
}

export interface PluginTimes {
  /** Milliseconds for `setup`, and again for `ready`: longer than a store waits for another process. */
  readonly setup: number
  /** Milliseconds to close. */
  readonly close: number
}

const pluginTimes: PluginTimes = { setup: 30_000, close: 10_000 }

export interface Kernel {
  readonly routes: readonly MountedRoute[]
  /** Plugins in setup order, each with its dependencies. */
  readonly plan: readonly { readonly plugin: string; readonly needs: readonly string[] }[]
  /** Answers a request, synchronously if possible. */
  readonly dispatch: Dispatch
  /** A service by its ref; throws a BootError if no loaded plugin gives it. */
  get<T>(ref: ServiceRef<T>): T
  /** Refuses new requests, ends streams, waits for running requests for at most ten seconds, then closes plugins in reverse order. */
  close(): Promise<void>
}

/** Boots plugins into one service, or throws a BootError with every problem. */
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { shape, plugins, env, log, faults = 'answer', access = noAccessLog, times = pluginTimes } = options
  let mounted: readonly MountedRoute[] = []
  let dispatch: Dispatch = () => toAnswer(refusals.closing())
  const inner = give(innerRequests, { send: ({ remote, ...request }) => injectFrom(remote, dispatch, request) })
  const seeds = [...withDefaults(options.seeds ?? []), give(routeList, { all: () => mounted }), inner]
  const planned = plan(plugins.map(({ plugin }) => plugin), seeds)
  const { settings, problems } = readSettings(plugins, env)
  if (planned.problems) throw new BootError([...planned.problems, ...problems])
  if (problems.length > 0) throw new BootError(problems)

  const closing = new AbortController()
  const registry = createRegistry(seeds)
  const booted: { readonly plugin: Plugin; readonly product: Booted }[] = []
  const closePlugin = ({ name }: Plugin, product: Booted): Promise<void> =>
    within(times.close, (async () => product.close?.())(), () => new Error(`plugin did not close within ${times.close} ms`)).catch(
      (err: unknown) => log.error({ err, plugin: name }, 'plugin failed to close'),
    )
  const closePlugins = async (): Promise<void> => {
    for (const { plugin, product } of booted.toReversed()) await closePlugin(plugin, product)
  }
  const tooLate = ({ name }: Plugin, was: string): BootError =>
    new BootError([`plugin '${name}' was not ${was} within ${times.setup} ms: look at what it waits for`])

  try {
    for (const plugin of planned.order) {
      const booting = plugin.boot({
        options: settings.get(plugin)?.options,
        env: settings.get(plugin)?.env,
        needs: Object.fromEntries(Object.entries(plugin.needs).map(([key, ref]) => [key, registry.receive(ref)])),
        shape,
        production: env['NODE_ENV'] === 'production',
        log: log.child({ plugin: plugin.name }),
        signal: closing.signal,
      })
      const product = await within(times.setup, booting, () => {
        booting.then((late) => closePlugin(plugin, late), () => undefined)
        return tooLate(plugin, 'set up')
      })
      booted.push({ plugin, product })
      const gives = Object.entries(plugin.gives)
      const lacking = gives.filter(([key, ref]) => ref.kind === 'service' && !Object.hasOwn(product.gives, key))
      if (lacking.length > 0) throw new BootError(lacking.map(([key]) => lacks(plugin, key)))
      for (const [key, ref] of gives) registry.put(ref, product.gives[key])
    }
    const { router, routes } = mountRoutes(booted, registry)
    mounted = routes
    for (const { plugin, product } of booted) await within(times.setup, (async () => product.ready?.())(), () => tooLate(plugin, 'ready'))

    const running = new Running()
    dispatch = createDispatch({
      router,
      shape,
      faults,
      access,
      ids: registry.get(ids) ?? randomIds,
      unknown: registry.all(policies),
      observers: registry.all(requestObservers),
      fallback: options.fallback?.(routes),
      running,
      context: { clock: registry.get(clock) ?? systemClock, bodies: createHeldBodies(options.bodies), crossOrigin: createCrossOrigin(options.origins ?? { origins: [] }, registry.all(admittedOrigins)), log, running, closing: closing.signal },
    })
    let closed: Promise<void> | undefined
    return {
      routes,
      plan: planned.order.map((plugin) => ({ plugin: plugin.name, needs: (planned.needs.get(plugin) ?? []).map(({ name }) => name) })),
      dispatch,
      get<T>(ref: ServiceRef<T>): T {
        if (!registry.has(ref)) throw new BootError([`nothing loaded gives '${ref.id}'`])
        return registry.get(ref) as T
      },
      close: () =>
        (closed ??= (async () => {
          closing.abort()
          await running.none(drainFor)
          await closePlugins()
          access.flush()
        })()),
    }
  } catch (error) {
    closing.abort()
    await closePlugins()
    throw error
  }
}

const drainFor = 10_000

const lacks = ({ name }: Plugin, key: string): string =>
  `plugin '${name}' declares '${key}' in gives, but its setup returned no value for it`

function withDefaults(seeds: readonly Seed[]): readonly Seed[] {
  const defaults = [give(gates.public, publicGate), give(clock, systemClock), give(ids, randomIds)]
  return [...defaults.filter(({ ref }) => !seeds.some((seed) => seed.ref.id === ref.id)), ...seeds]
}
