import type { LoopClient, ModelMessage, Picture, PromptText, Thinking, TokenUsage } from '../llm/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { JsonSchema } from '../tools/port.ts'

/** What a model is told of a call. */
export interface LoopAnswer {
  readonly text: string
  readonly pictures?: readonly Picture[]
  readonly isError?: boolean
}

/** A tool of one run; `defineLoopTool` makes one of a valibot schema. */
export interface LoopTool {
  readonly name: string
  readonly description: string
  /** A JSON Schema of an object. */
  inputSchema(): Promise<JsonSchema>
  /** Reads the arguments by itself. What it rejects with becomes an error for the model: the reason of a Refusal, else a general sentence. */
  run(input: unknown, call: { readonly id: string; readonly signal: AbortSignal }): Promise<LoopAnswer>
}

export interface LoopLimits {
  /** Calls of the model, retries apart. */
  readonly maxTurns: number
  readonly maxToolCalls: number
  /** Tokens of one answer. */
  readonly maxTokens: number
  /** Milliseconds for the whole run. */
  readonly deadlineMs: number
  /** Dollars for the whole run, as far as the price of the model is known. */
  readonly budgetUsd?: number | undefined
}

/** What is told of a run while it goes on. */
export type LoopEvent =
  | { readonly type: 'turn'; readonly turn: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool_end'; readonly id: string; readonly name: string; readonly text: string; readonly isError: boolean; readonly durationMs: number; readonly record: ToolCallRecord }
  /** After every call of the model: what the run took so far. */
  | { readonly type: 'spent'; readonly usage: TokenUsage; readonly costUsd: number | null }

export interface LoopRun {
  /** The draft whose usage it counts towards. */
  readonly of: DraftId
  readonly client: LoopClient
  readonly model: string
  readonly system: readonly PromptText[]
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly LoopTool[]
  readonly limits: LoopLimits
  /** For the first turn only. */
  readonly thinking?: Thinking | undefined
  readonly temperature?: number | undefined
  onEvent?(event: LoopEvent): void
  readonly signal: AbortSignal
}

/** A call of a tool, for records: without keys, and with long texts cut. */
export interface ToolCallRecord {
  readonly name: string
  readonly input: unknown
  readonly durationMs: number
  /** At most 400 characters. */
  readonly resultExcerpt: string
  readonly isError: boolean
}

export interface LoopResult {
  /** What the model said in the last turn in which it said something. */
  readonly text: string
  readonly toolCalls: readonly ToolCallRecord[]
  readonly turns: number
  readonly usage: TokenUsage
  /** `null` where the price of the model is not known. */
  readonly costUsd: number | null
  readonly ended: 'end' | 'tool_limit' | 'turn_limit' | 'budget' | 'deadline'
}

/** Lets a model work with tools, turn by turn. */
export interface AgentLoop {
  /**
   * Runs until the model is done or a limit is reached. The calls of one turn run in their order; unknown tools and bad
   * arguments are told the model. What it takes is added to the usage as it is spent; with the budget of the day spent it
   * calls nothing.
   *
   * Rejects with what `signal` aborted with, and with a ModelFailure where the model gives no answer, after one more try
   * at 429, 5xx and overload.
   */
  run(run: LoopRun): Promise<LoopResult>
}
