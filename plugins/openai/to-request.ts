import type { ChatCompletionCreateParamsStreaming, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { isHoldable, type ModelCall, type ModelMessage, type Picture, type ToolUse } from '../llm/port.ts'
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
    messages: [{ role: 'system', content: textOf(system) }, ...messages.flatMap(toMessages)],
    ...(call.temperature !== undefined && !isFixed(model) && { temperature: call.temperature }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input }) => ({ type: 'function', function: { name, description, parameters: { ...input }, ...strict(input) } })),
      tool_choice: forcedTool === undefined ? 'auto' : { type: 'function', function: { name: forcedTool } },
    }),
    ...(answer && { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { ...answer }, ...strict(answer) } } }),
  }
}

const textOf = (texts: ModelMessage['texts']): string => texts.map(({ text }) => text).join('\n\n')

/** Models that think choose their words as they do. */
const isFixed = (model: string): boolean => /^(?:o\d|gpt-5)/.test(model)

function toMessages({ role, pictures = [], texts, toolUses = [], toolResults = [] }: ModelMessage): readonly ChatCompletionMessageParam[] {
  const text = textOf(texts)
  if (role === 'assistant') return [{ role, content: text, ...(toolUses.length > 0 && { tool_calls: toolUses.map(toToolCall) }) }]
  const results = toolResults.map(({ id, text, isError }) => ({ role: 'tool', tool_call_id: id, content: isError ? `Error: ${text}` : text }) as const)
  // A result of a tool is words alone here; its pictures follow.
  const shown = [...toolResults.flatMap((result) => result.pictures ?? []), ...pictures]
  if (shown.length > 0) return [...results, { role, content: [...shown.map(toImagePart), ...(text === '' ? [] : [{ type: 'text' as const, text }])] }]
  return results.length > 0 && text === '' ? results : [...results, { role, content: text }]
}

const toToolCall = ({ id, name, input }: ToolUse) => ({ id, type: 'function' as const, function: { name, arguments: JSON.stringify(input) } })

const toImagePart = (picture: Picture) => ({ type: 'image_url' as const, image_url: { url: toUrl(picture) } })

const toUrl = ({ type, bytes }: Picture): string => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
