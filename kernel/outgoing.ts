import * as v from 'valibot'
import type { Matched } from './call.ts'
import type { Clock } from './clock.ts'
import type { FileAnswer } from './fallback.ts'
import type { Caller } from './gate.ts'
import { toEventStream } from './http/events.ts'
import { defaultHeaders, withDefaults, type HeaderList, type OwnHeaders } from './http/headers.ts'
import { json, ofJson, type HttpRequest, type HttpResponse } from './http/message.ts'
import type { Logger } from './log.ts'
import type { ServerEvent, SpecialReply } from './reply.ts'
import type { Answer } from './route.ts'
import type { Schema } from './schema.ts'

export interface OutgoingContext {
  readonly clock: Clock
  readonly log: Logger
  readonly inFlight: InFlight
  /** Aborts when the kernel starts to close; streams end then. */
  readonly closing: AbortSignal
}

const streamHeaders: HeaderList = withDefaults({
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
})

/** Converts an answer through its schema, so that undeclared fields are never sent; throws if undeclared. */
export function toHttpResponse(
  { entry, request, id }: Matched,
  { status, headers, body }: Answer,
  { until = Infinity, limits }: Caller,
  { clock, closing, log, inFlight }: OutgoingContext,
): HttpResponse {
  const { plugin, key, spec } = entry
  const declared = declaredFor(body, spec.replies[status])
  if (!declared) throw new Error(`'${plugin}.${key}' answered ${status}, which it does not declare`)
  if (headers?.['content-length'] !== undefined && !isStream(body)) {
    throw new Error(`'${plugin}.${key}' states a content-length, which the kernel counts`)
  }
  const unchanged = status === 200 && headers && toUnchanged(headers, request)
  if (unchanged) return unchanged
  if (!('reply' in declared)) {
    const parsed = v.safeParse(declared, body)
    if (parsed.success) return json(status, parsed.output, headers)
    throw new Error(
      `'${plugin}.${key}' answered ${status} with ${v.getDotPath(parsed.issues[0]) ?? 'a body'}: ${parsed.issues[0].message}`,
    )
  }
  const brokeOff = logsBreak(request, { route: spec.path, id, log })
  switch (declared.reply) {
    case 'stored':
      if (typeof body !== 'string' && !isBytes(body)) break
      return ofJson(status, carried(body, inFlight, brokeOff), headers)
    case 'text':
      if (typeof body !== 'string') break
      return { status, headers: withDefaults({ 'content-type': declared.type, ...headers }), body }
    case 'events':
      if (!isStream<ServerEvent<unknown>>(body)) break
      return {
        status,
        headers: streamHeaders,
        body: toEventStream(body, {
          ...declared,
          signal: AbortSignal.any([closing, request.signal, ...(limits ? [limits.signal] : [])]),
          endsAfter: until - clock.now().getTime(),
          brokeOff,
        }),
      }
    case 'file':
      if (!isBytes(body)) break
      return { status, headers: withDefaults(headers ?? {}), body: carried(body, inFlight, brokeOff) }
    case 'empty':
      return { status, headers: withDefaults(headers ?? {}), body: null }
  }
  throw new Error(
    `'${plugin}.${key}' answered ${status} with a body that does not fit its reply '${declared.reply}'`,
  )
}

/** The declaration of this body, for a route that answers with JSON or events. */
function declaredFor(body: unknown, declared: Schema | SpecialReply | undefined) {
  if (!declared || !('reply' in declared) || declared.reply !== 'json or events') return declared
  return isStream(body) ? declared.events : declared.json
}

/** Answers with undeclared bytes and the default headers, or with 304 if the caller already has them. */
export function toFile(
  { status, headers, body }: FileAnswer,
  request: HttpRequest,
  {
    log,
    inFlight,
    route,
    id,
  }: Pick<OutgoingContext, 'log' | 'inFlight'> & { readonly route: string; readonly id: string },
): HttpResponse {
  const unchanged = status < 300 && toUnchanged(headers, request)
  if (unchanged) return unchanged
  const brokeOff = logsBreak(request, { route, id, log })
  return { status, headers: withDefaults(headers), body: carried(body, inFlight, brokeOff) }
}

/** True for the error by which work ends because its client has left: the service did not fail. */
export const isOfLeaving = ({ signal }: Pick<HttpRequest, 'signal'>, error: unknown): boolean =>
  signal.aborted && (error === signal.reason || (error instanceof Error && error.name === 'AbortError'))

const logsBreak =
  (
    request: HttpRequest,
    { route, id, log }: Pick<OutgoingContext, 'log'> & { readonly route: string; readonly id: string },
  ) =>
  (err: unknown): void => {
    if (!isOfLeaving(request, err)) log.error({ route, id, err }, 'stream broke off')
  }

function isStream<T>(body: unknown): body is AsyncIterable<T> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

const isBytes = (body: unknown): body is Uint8Array | AsyncIterable<Uint8Array> =>
  body instanceof Uint8Array || isStream(body)

type Sendable = string | Uint8Array | AsyncIterable<Uint8Array>

/** Passes a body through; a stream counts as in flight while it is read. */
function carried(body: Sendable, inFlight: InFlight, brokeOff: (error: unknown) => void): Sendable {
  return isStream<Uint8Array>(body) ? counting(body, inFlight, brokeOff) : body
}

/** Logs errors of a stream: its status is already sent, so only the log can name them. */
async function* counting(
  bytes: AsyncIterable<Uint8Array>,
  inFlight: InFlight,
  brokeOff: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  inFlight.begin()
  try {
    yield* bytes
  } catch (error) {
    brokeOff(error)
    throw error
  } finally {
    inFlight.end()
  }
}

const byDefault = { caching: defaultHeaders['cache-control'], vary: defaultHeaders['vary'] }

/** Answers 304 with the headers that a cache renews, if the caller has the answer with this etag. */
function toUnchanged(own: OwnHeaders, request: HttpRequest): HttpResponse | undefined {
  const { etag, expires, 'content-location': location } = own
  if (typeof etag !== 'string' || !isUnchanged(etag, request)) return undefined
  const { 'cache-control': caching = byDefault.caching, vary = byDefault.vary } = own
  const list = ['etag', etag]
  if (typeof caching === 'string') list.push('cache-control', caching)
  if (typeof vary === 'string') list.push('vary', vary)
  if (typeof expires === 'string') list.push('expires', expires)
  if (typeof location === 'string') list.push('content-location', location)
  return { status: 304, headers: list, body: null }
}

/** True if `If-None-Match` contains this tag, by weak comparison as for every GET. */
function isUnchanged(etag: string, request: HttpRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const ifNoneMatch = request.header('if-none-match')
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag) return true
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => bare(tag) === bare(etag))
}

/** Counts requests and streams in flight, so that closing can wait for them. */
export class InFlight {
  #now = 0
  #idle: (() => void) | undefined

  begin(): void {
    this.#now++
  }

  end(): void {
    if (--this.#now === 0) this.#idle?.()
  }

  /** Resolves once nothing is in flight, or after this time. */
  async none(withinMs: number): Promise<void> {
    const late = new AbortController()
    const timer = setTimeout(() => {
      late.abort()
      this.#idle?.()
    }, withinMs).unref()
    while (this.#now > 0 && !late.signal.aborted) {
      await new Promise<void>((resolve) => (this.#idle = resolve))
      // The last answer may be a stream, which counts from its first read.
      await new Promise((resolve) => setImmediate(resolve))
    }
    clearTimeout(timer)
  }
}
