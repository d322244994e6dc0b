import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages'
import type { Failures } from './failure.ts'
import type { ModelPiece, TokenUsage } from './port.ts'

interface ReportedUsage {
  readonly input_tokens?: number | null
  readonly output_tokens?: number | null
  readonly cache_creation_input_tokens?: number | null
  readonly cache_read_input_tokens?: number | null
}

const nothing: TokenUsage = { inputTokens: 0, outputTokens: 0, cacheCreationInputTokens: 0, cacheReadInputTokens: 0 }

/** What the counts are after a report; counts that it leaves out stay. */
function counted(before: TokenUsage, report: ReportedUsage | undefined): TokenUsage {
  return {
    inputTokens: report?.input_tokens ?? before.inputTokens,
    outputTokens: report?.output_tokens ?? before.outputTokens,
    cacheCreationInputTokens: report?.cache_creation_input_tokens ?? before.cacheCreationInputTokens,
    cacheReadInputTokens: report?.cache_read_input_tokens ?? before.cacheReadInputTokens,
  }
}

/**
 * Reads the events of a message as pieces of an answer.
 *
 * Throws where the answer is none: declined, cut off by its length, or ended by the connection before its own end.
 */
export async function* toPieces(events: AsyncIterable<RawMessageStreamEvent>, failures: Failures, requestId: string | null | undefined): AsyncGenerator<ModelPiece> {
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
        if (event.content_block.type === 'tool_use') yield { type: 'tool_start', id: event.content_block.id, name: event.content_block.name }
        break
      case 'content_block_delta':
        if (event.delta.type === 'text_delta') yield { type: 'text', text: event.delta.text }
        if (event.delta.type === 'thinking_delta') {
          thought = { ...thought, text: thought.text + event.delta.thinking }
          yield { type: 'thinking', text: event.delta.thinking }
        }
        if (event.delta.type === 'signature_delta') thought = { ...thought, seal: thought.seal + event.delta.signature }
        if (event.delta.type === 'input_json_delta') yield { type: 'tool_input', json: event.delta.partial_json }
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
  if (stop === 'max_tokens' || stop === 'model_context_window_exceeded') throw failures.truncated({ requestId, type: stop })
  if (!isOver) throw failures.brokenOff({ requestId })
  yield { type: 'stop', reason: stop === 'tool_use' ? 'tool' : 'end' }
}
