import { isPlainObject } from '../content/plain-object.ts'

/** Tiers of cost and reasoning; the operator configures the model of each tier. */
export const modelTiers = ['fast', 'balanced', 'reasoning', 'codex'] as const
export type ModelTier = (typeof modelTiers)[number]

/** A text of a prompt. */
export interface PromptText {
  readonly text: string
  /** Allows to cache everything up to the end of this text for five minutes. At most four per call. */
  readonly keep?: true
}

/** A tool that the model may call. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  /** The JSON Schema of an object. */
  readonly input: Readonly<Record<string, unknown>>
  readonly keep?: true
}

/** The image types that models accept. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

/** An image for a model. */
export interface Picture {
  readonly type: (typeof pictureTypes)[number]
  readonly bytes: Uint8Array
}

/** A tool call of a model. */
export interface ToolUse {
  /** Links the call to its result. */
  readonly id: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

/** The result of a tool call. */
export interface ToolResult {
  readonly id: string
  readonly text: string
  readonly pictures?: readonly Picture[]
  readonly isError?: boolean
}

/** Signed reasoning of a model, which is sent back to its provider with its turn. */
export interface Thought {
  readonly text: string
  readonly seal: string
}

/** One turn of the conversation. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant'
  /** Sent before the texts. */
  readonly pictures?: readonly Picture[]
  readonly texts: readonly PromptText[]
  /** Of the model; sent before the texts. */
  readonly thoughts?: readonly Thought[]
  /** Of the model; each requires its result in the next turn. Sent after the texts. */
  readonly toolUses?: readonly ToolUse[]
  /** Of the user; sent before everything else. */
  readonly toolResults?: readonly ToolResult[]
}

/** The limit of reasoning: `effort` for models that decide by themselves, `tokens` for others. */
export interface Thinking {
  readonly tokens: number
  readonly effort: 'low' | 'medium' | 'high'
}

/** One request to a model. Its parts are sent in this order: tools, system, messages. */
export interface ModelCall {
  readonly model: string
  readonly maxTokens: number
  readonly tools: readonly ModelTool[]
  /** The tool that must be called, if the model supports that; otherwise the model chooses. */
  readonly forcedTool?: string | undefined
  readonly system: readonly PromptText[]
  readonly messages: readonly ModelMessage[]
  /** Allows reasoning before the answer; not together with `forcedTool`. */
  readonly thinking?: Thinking | undefined
  /** Omitted with reasoning, and for models that do not support it. */
  readonly temperature?: number | undefined
}

/** The token counts of a call so far. Cached tokens have their own prices, so they are separate. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheCreationInputTokens: number
  readonly cacheReadInputTokens: number
}

/** A piece of an answer, in order of arrival. */
export type ModelPiece =
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  /** Complete signed reasoning, from providers that sign it. */
  | { readonly type: 'thought'; readonly thought: Thought }
  /** The id links the call to its result; optional for models that call one tool per turn. */
  | { readonly type: 'tool_start'; readonly id?: string; readonly name: string }
  /** The next part of the tool's JSON input; may be split anywhere except inside a character. */
  | { readonly type: 'tool_input'; readonly json: string }
  | { readonly type: 'tool_end' }
  /** Replaces the usage reported before. */
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'stop'; readonly reason: 'tool' | 'end' }

/** The language models of one provider, with one key. */
export interface ModelClient {
  /** The name in requests and in the planner status, such as `anthropic`. */
  readonly provider: string
  modelOf(tier: ModelTier): string
  /** The time limit of a call in milliseconds. */
  readonly timeoutMs: number
  /** The model that describes images; without one, images stay as they are. */
  readonly seeingModel?: string | undefined
  /**
   * Sends one call and yields its pieces as they arrive. Never retries: only the caller knows how the pieces
   * so far were used. Throws a {@link ModelFailure}; leaving the loop or aborting closes the connection.
   */
  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelPiece>
}

/** The JSON Schema keywords that strict tools support, which exclude limits of numbers and lengths. */
const strictKeywords: ReadonlySet<string> = new Set([
  'type',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
])

/** True if strict tools accept a schema: closed objects, and at most `maxOptional` optional properties. */
export function isHoldable(schema: unknown, maxOptional: number): boolean {
  return optionalIn(schema) <= maxOptional
}

/** Counts the optional properties; Infinity for a schema that strict tools do not support. */
function optionalIn(schema: unknown): number {
  if (!isPlainObject(schema) || Object.keys(schema).some((word) => !strictKeywords.has(word))) return Infinity
  const { type, properties, required, additionalProperties, items } = schema
  if (type === 'array') return optionalIn(items)
  if (type !== 'object')
    return typeof type === 'string' || 'enum' in schema || 'const' in schema ? 0 : Infinity
  if (!isPlainObject(properties) || additionalProperties !== false) return Infinity
  const needed = Array.isArray(required) ? required.length : 0
  return Object.values(properties).reduce<number>(
    (sum, each) => sum + optionalIn(each),
    Object.keys(properties).length - needed,
  )
}
