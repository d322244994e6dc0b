/** How much a call may think and cost; the operator says which model stands for which tier. */
export const modelTiers = ['fast', 'balanced', 'reasoning', 'codex'] as const
export type ModelTier = (typeof modelTiers)[number]

/** A text of a prompt. */
export interface PromptText {
  readonly text: string
  /** The provider may keep everything up to the end of this text for five minutes. At most four in one call. */
  readonly keep?: true
}

/** What the model may call instead of answering in prose. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  /** A JSON Schema of an object. */
  readonly input: Readonly<Record<string, unknown>>
  readonly keep?: true
}

/** The kinds of pictures that a model can look at. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

/** A picture that the model looks at. */
export interface Picture {
  readonly type: (typeof pictureTypes)[number]
  readonly bytes: Uint8Array
}

/** A call of a tool, as a model asked for it. */
export interface ToolUse {
  /** Names the call to its result. */
  readonly id: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

/** What came of a call of a tool. */
export interface ToolResult {
  readonly id: string
  readonly text: string
  readonly pictures?: readonly Picture[]
  readonly isError?: boolean
}

/** What a model thought, sealed by its provider, which gets it back with the turn that it belongs to. */
export interface Thought {
  readonly text: string
  readonly seal: string
}

/** One turn of the conversation. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant'
  /** They go out before the texts. */
  readonly pictures?: readonly Picture[]
  readonly texts: readonly PromptText[]
  /** Of the model: they go out before the texts. */
  readonly thoughts?: readonly Thought[]
  /** Of the model: each has to have its result in the next turn. They go out after the texts. */
  readonly toolUses?: readonly ToolUse[]
  /** Of the user: they go out before everything else. */
  readonly toolResults?: readonly ToolResult[]
}

/** How much a model may think: `effort` where it decides that by itself, else a number of tokens. */
export interface Thinking {
  readonly tokens: number
  readonly effort: 'low' | 'medium' | 'high'
}

/** One request to a model. Its parts go out in this order: tools, system, messages. */
export interface ModelCall {
  readonly model: string
  readonly maxTokens: number
  readonly tools: readonly ModelTool[]
  /** The tool that has to be called, as far as the model can be made to; without it the model chooses. */
  readonly forcedTool?: string | undefined
  readonly system: readonly PromptText[]
  readonly messages: readonly ModelMessage[]
  /** It may think before it answers; not together with `forcedTool`. */
  readonly thinking?: Thinking | undefined
  /** How freely it chooses its words, from 0; left out where the model takes none, or thinks. */
  readonly temperature?: number | undefined
  /** The JSON Schema of an answer without tools; without it the model answers in words. */
  readonly answer?: Readonly<Record<string, unknown>> | undefined
}

/** Tokens of one call so far. What was cached is counted apart, because it is priced apart. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheCreationInputTokens: number
  readonly cacheReadInputTokens: number
}

/** A piece of an answer, in the order in which it was written. */
export type ModelPiece =
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  /** What it thought, whole and sealed, where the provider seals it. */
  | { readonly type: 'thought'; readonly thought: Thought }
  /** The id names the call to its result; it may be left out where the model calls one tool a turn. */
  | { readonly type: 'tool_start'; readonly id?: string; readonly name: string }
  /** The next part of the tool's input, a JSON text that may be cut anywhere but inside a character. */
  | { readonly type: 'tool_input'; readonly json: string }
  | { readonly type: 'tool_end' }
  /** Replaces what was told before of this call. */
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'stop'; readonly reason: 'tool' | 'end' }

/** A language model behind one key. */
export interface ModelClient {
  /** As requests and the status of the planner name it, such as `anthropic`. */
  readonly provider: string
  /** The model of a tier. */
  modelOf(tier: ModelTier): string
  /** Milliseconds that a whole call may take. */
  readonly timeoutMs: number
  /** The model that looks at pictures. */
  readonly seeingModel: string
  /**
   * Makes one call and tells its pieces as they arrive. It is not repeated here: only the caller knows what became of
   * the pieces so far. Throws a {@link ModelFailure}; leaving the loop or aborting closes the connection.
   */
  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelPiece>
}
