import type { ContentBlockParam, ImageBlockParam, MessageCreateParamsStreaming, TextBlockParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages'
import { isPlainObject } from '../content/plain-object.ts'
import type { ModelCall, ModelMessage, Picture, PromptText, Thinking, ToolResult } from './model.ts'

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

/** What a model takes of what a call can ask for. */
export interface Traits {
  /** How it is let think: as long as it finds right, up to a number of tokens, or not at all. */
  readonly thinking: 'adaptive' | 'budget' | 'none'
  /** What stops it from thinking; `undefined` where nothing has to, or nothing can. */
  readonly stop?: 'disabled' | 'between_tools'
  /** A tool may be forced on it while it does not think. */
  readonly isForcible: boolean
  /** It may be held to the schema of a tool. */
  readonly isStrict: boolean
  /** It takes a temperature while it does not think. */
  readonly isTempered?: true
}

const byBudget: Traits = { thinking: 'budget', isForcible: true, isStrict: true, isTempered: true }
const adaptive: Traits = { thinking: 'adaptive', stop: 'disabled', isForcible: true, isStrict: true }
const newest: Traits = { thinking: 'adaptive', isForcible: false, isStrict: true }
/** Models of others, behind gateways that speak the same protocol. */
const foreign: Traits = { thinking: 'none', isForcible: true, isStrict: false, isTempered: true }

/** By the beginning of the name, as https://platform.claude.com/docs/en/build-with-claude/thinking had it in November 2026. */
const traitsByPrefix: Readonly<Record<string, Traits>> = {
  'claude-': newest,
  'claude-3': { ...byBudget, isStrict: false },
  'claude-haiku-4': byBudget,
  'claude-haiku-5': adaptive,
  'claude-sonnet-4': byBudget,
  'claude-sonnet-4-6': { ...adaptive, isTempered: true },
  'claude-sonnet-5': adaptive,
  'claude-sonnet-5-5': { ...newest, stop: 'between_tools' },
  'claude-opus-4': byBudget,
  'claude-opus-4-6': { ...adaptive, isTempered: true },
  'claude-opus-4-7': adaptive,
  'claude-opus-4-8': adaptive,
  'claude-opus-5': adaptive,
  'claude-opus-5-5': newest,
}

/** What a model takes; a gateway may write its own name before that of the model. */
export function traitsOf(model: string): Traits {
  const name = model.slice(Math.max(0, model.indexOf('claude-')))
  const [longest] = Object.keys(traitsByPrefix).filter((prefix) => name.startsWith(prefix)).toSorted((a, b) => b.length - a.length)
  return traitsByPrefix[longest ?? ''] ?? foreign
}

/** What a schema may say where a model is held to it; limits of numbers and lengths cannot be held. */
const holdable: ReadonlySet<string> = new Set(['type', 'description', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const'])

/** Tells whether a model can be held to the JSON Schema of a tool: every object is closed, and at most `mostOptional` properties may be left out. */
export function isHoldable(schema: unknown, mostOptional: number): boolean {
  return optionalIn(schema) <= mostOptional
}

/** How many properties may be left out; infinitely many where the schema says what cannot be held. */
function optionalIn(schema: unknown): number {
  if (!isPlainObject(schema) || Object.keys(schema).some((word) => !holdable.has(word))) return Infinity
  const { type, properties, required, additionalProperties, items } = schema
  if (type === 'array') return optionalIn(items)
  if (type !== 'object') return typeof type === 'string' || 'enum' in schema || 'const' in schema ? 0 : Infinity
  if (!isPlainObject(properties) || additionalProperties !== false) return Infinity
  const needed = Array.isArray(required) ? required.length : 0
  return Object.values(properties).reduce<number>((sum, each) => sum + optionalIn(each), Object.keys(properties).length - needed)
}
