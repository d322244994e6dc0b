import type { Logger } from '../../kernel/index.ts'
import type { Outbound } from '../outbound/port.ts'
import { ModelFailure, type Failures } from './failure.ts'
import type { ModelCall, ModelClient, ModelPiece } from './model.ts'

/** The connection of a provider's library. */
export interface Connection {
  /** Empty for services without keys. */
  readonly apiKey: string
  readonly baseUrl: string
  /** The time limit from the request to the end of the answer, in milliseconds. */
  readonly timeoutMs: number
  readonly log: Logger
  readonly outbound: Pick<Outbound, 'stream'>
}

/** Returns the options of all libraries: one attempt, through `outbound`, and warnings without details. */
export function libraryOptions(library: string, { baseUrl, timeoutMs, log, outbound }: Connection) {
  // The details may contain content.
  const warn = (message: string): void => log.warn({ library }, message)
  // `within` enforces the time limit; a timeout of the library would look like a broken connection.
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

/** Wraps calls so that they fail at the time limit, or when the caller aborts. */
export function within({
  timeoutMs,
  failures,
  call,
  toFailure,
}: {
  readonly timeoutMs: number
  readonly failures: Failures
  /** Sends one call; libraries may end an aborted stream as if the answer were complete. */
  call(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelPiece>
  /** Converts an error of the library. */
  toFailure(error: unknown): ModelFailure
}): ModelClient['stream'] {
  return async function* stream(request, signal) {
    const timeout = AbortSignal.timeout(timeoutMs)
    const either = AbortSignal.any([signal, timeout])
    const ended = (): ModelFailure | undefined =>
      signal.aborted ? failures.aborted() : timeout.aborted ? failures.tookTooLong(timeoutMs) : undefined
    const early = ended()
    if (early) throw early
    try {
      yield* call(request, either)
    } catch (error) {
      throw ended() ?? (error instanceof ModelFailure ? error : toFailure(error))
    }
  }
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** The required headers of a call; others, which describe this machine, are dropped. */
const sentHeaders: ReadonlySet<string> = new Set([
  'anthropic-beta',
  'anthropic-version',
  'authorization',
  'x-api-key',
])
const maxBytes = 64 * 1024 * 1024
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * Creates the fetch function for a provider's library, which can only post to addresses below one base.
 *
 * The base is configured and may be on a private network. No redirects, because the request contains the key.
 */
export function guardedFetch(
  outbound: Pick<Outbound, 'stream'>,
  { base, timeoutMs }: { readonly base: string; readonly timeoutMs: number },
): Fetch {
  const { origin, pathname } = new URL(base)
  const below = pathname.endsWith('/') ? pathname : `${pathname}/`
  return async (input, { headers, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== origin || !url.pathname.startsWith(below)) {
      throw new Error('model calls are restricted to their base address')
    }
    const cancelled = new AbortController()
    const answer = await outbound.stream(url, {
      method: 'POST',
      json: Buffer.from(typeof body === 'string' ? body : ''),
      headers: Object.fromEntries([...new Headers(headers)].filter(([name]) => sentHeaders.has(name))),
      maxBytes,
      timeoutMs,
      followsRedirects: false,
      allowOrigins: [origin],
      signal: signal ? AbortSignal.any([signal, cancelled.signal]) : cancelled.signal,
    })
    const { status } = answer
    return new Response(withoutBody.has(status) ? null : toWebStream(answer.body, () => cancelled.abort()), {
      status,
      headers: answer.headers,
    })
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
