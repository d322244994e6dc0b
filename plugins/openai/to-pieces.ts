import type { ChatCompletionChunk } from 'openai/resources/chat/completions'
import type { Failures, ModelPiece, TokenUsage } from '../llm/port.ts'

type Finish = ChatCompletionChunk.Choice['finish_reason']

/**
 * Reads the chunks of a completion as pieces of an answer.
 *
 * Throws where the answer is none: declined, cut off by its length, or ended by the connection before its own end.
 */
export async function* toPieces(chunks: AsyncIterable<ChatCompletionChunk>, failures: Failures, requestId: string | null | undefined): AsyncGenerator<ModelPiece> {
  let finish: Finish = null
  let isDeclined = false
  let openTool: number | undefined
  let hasTool = false
  for await (const { choices, usage } of chunks) {
    if (usage) yield { type: 'usage', usage: toUsage(usage) }
    const [choice] = choices
    if (!choice) continue
    const { delta, finish_reason: reason } = choice
    if (delta.content) yield { type: 'text', text: delta.content }
    isDeclined ||= Boolean(delta.refusal)
    for (const { index, id, function: called } of delta.tool_calls ?? []) {
      if (index !== openTool) {
        if (openTool !== undefined) yield { type: 'tool_end' }
        yield { type: 'tool_start', id: id || `call_${index}`, name: called?.name ?? '' }
        openTool = index
        hasTool = true
      }
      if (called?.arguments) yield { type: 'tool_input', json: called.arguments }
    }
    finish = reason ?? finish
  }
  if (openTool !== undefined) yield { type: 'tool_end' }
  if (isDeclined || finish === 'content_filter') throw failures.refused({ requestId, type: finish })
  if (finish === 'length') throw failures.truncated({ requestId, type: finish })
  if (finish === null) throw failures.brokenOff({ requestId })
  yield { type: 'stop', reason: hasTool ? 'tool' : 'end' }
}

/** What was read from the cache is counted among the prompt. */
function toUsage({ prompt_tokens: prompt, completion_tokens: outputTokens, prompt_tokens_details: details }: NonNullable<ChatCompletionChunk['usage']>): TokenUsage {
  const cacheReadInputTokens = details?.cached_tokens ?? 0
  return { inputTokens: prompt - cacheReadInputTokens, outputTokens, cacheCreationInputTokens: 0, cacheReadInputTokens }
}
