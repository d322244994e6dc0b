/** Entry point for clients of the service: `content-orchestrator/client`. It also runs in browsers. */
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type {
  AnswerOf,
  EventOf,
  Named,
  RequestTo,
  Routes,
  ServiceRoutes,
  StreamName,
} from './service-routes.ts'

export type { AnswerOf, EventOf, RequestTo, RouteName, ServiceRoutes, StreamName } from './service-routes.ts'

export interface ClientOptions {
  /** The address of the service, including the base path in a website, such as `http://localhost:4200`. */
  readonly url: string
  /** The access token, sent as `Authorization: Bearer`. */
  readonly token?: string | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sends requests, such as `app.fetch` in a test; default: the global `fetch`. */
  readonly fetch?: ((url: string, request: RequestInit) => Promise<Response>) | undefined
}

/** The options of every request. */
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** The options of a stream. */
export interface StreamOptions {
  readonly lastEventId?: string | undefined
  /** Default for GET: true. */
  readonly resume?: boolean
}

/** One event of a stream. Its `id` as `lastEventId` continues a later stream after it. */
export interface StreamedEvent<T> {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: T
}

type Arguments<R> = object extends R ? [request?: R & CallOptions] : [request: R & CallOptions]

type WithOwn<Own extends Routes> = [Own] extends [never] ? ServiceRoutes : ServiceRoutes & Named<Own>

/** Calls the routes of a service by method and path. */
export interface Client<R extends Routes = ServiceRoutes> {
  /**
   * Sends a request and returns the body of its answer: JSON as values, text as a string, a file as a Blob.
   *
   * Throws an {@link ApiError} for an answer outside 200 to 299, and the error of `fetch` without an answer.
   */
  call<N extends keyof R>(route: N, ...request: Arguments<RequestTo<R[N]>>): Promise<AnswerOf<R[N]>>
  /**
   * Yields the events of a route. Resumes an interrupted GET after the last event, after at most 10 seconds,
   * until its run has ended or `signal` aborts; so it does after a 502, 503 or 504, as of a proxy whose process
   * is replaced. Leaving the loop closes the connection.
   *
   * With `resume: false` an interruption ends it, so that the caller knows of it, and resumes with `lastEventId`.
   *
   * Throws an {@link ApiError} if the service refuses, and the error that broke a stream which is not resumed.
   */
  stream<N extends StreamName<R>>(
    route: N,
    ...request: Arguments<RequestTo<R[N]> & StreamOptions>
  ): AsyncGenerator<StreamedEvent<EventOf<R[N]>>, void, undefined>
}

/** An answer outside 200 to 299. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The stable code, such as `version_mismatch`; empty if the answer has none. */
  readonly code: string
  /** The body: a value if it was JSON, else text. */
  readonly body: unknown

  constructor(route: string, status: number, body: unknown) {
    const error = textIn(body, 'error')
    const reason = textIn(body, 'reason') ?? error ?? (status === 404 ? noService : 'no reason given')
    super(`${route} was refused with ${status}: ${reason}`)
    this.status = status
    this.code = textIn(body, 'code') ?? error ?? ''
    this.body = body
  }
}

const noService =
  "the answer is not from the service; 'url' needs the base path of a mount, such as /api/orchestrator"

function textIn(object: unknown, name: string): string | undefined {
  const value: unknown = typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined
  return typeof value === 'string' ? value : undefined
}

/** The untyped form of the requests above. */
interface AnyRequest extends CallOptions, StreamOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: object
  readonly body?: unknown
  readonly form?: FormData
}

/** The last events of chat and agent runs, after which a stream has no more events. */
const endings = new Set(['final', 'error', 'canceled'])
/** What a proxy answers while a process is replaced, and the service while its database is. */
const passing: ReadonlySet<number> = new Set([502, 503, 504])
const firstPauseMs = 250
const longestPauseMs = 10_000

/**
 * Creates a client of a service, without state besides its options. `Own` is the type of the route table of an
 * in-house plugin, whose routes it then has as well.
 */
export function createClient<Own extends Routes = never>({
  url,
  token,
  headers: always,
  fetch: send = (address, request) => fetch(address, request),
}: ClientOptions): Client<WithOwn<Own>> {
  const root = url.replace(/\/$/, '')

  async function ask(
    route: string,
    { params = {}, query = {}, headers, body, form, signal }: AnyRequest,
    more: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const [method = '', path = ''] = route.split(' ')
    const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    ).toString()
    const isBytes = body instanceof Uint8Array
    const response = await send(`${root}${filled}${search && `?${search}`}`, {
      method,
      headers: {
        ...always,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !isBytes && { 'content-type': 'application/json' }),
        ...more,
        ...headers,
      },
      body: form ?? (isBytes ? new Uint8Array(body) : body === undefined ? null : JSON.stringify(body)),
      signal: signal ?? null,
    })
    if (response.ok) return response
    throw new ApiError(route, response.status, await bodyOf(response))
  }

  async function* follow(
    route: string,
    request: AnyRequest,
  ): AsyncGenerator<StreamedEvent<unknown>, void, undefined> {
    const isResumed = request.resume ?? route.startsWith('GET ')
    let { lastEventId } = request
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      try {
        const more = {
          accept: 'text/event-stream',
          ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        }
        for await (const { id, event, data } of messages(await ask(route, request, more))) {
          const read: unknown = JSON.parse(data)
          lastEventId = id ?? lastEventId
          pause = firstPauseMs
          yield { id, event, data: read }
          if (endings.has(textIn(read, 'type') ?? '')) return
        }
        if (!isResumed) return
      } catch (error) {
        const isRefused = error instanceof ApiError && !passing.has(error.status)
        if (!isResumed || isRefused || request.signal?.aborted) throw error
      }
      await wait(pause * (0.5 + Math.random() / 2), request.signal)
    }
  }

  return {
    call: async (route: string, request: AnyRequest = {}) => bodyOf(await ask(route, request, {})),
    stream: (route: string, request: AnyRequest = {}) => follow(route, request),
  } as Client<WithOwn<Own>>
}

async function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (response.status === 204) return undefined
  if (/^application\/(?:[\w.]+\+)?json\b/.test(type)) return response.json()
  return type.startsWith('text/') ? response.text() : response.blob()
}

/** Yields the messages of an event stream, until it ends. */
async function* messages(response: Response): AsyncGenerator<EventSourceMessage, void, undefined> {
  const received: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => received.push(message) })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      parser.feed(part.value)
      yield* received.splice(0)
    }
  } finally {
    await reader?.cancel().catch(() => undefined)
  }
}

async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const timer = setTimeout(resolve, milliseconds)
  signal?.addEventListener('abort', resolve)
  await promise
  clearTimeout(timer)
  signal?.removeEventListener('abort', resolve)
  signal?.throwIfAborted()
}
