import type { ChatCompletionCreateParamsStreaming, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { isHoldable, type ModelCall, type ModelMessage, type Picture } from '../llm/port.ts'
import { ownAddress } from './settings.ts'

/**
 * Writes a call as the Chat Completions API takes it. How much a model thinks is said by its name; what it keeps for the next
 * call is for the provider to decide.
 */
export function toRequest(call: ModelCall, { baseUrl }: { readonly baseUrl: string }): ChatCompletionCreateParamsStreaming {
  const { model, maxTokens, tools, forcedTool, system, messages, answer } = call
  const isOwn = baseUrl === ownAddress
  const strict = (schema: unknown) => isOwn && isHoldable(schema, 0) && { strict: true }
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    // Other services know the older name alone.
    ...(isOwn ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens }),
    messages: [{ role: 'system', content: textOf(system) }, ...messages.map(toMessage)],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input }) => ({ type: 'function', function: { name, description, parameters: { ...input }, ...strict(input) } })),
      tool_choice: forcedTool === undefined ? 'auto' : { type: 'function', function: { name: forcedTool } },
    }),
    ...(answer && { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { ...answer }, ...strict(answer) } } }),
  }
}

const textOf = (texts: ModelMessage['texts']): string => texts.map(({ text }) => text).join('\n\n')

function toMessage({ role, pictures = [], texts }: ModelMessage): ChatCompletionMessageParam {
  const text = textOf(texts)
  if (role === 'assistant' || pictures.length === 0) return { role, content: text }
  return { role, content: [...pictures.map((picture) => ({ type: 'image_url' as const, image_url: { url: toUrl(picture) } })), { type: 'text', text }] }
}

const toUrl = ({ type, bytes }: Picture): string => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
