import type { ContentBlockParam, ImageBlockParam, MessageCreateParamsStreaming, TextBlockParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages'
import type { ModelCall, ModelMessage, Picture, PromptText, Thinking, ToolResult } from './port.ts'
import { isHoldable } from './strict.ts'
import { traitsOf, type Traits } from './traits.ts'

/** As many marks for the cache as the provider takes. */
const mostMarks = 4
/** As many properties as a tool may leave open where the model is held to its schema. */
const mostOptional = 24
/** What a model thinks as it finds right counts towards its answer. */
const roomToThink = 8192

/** Writes a call as the Messages API takes it. Without the cache it is the same texts in the same order, unmarked. */
export function toRequest(call: ModelCall, { cache }: { readonly cache: boolean }): MessageCreateParamsStreaming {
  let marks = 0
  const mark = (keep: true | undefined) => {
    if (!cache || !keep || marks === mostMarks) return {}
    marks += 1
    return { cache_control: { type: 'ephemeral', ttl: '5m' } } as const
  }
  const traits = traitsOf(call.model)
  const { thinking, effort } = thinkingOf(call, traits)
  const isForced = call.forcedTool !== undefined && traits.isForcible
  const toText = ({ text, keep }: PromptText): TextBlockParam => ({ type: 'text', text, ...mark(keep) })
  return {
    model: call.model,
    max_tokens: call.maxTokens + (thinking?.type === 'adaptive' ? roomToThink : 0),
    stream: true,
    tools: call.tools.map(({ name, description, input, keep }) => ({
      name,
      description,
      input_schema: { ...input, type: 'object' },
      ...(traits.isStrict && isHoldable(input, mostOptional) ? { strict: true } : { eager_input_streaming: true }),
      ...mark(keep),
    })),
    ...(call.tools.length > 0 && { tool_choice: isForced ? { type: 'tool', name: call.forcedTool } : { type: 'auto' } }),
    system: call.system.map(toText),
    messages: call.messages.map(({ role, pictures = [], texts, ...rest }) => ({
      role,
      content: [...before(rest), ...pictures.map(toImage), ...texts.map(toText), ...after(rest)],
    })),
    ...(call.temperature !== undefined && traits.isTempered && !thinking && { temperature: call.temperature }),
    ...((call.answer || effort) && { output_config: { ...(effort && { effort }), ...(call.answer && { format: { type: 'json_schema', schema: { ...call.answer } } }) } }),
    ...(thinking && { thinking }),
  }
}

/** How a model is let think, or kept from it as far as it can be. */
function thinkingOf({ thinking }: ModelCall, traits: Traits): Pick<MessageCreateParamsStreaming, 'thinking'> & Pick<Partial<Thinking>, 'effort'> {
  if (traits.thinking === 'budget') return thinking ? { thinking: { type: 'enabled', budget_tokens: thinking.tokens } } : {}
  if (traits.thinking === 'none') return {}
  if (thinking) return { thinking: { type: 'adaptive', display: 'summarized' }, effort: thinking.effort }
  return traits.stop ? { thinking: { type: traits.stop } } : { thinking: { type: 'adaptive' }, effort: 'low' }
}

const before = ({ thoughts = [], toolResults = [] }: Pick<ModelMessage, 'thoughts' | 'toolResults'>): readonly ContentBlockParam[] =>
  [...thoughts.map(({ text, seal }) => ({ type: 'thinking' as const, thinking: text, signature: seal })), ...toolResults.map(toResult)]

const after = ({ toolUses = [] }: Pick<ModelMessage, 'toolUses'>): readonly ContentBlockParam[] =>
  toolUses.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }))

const toResult = ({ id, text, pictures = [], isError = false }: ToolResult): ToolResultBlockParam =>
  ({ type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text }, ...pictures.map(toImage)], ...(isError && { is_error: true }) })

const toImage = ({ type, bytes }: Picture): ImageBlockParam => ({
  type: 'image',
  source: { type: 'base64', media_type: type, data: Buffer.from(bytes).toString('base64') },
})
