import type { Logger } from '../../kernel/index.ts'
import type { Outbound } from '../outbound/port.ts'
import { ModelFailure, type Failures } from './failure.ts'
import type { ModelCall, ModelClient, ModelPiece } from './model.ts'

/** What the library of a provider is given to call its models. */
export interface Connection {
  /** Blank for services that ask for none. */
  readonly apiKey: string
  readonly baseUrl: string
  /** For a whole call, from the request to the end of the answer. */
  readonly timeoutMs: number
  readonly log: Logger
  readonly outbound: Pick<Outbound, 'stream'>
}

/** The options that libraries of providers share: one try, through the guarded way out, and warnings without their details. */
export function libraryOptions(library: string, { baseUrl, timeoutMs, log, outbound }: Connection) {
  // The details may be content.
  const warn = (message: string): void => log.warn({ library }, message)
  // `within` ends a call in time; a timeout of the library would read as a broken connection.
  const timeout = 2 * timeoutMs
  return {
    baseURL: baseUrl,
    maxRetries: 0,
    timeout,
    fetch: guardedFetch(outbound, { base: baseUrl, timeoutMs: timeout }),
    logger: { error: warn, warn, info: warn, debug: warn },
    logLevel: 'warn',
  } as const
}

export interface Within {
  readonly timeoutMs: number
  readonly failures: Failures
  /** Makes one call; libraries may end an aborted stream as if the answer were over. */
  call(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelPiece>
  /** Names what a library threw. */
  toFailure(error: unknown): ModelFailure
}

/** Makes calls that end with their time or with the caller, and fail as what ended them. */
export function within({ timeoutMs, failures, call, toFailure }: Within): ModelClient['stream'] {
  return async function* stream(asked, signal) {
    const timeout = AbortSignal.timeout(timeoutMs)
    const either = AbortSignal.any([signal, timeout])
    const ended = (): ModelFailure | undefined =>
      signal.aborted ? failures.aborted() : timeout.aborted ? failures.tookTooLong(timeoutMs) : undefined
    const early = ended()
    if (early) throw early
    try {
      yield* call(asked, either)
    } catch (error) {
      throw ended() ?? (error instanceof ModelFailure ? error : toFailure(error))
    }
  }
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** What a call needs. Whatever else a library would tell about this machine stays here. */
const sentHeaders: ReadonlySet<string> = new Set(['anthropic-beta', 'anthropic-version', 'authorization', 'x-api-key'])
const mostBytes = 64 * 1024 * 1024
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * Makes a fetch for the library of a provider, which posts to addresses below one base and nothing else.
 *
 * The operator chose the base, so that it may lie on a private network. Redirects are not followed: the request carries the
 * key, which is meant for the base alone.
 */
export function guardedFetch(outbound: Pick<Outbound, 'stream'>, { base, timeoutMs }: { readonly base: string; readonly timeoutMs: number }): Fetch {
  const { origin, pathname } = new URL(base)
  const below = pathname.endsWith('/') ? pathname : `${pathname}/`
  return async (input, { headers, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== origin || !url.pathname.startsWith(below)) {
      throw new Error('a call of the model may go to its base address only')
    }
    const left = new AbortController()
    const answer = await outbound.stream(url, {
      method: 'POST',
      json: Buffer.from(typeof body === 'string' ? body : ''),
      headers: Object.fromEntries([...new Headers(headers)].filter(([name]) => sentHeaders.has(name))),
      maxBytes: mostBytes,
      timeoutMs,
      followsRedirects: false,
      allowOrigins: [origin],
      signal: signal ? AbortSignal.any([signal, left.signal]) : left.signal,
    })
    const { status } = answer
    return new Response(withoutBody.has(status) ? null : toWebStream(answer.body, () => left.abort()), { status, headers: answer.headers })
  }
}

function toWebStream(body: AsyncIterable<Uint8Array>, cancel: () => void): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel,
  })
}
