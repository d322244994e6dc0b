import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages'
import * as v from 'valibot'
import { libraryOptions, type Connection } from './connection.ts'
import { failuresOf } from './failure.ts'
import { ModelFailure } from './model-failure.ts'
import type { ModelClient } from './port.ts'
import { anthropicSettings } from './settings.ts'
import { toPieces } from './to-pieces.ts'
import { toRequest } from './to-request.ts'
import { within } from './within.ts'

export interface AnthropicOptions extends Connection {
  readonly cache: boolean
}

/**
 * Calls models of Anthropic. Everything that the library would read from the environment is given to it instead.
 *
 * Rejects with a ModelFailure where the library, an optional dependency, is not installed.
 */
export async function createAnthropic({ cache, ...connection }: AnthropicOptions): Promise<ModelClient['stream']> {
  const { apiKey, timeoutMs } = connection
  const { default: Anthropic, APIError } = await importLibrary()
  const failures = failuresOf({ ...anthropicSettings, secret: apiKey })
  const anthropic = new Anthropic({
    ...libraryOptions('@anthropic-ai/sdk', connection),
    apiKey,
    authToken: null,
    webhookKey: null,
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
