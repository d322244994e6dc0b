import { service } from '../../kernel/index.ts'
import type { Actor } from '../draft/port.ts'
import type { Picture, TokenUsage } from '../llm/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { VariationSet } from './schemas.ts'
import type { AgentLoop, ToolCallRecord } from './loop-types.ts'

export { excerptOf, redacted } from './loop-tool.ts'
export { defineLoopTool } from './loop-tool.ts'
export type { AgentLoop, LoopAnswer, LoopEvent, LoopLimits, LoopResult, LoopRun, LoopTool, ToolCallRecord } from './loop-types.ts'
export { createRunStreams, type RunLimits, type RunStreamParts, type RunStreams } from './run-streams.ts'
export { type RunStart, type RunState } from './streamed-run.ts'
export { Heartbeat, RunCanceled, type RunHandle, type Work } from './streamed-run.ts'

/** Lets a model work with tools, turn by turn, within limits. */
export const agentLoop = service<AgentLoop>('agent.loop')

/** What is told of a run of the content agent while it goes on; streams of `/agent` tell the same. */
export type ContentEvent =
  | { readonly type: 'status'; readonly message: string }
  | { readonly type: 'summary_token'; readonly text: string }
  | { readonly type: 'op_applied'; readonly toolName: string; readonly previewVersion: number; readonly focusBlockId?: string }
  | { readonly type: 'changelog_entry'; readonly entry: string }
  | { readonly type: 'tool_error'; readonly toolName: string; readonly error: string }

export interface ContentRun {
  readonly id: DraftId
  /** What a person wants, or a ticket says; it is data as far as it comes from outside. */
  readonly message: string
  readonly context?: ContentContext | undefined
  /** The model looks at them beside the message. */
  readonly pictures?: readonly Picture[] | undefined
  readonly channel: 'agent' | 'jira'
  /** What the version log calls the source of its changes. */
  readonly source: 'agent' | 'jira'
  readonly actor: Actor
  /** The usual one without it. */
  readonly model?: string | undefined
  /** Names the run in the log; one is made without it. */
  readonly traceId?: string | undefined
  onEvent?(event: ContentEvent): void
  /** Says what the run is at, for heartbeats. */
  at?(stage: string, label: string): void
  readonly signal: AbortSignal
}

/** Where the person is, and what the site declares. */
export interface ContentContext {
  /** `/` without it. */
  readonly slug?: string | undefined
  readonly locale?: string | undefined
  readonly activeBlockId?: string | undefined
  readonly activeBlockType?: string | undefined
  readonly activeEditablePath?: string | undefined
  readonly sitePurpose?: string | undefined
  /** As `POST /ops` takes them. */
  readonly componentsManifest?: unknown
  readonly siteCapabilities?: unknown
  /** Data from outside that belongs to the message, such as comments of a ticket: fenced in the prompt. */
  readonly attached?: readonly { readonly title: string; readonly text: string }[] | undefined
}

export interface ContentOutcome {
  /** `error` where nothing could be done; what was changed before stays, as one undo. */
  readonly status: 'applied' | 'error'
  /** A sentence or more for people; of an error with the remedy. */
  readonly summary: string
  readonly suggestions: readonly string[]
  /** A short sentence for every operation that was applied. */
  readonly changes: readonly string[]
  /** Changed pages, in the order in which they were. */
  readonly slugs: readonly string[]
  readonly previewVersion: number
  readonly focusBlockId?: string | undefined
  readonly opCount: number
  readonly toolCalls: readonly ToolCallRecord[]
  readonly usage: TokenUsage
  /** `null` where the price of the model is not known. */
  readonly costUsd: number | null
  readonly modelUsed: string
  readonly provider: string
  /** What the model proposed for one block, for a person to choose from; nothing of it is applied. */
  readonly variations?: VariationSet | undefined
  /** Names the run in the log. */
  readonly traceId: string
  /** It ended before the model was done. */
  readonly limitReached?: 'tool_limit' | 'turn_limit' | 'budget' | 'deadline' | undefined
}

/** Edits content as it is asked to, with typed operations and look-ups alone. */
export interface ContentAgent {
  /** Refuses with 501 `agent_not_configured` and 500 `agent_key_unrecognized`: to be asked before anything is created. */
  check(): void
  /** All changes of a run are one entry of the log and one undo. Rejects with what `signal` aborted with; what was changed before stays. */
  run(run: ContentRun): Promise<ContentOutcome>
}

/** Edits content as it is asked to, with typed operations and look-ups alone. */
export const contentAgent = service<ContentAgent>('agent.content')
