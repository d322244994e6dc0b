import { type CallerLimits, service } from '../../../kernel/index.ts'
import type { Actor } from '../../draft/port.ts'
import type { Picture, TokenUsage } from '../../models/port.ts'
import type { DraftId } from '../../scope/port.ts'
import type { AgentBody, ContentEvent, VariationSet } from './schemas.ts'
import type { AgentLoop, ToolCallRecord } from './loop-types.ts'

export { defineLoopTool, excerptOf, toolAnswer } from './loop-tool.ts'
export { notTheStarter, streamGone, streamRequired, tooManyReaders, tooManyRuns } from './refusals.ts'
export type {
  AgentLoop,
  LoopAnswer,
  LoopCall,
  LoopEvent,
  LoopLimits,
  LoopResult,
  LoopRun,
  LoopTool,
  ToolCallRecord,
} from './loop-types.ts'
export { createRunStreams, type RunState } from './run-streams.ts'
export { Heartbeat, type RunHandle } from './streamed-run.ts'
export { splitSuggestions } from './wording.ts'

/** Lets a model work with tools, turn by turn, within limits. */
export const agentLoop = service<AgentLoop>('agent.loop')

export type { ContentEvent } from './schemas.ts'

export interface ContentRun {
  readonly id: DraftId
  /** The request of a person or a ticket; external parts are data. */
  readonly message: string
  readonly context?: ContentContext | undefined
  /** Images for the model, shown with the message. */
  readonly pictures?: readonly Picture[] | undefined
  readonly channel: 'agent' | 'jira'
  /** The source of its changes in the version log. */
  readonly source: 'agent' | 'jira'
  readonly actor: Actor
  /** True if a person started it: what a plan of chat would ask for waits for an approval. Default: false. */
  readonly asks?: boolean | undefined
  /** The limits of the caller: a change asks for `edit`. */
  readonly limits?: CallerLimits | undefined
  /** Default: the configured model. */
  readonly model?: string | undefined
  /** The id of the run in the log; default: a generated id. */
  readonly traceId?: string | undefined
  onEvent?(event: ContentEvent): void
  /** Reports the current stage for heartbeats. */
  at?(stage: string, label: string): void
  readonly signal: AbortSignal
}

/** The current page and selection, and the declarations of the site, as in a request; without a slug, `/`. */
export type ContentContext = Partial<
  Omit<AgentBody, 'message' | 'siteId' | 'session' | 'client' | 'model'>
> & {
  /** External data of the message, such as comments of a ticket; fenced in the prompt. */
  readonly attached?: readonly { readonly title: string; readonly text: string }[] | undefined
}

export interface HeldPlan {
  readonly id: string
  /** One sentence per operation, in the future tense. */
  readonly changes: readonly string[]
  /** Why it needs an approval. */
  readonly destructiveReasons: readonly string[]
}

export interface ContentOutcome {
  /** `error` if the run failed; earlier changes stay, as one undo step. */
  readonly status: 'applied' | 'error'
  /** For people; an error names the remedy. */
  readonly summary: string
  readonly suggestions: readonly string[]
  /** One short sentence per applied operation. */
  readonly changes: readonly string[]
  /** The changed pages, in the order of the changes. */
  readonly slugs: readonly string[]
  readonly previewVersion: number
  readonly focusBlockId?: string | undefined
  readonly opCount: number
  readonly toolCalls: readonly ToolCallRecord[]
  readonly usage: TokenUsage
  /** `null` if the price of the model is unknown. */
  readonly costUsd: number | null
  readonly modelUsed: string
  readonly provider: string
  /** The changes that wait for an approval, in the draft's pending plan; not in `changes`. */
  readonly pending?: HeldPlan | undefined
  /** Proposals for one block, for a person to choose from; none of them is applied. */
  readonly variations?: VariationSet | undefined
  /** The id of the run in the log. */
  readonly traceId: string
  /** The limit that ended the run early. */
  readonly limitReached?: 'tool_limit' | 'turn_limit' | 'budget' | 'deadline' | undefined
}

/** Edits content on request; its only tools are typed operations and look-ups. */
export interface ContentAgent {
  /** Refuses with 501 `agent_not_configured` and 500 `agent_key_unrecognized`; call it before other work. */
  check(): void
  /** Runs a request; its changes are one log entry and one undo step, and stay if it rejects on `signal`. */
  run(run: ContentRun): Promise<ContentOutcome>
}

export const contentAgent = service<ContentAgent>('agent.content')
