import type { ImageBlockParam, MessageCreateParamsStreaming, TextBlockParam } from '@anthropic-ai/sdk/resources/messages'
import type { ModelCall, Picture, PromptText } from './port.ts'

/** As many marks for the cache as the provider takes. */
const mostMarks = 4

/** Writes a call as the Messages API takes it. Without the cache it is the same texts in the same order, unmarked. */
export function toRequest(call: ModelCall, { cache }: { readonly cache: boolean }): MessageCreateParamsStreaming {
  let marks = 0
  const mark = (keep: true | undefined) => {
    if (!cache || !keep || marks === mostMarks) return {}
    marks += 1
    return { cache_control: { type: 'ephemeral', ttl: '5m' } } as const
  }
  const toText = ({ text, keep }: PromptText): TextBlockParam => ({ type: 'text', text, ...mark(keep) })
  return {
    model: call.model,
    max_tokens: call.maxTokens,
    stream: true,
    tools: call.tools.map(({ name, description, input, keep }) => ({
      name,
      description,
      input_schema: { ...input, type: 'object' },
      eager_input_streaming: true,
      ...mark(keep),
    })),
    ...(call.tools.length > 0 && { tool_choice: call.forcedTool === undefined ? { type: 'auto' } : { type: 'tool', name: call.forcedTool } }),
    system: call.system.map(toText),
    messages: call.messages.map(({ role, pictures = [], texts }) => ({ role, content: [...pictures.map(toImage), ...texts.map(toText)] })),
    ...(call.answer && { output_config: { format: { type: 'json_schema', schema: { ...call.answer } } } }),
    ...(call.thinkingTokens !== undefined && { thinking: { type: 'enabled', budget_tokens: call.thinkingTokens } }),
  }
}

const toImage = ({ type, bytes }: Picture): ImageBlockParam => ({
  type: 'image',
  source: { type: 'base64', media_type: type, data: Buffer.from(bytes).toString('base64') },
})
