import type {
  LoopClient,
  ModelMessage,
  Picture,
  PromptText,
  Thinking,
  TokenUsage,
} from '../../models/port.ts'
import type { DraftId } from '../../scope/port.ts'
import type { AnyTool } from '../../tools/port.ts'

/** The result of a tool call, for the model. */
export interface LoopAnswer {
  readonly text: string
  readonly pictures?: readonly Picture[]
  readonly isError?: boolean
}

/** What a tool knows about its call. */
export interface LoopCall {
  readonly id: string
  readonly signal: AbortSignal
}

/**
 * A tool of one run; `defineLoopTool` creates one from a valibot schema. The model sees the reason of a
 * rejected Refusal, else a general sentence.
 */
export type LoopTool = AnyTool<LoopCall, LoopAnswer>

export interface LoopLimits {
  /** The maximum number of calls of the model, without retries. */
  readonly maxTurns: number
  readonly maxToolCalls: number
  /** The maximum number of tokens of one answer. */
  readonly maxTokens: number
  /** Milliseconds for the complete run. */
  readonly deadlineMs: number
  /** US dollars for the complete run; an unknown price counts as the dearest known. */
  readonly budgetUsd?: number | undefined
}

/** Progress of a run. */
export type LoopEvent =
  | { readonly type: 'turn'; readonly turn: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_start'; readonly id: string; readonly name: string }
  | {
      readonly type: 'tool_end'
      readonly id: string
      readonly name: string
      readonly text: string
      readonly isError: boolean
      readonly durationMs: number
      readonly record: ToolCallRecord
    }
  /** After every call of the model, the usage of the run so far, and its cost towards the budget. */
  | {
      readonly type: 'spent'
      readonly usage: TokenUsage
      readonly costUsd: number | null
      readonly countedUsd: number
    }

export interface LoopRun {
  /** The draft to which the usage is charged. */
  readonly of: DraftId
  readonly client: LoopClient
  readonly model: string
  readonly system: readonly PromptText[]
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly LoopTool[]
  readonly limits: LoopLimits
  /** Applies only to the first turn. */
  readonly thinking?: Thinking | undefined
  readonly temperature?: number | undefined
  onEvent?(event: LoopEvent): void
  readonly signal: AbortSignal
}

/** A tool call for records, without keys and with long texts cut. */
export interface ToolCallRecord {
  readonly name: string
  readonly input: unknown
  readonly durationMs: number
  /** At most 400 characters. */
  readonly resultExcerpt: string
  readonly isError: boolean
}

export interface LoopResult {
  /** The text of the last turn with text. */
  readonly text: string
  readonly toolCalls: readonly ToolCallRecord[]
  readonly turns: number
  readonly usage: TokenUsage
  /** `null` if the price of the model is unknown. */
  readonly costUsd: number | null
  readonly ended: 'end' | 'tool_limit' | 'turn_limit' | 'budget' | 'deadline'
}

/** Lets a model work with tools, turn by turn. */
export interface AgentLoop {
  /**
   * Runs until the model is done or a limit is reached. The calls of one turn run in order; unknown tools and
   * invalid arguments are reported to the model. Once the daily budget is spent, no model is called.
   *
   * Rejects with the reason of `signal`, and with a ModelFailure if the model does not answer, after one
   * retry on 429, 5xx and overload.
   */
  run(run: LoopRun): Promise<LoopResult>
}
