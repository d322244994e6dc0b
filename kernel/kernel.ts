import * as v from 'valibot'
import { toIssues } from './check.ts'
import { clock, ids, randomIds, systemClock, type Ids } from './clock.ts'
import { BootError, Refusal } from './errors.ts'
import { gates, publicGate, type Gate, type Mounting, type Shape } from './gate.ts'
import { plan } from './graph.ts'
import { createCrossOrigin, type OriginRules } from './http/cors.ts'
import type { Dispatch, Inbound, Outbound } from './http/message.ts'
import { noAccessLog, type AccessLog, type Logger } from './log.ts'
import { answer, toAnswer, type Entry, type PipelineContext } from './pipeline.ts'
import type { Booted, Plugin, Used } from './plugin.ts'
import { policies, type Policy } from './policy.ts'
import { refusals } from './refusals.ts'
import { createRegistry, type Registry } from './registry.ts'
import { routeList, type MountedRoute } from './route-list.ts'
import { createRouter, isRoutePath, type Router } from './router.ts'
import { Running } from './running.ts'
import { give, type Seed, type ServiceRef } from './service.ts'

export interface KernelOptions {
  readonly shape: Shape
  readonly plugins: readonly Used[]
  /** Services that the host hands in. */
  readonly seeds?: readonly Seed[]
  /** A snapshot of the environment; each plugin sees the variables it declares. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Logger
  /** Where a line per request goes; nowhere without it. */
  readonly access?: AccessLog
  /** Which pages may call, and by which names the service is known; no origin and any name without it. */
  readonly origins?: OriginRules
  /** `throw` lets an unexpected error reach whoever dispatched, for tests; otherwise it is logged and answered 500. */
  readonly faults?: 'answer' | 'throw'
}

export interface Kernel {
  readonly routes: readonly MountedRoute[]
  /** Plugins in the order they were set up, each with those it waited for. */
  readonly plan: readonly { readonly plugin: string; readonly needs: readonly string[] }[]
  /** Answers a request; at once, where nothing has to be waited for. */
  dispatch(request: Inbound): Outbound | Promise<Outbound>
  /** A service by its ref; throws a BootError when nothing loaded gives it. */
  get<T>(ref: ServiceRef<T>): T
  /** Refuses new requests, ends streams, waits for running requests for at most ten seconds, then closes plugins in reverse order. */
  close(): Promise<void>
}

