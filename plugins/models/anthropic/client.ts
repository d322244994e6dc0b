import type { MessageDeltaUsage, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages'
import * as v from 'valibot'
import {
  failuresOf,
  libraryOptions,
  ModelFailure,
  within,
  type Connection,
  type Failures,
  type ModelClient,
  type ModelPiece,
  type TokenUsage,
} from '../port.ts'
import { anthropicSettings } from './settings.ts'
import { toRequest } from './to-request.ts'

/**
 * Creates the client for Anthropic models, with all settings explicit, so that it reads no environment.
 *
 * Rejects with a ModelFailure if the library, an optional dependency, is not installed.
 */
export async function createAnthropic({
  cache,
  ...connection
}: Connection & { readonly cache: boolean }): Promise<ModelClient['stream']> {
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
      // `messages.create` prints deprecation warnings to the console.
      const { data, request_id: requestId } = await anthropic
        .post<AsyncIterable<RawMessageStreamEvent>>('/v1/messages', request)
        .withResponse()
      yield* toPieces(data, failures, requestId)
    },
    toFailure(error) {
      if (!(error instanceof APIError)) return failures.brokenOff({ cause: error })
      const { status, type, requestID: requestId, headers, cause } = error
      const { success, output } = v.safeParse(ErrorBody, error.error)
      const text = success ? output.error.message : error.message
      return failures.of({ status, type, requestId, headers, text, cause })
    },
  })
}

/** Imported on first use, for a fast start. Inside `try`, bundlers let a missing package fail at run time. */
async function importLibrary() {
  try {
    return await import('@anthropic-ai/sdk')
  } catch (cause) {
    throw new ModelFailure(
      'uninstalled',
      'The package @anthropic-ai/sdk is not installed, so Anthropic models cannot be called. Run npm install @anthropic-ai/sdk, and restart the server.',
      { provider: 'Anthropic', cause },
    )
  }
}

const ErrorBody = v.object({ error: v.object({ message: v.string() }) })

const nothing: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheCreationInputTokens: 0,
  cacheReadInputTokens: 0,
}

/** Updates the usage with a report; missing counts stay unchanged. */
function counted(before: TokenUsage, report: Partial<MessageDeltaUsage> | undefined): TokenUsage {
  return {
    inputTokens: report?.input_tokens ?? before.inputTokens,
    outputTokens: report?.output_tokens ?? before.outputTokens,
    cacheCreationInputTokens: report?.cache_creation_input_tokens ?? before.cacheCreationInputTokens,
    cacheReadInputTokens: report?.cache_read_input_tokens ?? before.cacheReadInputTokens,
  }
}

/** Converts message events to pieces of an answer. Throws if the answer was declined, cut or broken off. */
async function* toPieces(
  events: AsyncIterable<RawMessageStreamEvent>,
  failures: Failures,
  requestId: string | null | undefined,
): AsyncGenerator<ModelPiece> {
  let usage = nothing
  let isTool = false
  let isOver = false
  let stop: string | null = null
  let thought = { text: '', seal: '' }
  for await (const event of events) {
    switch (event.type) {
      case 'message_start':
        usage = counted(usage, event.message?.usage)
        yield { type: 'usage', usage }
        break
      case 'content_block_start':
        isTool = event.content_block.type === 'tool_use'
        if (event.content_block.type === 'tool_use')
          yield { type: 'tool_start', id: event.content_block.id, name: event.content_block.name }
        break
      case 'content_block_delta':
        if (event.delta.type === 'text_delta') yield { type: 'text', text: event.delta.text }
        if (event.delta.type === 'thinking_delta') {
          thought = { ...thought, text: thought.text + event.delta.thinking }
          yield { type: 'thinking', text: event.delta.thinking }
        }
        if (event.delta.type === 'signature_delta')
          thought = { ...thought, seal: thought.seal + event.delta.signature }
        if (event.delta.type === 'input_json_delta')
          yield { type: 'tool_input', json: event.delta.partial_json }
        break
      case 'content_block_stop':
        if (isTool) yield { type: 'tool_end' }
        isTool = false
        if (thought.seal !== '') yield { type: 'thought', thought }
        thought = { text: '', seal: '' }
        break
      case 'message_delta':
        usage = counted(usage, event.usage)
        stop = event.delta.stop_reason
        yield { type: 'usage', usage }
        break
      case 'message_stop':
        isOver = true
    }
  }
  if (stop === 'refusal') throw failures.refused({ requestId, type: stop })
  if (stop === 'max_tokens' || stop === 'model_context_window_exceeded')
    throw failures.truncated({ requestId, type: stop })
  if (!isOver) throw failures.brokenOff({ requestId })
  yield { type: 'stop', reason: stop === 'tool_use' ? 'tool' : 'end' }
}
