import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import {
  isHoldable,
  longestPrefix,
  type ModelCall,
  type ModelMessage,
  models,
  type Picture,
  type PromptText,
  type Thinking,
  type ToolResult,
  type Traits,
} from '../port.ts'

/** The maximum number of cache breakpoints. */
const maxBreakpoints = 4
/** The maximum number of optional properties of strict tools. */
const maxOptional = 24
/** Added to the length limit of the answer, which includes adaptive reasoning. */
const reasoningTokens = 8192

/** Converts a call to a request of the Messages API. Without `cache` it omits the breakpoints. */
export function toRequest(
  call: ModelCall,
  { cache }: { readonly cache: boolean },
): MessageCreateParamsStreaming {
  let breakpoints = 0
  const mark = (keep: true | undefined) => {
    if (!cache || !keep || breakpoints === maxBreakpoints) return {}
    breakpoints += 1
    return { cache_control: { type: 'ephemeral', ttl: '5m' } } as const
  }
  const traits = traitsOf(call.model)
  const { thinking, effort } = thinkingOf(call, traits)
  const isForced = call.forcedTool !== undefined && traits.isForcible
  const toText = ({ text, keep }: PromptText): TextBlockParam => ({ type: 'text', text, ...mark(keep) })
  return {
    model: call.model,
    max_tokens: call.maxTokens + (thinking?.type === 'adaptive' ? reasoningTokens : 0),
    stream: true,
    tools: call.tools.map(({ name, description, input, keep }) => ({
      name,
      description,
      input_schema: { ...input, type: 'object' },
      ...(traits.isStrict && isHoldable(input, maxOptional)
        ? { strict: true }
        : { eager_input_streaming: true }),
      ...mark(keep),
    })),
    ...(call.tools.length > 0 && {
      tool_choice: isForced ? { type: 'tool', name: call.forcedTool } : { type: 'auto' },
    }),
    system: call.system.map(toText),
    messages: call.messages.map(({ role, pictures = [], texts, ...rest }) => ({
      role,
      content: [...before(rest), ...pictures.map(toImage), ...texts.map(toText), ...after(rest)],
    })),
    ...(call.temperature !== undefined &&
      traits.isTempered &&
      !thinking && { temperature: call.temperature }),
    ...(effort && { output_config: { effort } }),
    ...(thinking && { thinking }),
  }
}

/** Configures reasoning, or disables it for models that support that. */
function thinkingOf(
  { thinking }: ModelCall,
  traits: Traits,
): Pick<MessageCreateParamsStreaming, 'thinking'> & Pick<Partial<Thinking>, 'effort'> {
  if (traits.thinking === 'budget')
    return thinking ? { thinking: { type: 'enabled', budget_tokens: thinking.tokens } } : {}
  if (traits.thinking === 'none') return {}
  if (thinking) return { thinking: { type: 'adaptive', display: 'summarized' }, effort: thinking.effort }
  return traits.stop ? { thinking: { type: traits.stop } } : { thinking: { type: 'adaptive' }, effort: 'low' }
}

const before = ({
  thoughts = [],
  toolResults = [],
}: Pick<ModelMessage, 'thoughts' | 'toolResults'>): readonly ContentBlockParam[] => [
  ...thoughts.map(({ text, seal }) => ({ type: 'thinking' as const, thinking: text, signature: seal })),
  ...toolResults.map(toResult),
]

const after = ({ toolUses = [] }: Pick<ModelMessage, 'toolUses'>): readonly ContentBlockParam[] =>
  toolUses.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }))

const toResult = ({ id, text, pictures = [], isError = false }: ToolResult): ToolResultBlockParam => ({
  type: 'tool_result',
  tool_use_id: id,
  content: [{ type: 'text', text }, ...pictures.map(toImage)],
  ...(isError && { is_error: true }),
})

const toImage = ({ type, bytes }: Picture): ImageBlockParam => ({
  type: 'image',
  source: { type: 'base64', media_type: type, data: Buffer.from(bytes).toString('base64') },
})

/** Models of other vendors behind gateways with the same protocol. */
const foreign: Traits = { thinking: 'none', isForcible: true, isStrict: false, isTempered: true }

const withTraits = models.flatMap(({ prefix, traits }) => (traits ? [{ prefix, traits }] : []))

/** Returns the capabilities of a model; a gateway may add its own prefix to the name. */
export function traitsOf(model: string): Traits {
  const name = model.slice(Math.max(0, model.indexOf('claude-')))
  return longestPrefix(name, withTraits)?.traits ?? foreign
}