/** Boots plugins into one service, or throws a BootError that tells everything that stands in the way. */
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { shape, plugins, env, log, faults = 'answer', access = noAccessLog } = options
  let mounted: readonly MountedRoute[] = []
  const seeds = [...withDefaults(options.seeds ?? []), give(routeList, { all: () => mounted })]
  const planned = plan(plugins.map(({ plugin }) => plugin), seeds)
  if (planned.problems) throw new BootError(planned.problems)

  const closing = new AbortController()
  const registry = createRegistry(seeds)
  const settings = readSettings(planned.order, plugins, env)
  const booted: { readonly plugin: Plugin; readonly product: Booted }[] = []
  const closePlugins = async (): Promise<void> => {
    for (const { plugin, product } of booted.toReversed()) {
      await (async () => product.close?.())().catch((err: unknown) => log.error({ err, plugin: plugin.name }, 'plugin failed to close'))
    }
  }

  try {
    for (const plugin of planned.order) {
      const product = await plugin.boot({
        options: settings.get(plugin)?.options,
        env: settings.get(plugin)?.env,
        needs: Object.fromEntries(Object.entries(plugin.needs).map(([key, ref]) => [key, registry.receive(ref)])),
        shape,
        production: env['NODE_ENV'] === 'production',
        log: log.child({ plugin: plugin.name }),
        signal: closing.signal,
      })
      booted.push({ plugin, product })
      for (const [key, ref] of Object.entries(plugin.gives)) registry.put(ref, product.gives[key])
    }
    const { router, routes } = mountRoutes(booted, registry)
    mounted = routes
    for (const { product } of booted) await product.ready?.()

    const running = new Running()
    const dispatch = createDispatch({
      router,
      shape,
      faults,
      access,
      ids: registry.get(ids) ?? randomIds,
      unknown: registry.all(policies),
      running,
      context: { crossOrigin: createCrossOrigin(options.origins ?? { origins: [] }), log, running, closing: closing.signal },
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

function withDefaults(seeds: readonly Seed[]): readonly Seed[] {
  const defaults = [give(gates.public, publicGate), give(clock, systemClock), give(ids, randomIds)]
  return [...defaults.filter(({ ref }) => !seeds.some((seed) => seed.ref.id === ref.id)), ...seeds]
}

/** Parses the options and the environment of every plugin, and tells all that is wrong with them at once. */
function readSettings(order: readonly Plugin[], used: readonly Used[], env: KernelOptions['env']): ReadonlyMap<Plugin, { readonly options: unknown; readonly env: unknown }> {
  const problems: string[] = []
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const optionsOf = new Map(used.map(({ plugin, options }) => [plugin, options]))
  const settings = new Map(
    order.map((plugin) => {
      const wanted = optionsOf.get(plugin) ?? (plugin.options.type === 'undefined' ? undefined : {})
      const options = v.safeParse(plugin.options, wanted)
      const variables = v.safeParse(plugin.env, plugin.env.type === 'undefined' ? undefined : given)
      for (const { path, message } of toIssues(options.issues ?? [])) {
        problems.push(`${plugin.name}: ${path === '' ? 'options' : `option '${path}'`}: ${message}`)
      }
      if (!variables.success) for (const { path, message } of toIssues(variables.issues)) problems.push(`environment variable ${path}: ${message}`)
      return [plugin, { options: options.output, env: variables.output }] as const
    }),
  )
  if (problems.length > 0) throw new BootError([...new Set(problems)])
  return settings
}

/** Puts every route into the router. A route that its gate leaves out stays there as a tombstone: 404, in every shape. */
function mountRoutes(booted: readonly { readonly plugin: Plugin; readonly product: Booted }[], registry: Registry): { readonly router: Router<Entry>; readonly routes: readonly MountedRoute[] } {
  const router = createRouter<Entry>()
  const routes: MountedRoute[] = []
  const problems: string[] = []
  const rules = registry.all(policies)
  const asked = new Map<Gate, Mounting>()
  for (const { plugin, product } of booted) {
    for (const [key, spec] of Object.entries(plugin.routes)) {
      const gate = registry.get(spec.gate) ?? publicGate
      const mounting = asked.get(gate) ?? gate.mounting()
      asked.set(gate, mounting)
      const handler = product.handlers[key]
      if (!handler) {
        problems.push(`route '${plugin.name}.${key}' has no handler`)
        continue
      }
      const rulesHere = rules.map((rule) => rule.on({ plugin: plugin.name, spec })).filter((rule) => rule !== undefined)
      const entry: Entry = { plugin: plugin.name, key, spec, gate, policies: rulesHere, isLeftOut: !mounting.mount, handler }
      const name = `route '${plugin.name}.${key}'`
      if (!isRoutePath(spec.path)) problems.push(`${name} has the path '${spec.path}'; a segment is plain text or one ':name'`)
      else if (!router.add(spec.method, spec.path, entry)) problems.push(`${name} is a second ${spec.method} ${spec.path}`)
      routes.push({ plugin: plugin.name, tag: spec.tag ?? plugin.tag, key, spec, ...(!mounting.mount && { leftOut: mounting.because }) })
    }
  }
  if (problems.length > 0) throw new BootError(problems)
  return { router, routes }
}

interface DispatchParts {
  readonly router: Router<Entry>
  readonly shape: Shape
  readonly faults: 'answer' | 'throw'
  readonly access: AccessLog
  readonly ids: Ids
  readonly unknown: readonly Policy[]
  readonly running: Running
  readonly context: PipelineContext
}

function createDispatch({ router, shape, faults, access, ids, unknown, running, context }: DispatchParts): Dispatch {
  const { crossOrigin, log } = context

  const nothingHere = (request: Inbound): Refusal => {
    for (const policy of unknown) {
      const refusal = policy.unknown?.(request)
      if (refusal) return refusal
    }
    return shape === 'library' ? refusals.notHandled(request.method, request.path) : refusals.notFound()
  }

  const refused = (error: unknown, route: string, id: string): Outbound => {
    if (error instanceof Refusal) {
      if (error.status >= 500) log.warn({ route, id, err: error }, 'request refused')
      return toAnswer(error)
    }
    if (faults === 'throw') throw error
    log.error({ route, id, err: error }, 'request failed')
    return toAnswer(refusals.internal(id))
  }

  return (request) => {
    const started = performance.now()
    const id = ids.uuid()
    const end = running.begin()
    let route = '(unknown)'

    const finish = ({ status, headers, body }: Outbound): Outbound => {
      access.write({ method: request.method, route, status, milliseconds: performance.now() - started, id })
      end()
      return { status, headers: [...headers, 'x-request-id', id, ...crossOrigin.headersFor(request.header('origin'))], body }
    }
    const fail = (error: unknown): Outbound => {
      try {
        return finish(refused(error, route, id))
      } catch (fault) {
        end()
        throw fault
      }
    }
    const find = (): Outbound | Promise<Outbound> => {
      if (context.closing.aborted) throw refusals.closing()
      const preflight = crossOrigin.preflight(request)
      if (preflight) return preflight
      const found = router.find(request.method, request.path)
      if (!found) throw nothingHere(request)
      route = found.target.spec.path
      return answer({ entry: found.target, params: found.params, request, id }, context)
    }

    // Nothing is awaited that is there already: most answers leave in the turn in which their request came.
    try {
      const outbound = find()
      return outbound instanceof Promise ? outbound.then(finish, fail) : finish(outbound)
    } catch (error) {
      return fail(error)
    }
  }
}
