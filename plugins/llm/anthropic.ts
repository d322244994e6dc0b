import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages'
import * as v from 'valibot'
import type { Logger } from '../../kernel/index.ts'
import type { Outbound } from '../outbound/port.ts'
import { failuresOf } from './failure.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { ModelFailure } from './model-failure.ts'
import type { ModelClient } from './port.ts'
import { anthropicSettings } from './settings.ts'
import { toPieces } from './to-pieces.ts'
import { toRequest } from './to-request.ts'
import { within } from './within.ts'

export interface AnthropicOptions {
  readonly apiKey: string
  readonly baseUrl: string
  readonly cache: boolean
  /** For a whole call, from the request to the end of the answer. */
  readonly timeoutMs: number
  readonly log: Logger
  readonly outbound: Pick<Outbound, 'stream'>
}

/**
 * Calls models of Anthropic. Everything that the library would read from the environment is told to it instead.
 *
 * Rejects with a ModelFailure where the library, an optional dependency, is not installed.
 */
export async function createAnthropic({ apiKey, baseUrl, cache, timeoutMs, log, outbound }: AnthropicOptions): Promise<ModelClient['stream']> {
  const { default: Anthropic, APIError } = await importLibrary()
  const failures = failuresOf({ ...anthropicSettings, secret: apiKey })
  // What a message of the library comes with may be content.
  const tell = (message: string): void => log.warn({ library: '@anthropic-ai/sdk' }, message)
  const anthropic = new Anthropic({
    apiKey,
    authToken: null,
    webhookKey: null,
    baseURL: baseUrl,
    maxRetries: 0,
    // The time below is the one that counts; this one would read as a broken connection.
    timeout: 2 * timeoutMs,
    fetch: guardedFetch(outbound, { base: baseUrl, timeoutMs: 2 * timeoutMs }),
    logger: { error: tell, warn: tell, info: tell, debug: tell },
    logLevel: 'warn',
    openTelemetry: false,
  })
  return within({
    timeoutMs,
    failures,
    async *call(call, signal) {
      const request = { body: toRequest(call, { cache }), signal, stream: true }
      // `messages.create` would print to the console what it thinks of a model.
      const { data, request_id: requestId } = await anthropic.post<AsyncIterable<RawMessageStreamEvent>>('/v1/messages', request).withResponse()
      yield* toPieces(data, failures, requestId)
    },
    toFailure(error) {
      if (!(error instanceof APIError)) return failures.brokenOff({ cause: error })
      const { status, type, requestID: requestId, headers } = error
      return failures.of({ status, type, requestId, headers, text: textOf(error.error) ?? error.message, cause: error.cause })
    },
  })
}

/** Takes longer than this service takes to start. Bundlers let an import in a `try` fail when it is run. */
async function importLibrary() {
  try {
    return await import('@anthropic-ai/sdk')
  } catch (cause) {
    throw new ModelFailure('uninstalled', 'The package @anthropic-ai/sdk is not installed, so no model of Anthropic can be called. Run npm install @anthropic-ai/sdk, and restart the server.', { provider: 'Anthropic', cause })
  }
}

const ErrorBody = v.object({ error: v.object({ message: v.string() }) })

function textOf(body: unknown): string | undefined {
  const { success, output } = v.safeParse(ErrorBody, body)
  return success ? output.error.message : undefined
}
