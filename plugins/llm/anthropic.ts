import Anthropic, { APIError } from '@anthropic-ai/sdk'
import { confinedFetch } from './confined-fetch.ts'
import { aborted, brokenOff, toFailure, tookTooLong } from './failure.ts'
import { ModelFailure, type ModelClient } from './port.ts'
import { toPieces } from './to-pieces.ts'
import { toRequest } from './to-request.ts'

export interface AnthropicOptions {
  readonly apiKey: string
  readonly baseUrl: string
  readonly cache: boolean
  /** For a whole call, from the request to the end of the answer. */
  readonly timeoutMs: number
}

const silent = { error: ignore, warn: ignore, info: ignore, debug: ignore }

function ignore(): void {
  // The library would log requests and answers, which are content.
}

/** Calls models of Anthropic. Everything that the library would read from the environment is told to it instead. */
export function createAnthropic({ apiKey, baseUrl, cache, timeoutMs }: AnthropicOptions): ModelClient['stream'] {
  const anthropic = new Anthropic({
    apiKey,
    authToken: null,
    webhookKey: null,
    baseURL: baseUrl,
    maxRetries: 0,
    // The time below is the one that counts; this one would read as a broken connection.
    timeout: 2 * timeoutMs,
    fetch: confinedFetch(baseUrl),
    logger: silent,
    logLevel: 'off',
    openTelemetry: false,
  })
  return async function* stream(call, signal) {
    const timeout = AbortSignal.timeout(timeoutMs)
    const either = AbortSignal.any([signal, timeout])
    // The library ends an aborted stream as if the answer were over.
    const ended = (): ModelFailure | undefined =>
      signal.aborted ? aborted() : timeout.aborted ? tookTooLong(timeoutMs) : undefined
    const early = ended()
    if (early) throw early
    try {
      const events = await anthropic.messages.create(toRequest(call, { cache }), { signal: either })
      yield* toPieces(events)
    } catch (error) {
      throw ended() ?? asFailure(error)
    }
  }
}

function asFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  if (!(error instanceof APIError)) return brokenOff(error)
  return toFailure({ status: error.status, type: error.type, retryAfter: error.headers?.get('retry-after'), cause: error })
}
