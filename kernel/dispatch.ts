import type { Ids } from './clock.ts'
import type { RouteEntry } from './mount-routes.ts'
import { Refusal } from './errors.ts'
import type { Fallback } from './fallback.ts'
import type { Shape } from './gate.ts'
import { isPlainPath, toAnswer, type Dispatch, type HttpRequest, type HttpResponse } from './http/message.ts'
import type { AccessLog } from './log.ts'
import { createWatching, type RequestObserver, type RequestWatch } from './observer.ts'
import { isOfLeaving, toFile } from './outgoing.ts'
import { answer, type PipelineContext } from './pipeline.ts'
import type { Policy } from './policy.ts'
import { refusals } from './refusals.ts'
import { methods } from './route.ts'
import type { createRouter } from './router.ts'

interface DispatchParts extends PipelineContext {
  readonly router: Pick<ReturnType<typeof createRouter<RouteEntry>>, 'find'>
  readonly shape: Shape
  readonly faults: 'answer' | 'throw'
  readonly access: AccessLog | undefined
  readonly ids: Ids
  readonly policies: readonly Policy[]
  readonly observers: readonly RequestObserver[]
  readonly fallback: Fallback | undefined
}

/** Creates the function behind all transports, which finds and runs the route and writes the access log. */
export function createDispatch(parts: DispatchParts): Dispatch {
  const { router, shape, access, ids, policies, observers, fallback, inFlight, crossOrigin, log } = parts
  const watching = createWatching(observers, log)
  // A request id is eight random digits of the process and the sequence number of the request.
  const boot = ids.uuid().slice(0, 8)
  let count = 0

  const nothingHere = (request: HttpRequest): Refusal => {
    const refusal = policyRefusal(policies, request)
    if (refusal) return refusal
    if (shape === 'library') {
      const allowed = methods.filter(
        (method) => router.find(method, request.path)?.target.isUnmounted === false,
      )
      return refusals.notHandled(request.method, request.path, allowed)
    }
    return shape === 'site' ? refusals.notOnSite() : refusals.notFound()
  }

  const serveFallback = async (exchange: Exchange, fallback: Fallback): Promise<HttpResponse> => {
    const { request, id } = exchange
    exchange.route = '(fallback)'
    const refusal = policyRefusal(policies, request) ?? crossOrigin.judge(request)
    if (refusal) throw refusal
    return toFile(await fallback.answer(request), request, { log, inFlight, route: exchange.route, id })
  }

  const finish = (
    { request, started, route, id, watches }: Exchange,
    { status, headers, body }: HttpResponse,
  ): HttpResponse => {
    const entry = { method: request.method, route, status, milliseconds: performance.now() - started, id }
    access?.write(entry)
    watching.end(watches, entry)
    inFlight.end()
    const lines = [...headers, 'x-request-id', id]
    const origin = request.header('origin')
    if (origin !== undefined) lines.push(...crossOrigin.headersFor(origin))
    return { status, headers: lines, body }
  }

  const fail = (exchange: Exchange, error: unknown): HttpResponse => {
    try {
      return finish(exchange, toRefused(error, exchange, parts))
    } catch (fault) {
      inFlight.end()
      throw fault
    }
  }

  const find = (exchange: Exchange): HttpResponse | Promise<HttpResponse> => {
    const { request, id } = exchange
    // No route has the method of a preflight request.
    const found = router.find(request.method, request.path)
    // The path of a route itself is plain.
    if (found?.target.spec.path !== request.path && !isPlainPath(request.path)) throw refusals.pathNotPlain()
    if (parts.closing.aborted) throw refusals.closing()
    if (fallback?.precedes?.(request)) return serveFallback(exchange, fallback)
    if (found) {
      exchange.route = found.target.spec.path
      exchange.plugin = found.target.plugin
      return answer({ entry: found.target, params: found.params, request, id }, parts)
    }
    if (fallback?.takes(request.path)) return serveFallback(exchange, fallback)
    const preflight = crossOrigin.preflight(request)
    if (preflight) return preflight
    throw nothingHere(request)
  }

  return (request) => {
    const exchange: Exchange = {
      request,
      started: performance.now(),
      id: `${boot}-${++count}`,
      route: '(unknown)',
      plugin: undefined,
      watches: watching.begin(request),
    }
    inFlight.begin()
    // Awaits promises only, so that most answers are sent in the same turn of the event loop.
    try {
      const { watches } = exchange
      const outbound = watches.length === 0 ? find(exchange) : watching.run(watches, () => find(exchange))
      if (!(outbound instanceof Promise)) return finish(exchange, outbound)
      return outbound.then(
        (settled) => finish(exchange, settled),
        (error: unknown) => fail(exchange, error),
      )
    } catch (error) {
      return fail(exchange, error)
    }
  }
}

/** Returns the first refusal of a request that has no route. */
function policyRefusal(policies: readonly Policy[], request: HttpRequest): Refusal | undefined {
  for (const policy of policies) {
    const refusal = policy.unknown?.(request)
    if (refusal) return refusal
  }
  return undefined
}

/** Turns an error into the answer, and logs what is not the caller's. */
function toRefused(
  error: unknown,
  { request, route, id, plugin }: Exchange,
  { log, faults }: DispatchParts,
): HttpResponse {
  // The answer reaches no client.
  if (isOfLeaving(request, error)) return toAnswer(refusals.internal(id))
  if (error instanceof Refusal) {
    // Without a cause the stack says nothing more than the reason.
    const { cause, code, reason } = error
    const details = cause === undefined ? { code, reason } : { err: error }
    if (error.status >= 500) log.warn({ route, id, plugin, ...details }, 'request refused')
    return toAnswer(error)
  }
  if (faults === 'throw') throw error
  log.error({ route, id, plugin, err: error }, 'request failed')
  return toAnswer(refusals.internal(id))
}

/** One request and its answer. */
interface Exchange {
  readonly request: HttpRequest
  /** Milliseconds of the monotonic clock. */
  readonly started: number
  readonly id: string
  /** The path pattern of the route if known, else a word in brackets. */
  route: string
  plugin: string | undefined
  readonly watches: readonly RequestWatch[]
}
