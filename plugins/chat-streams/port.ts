import { service } from '../../kernel/index.ts'

export { EventLog, type LogLimits, type Numbered, type Reader } from './event-log.ts'
export { afterSeq, lastSeen, resumeHeaders, Started } from './resume.ts'
export { createRun } from './run.ts'
export { runUnreachable } from './refusals.ts'
export { createSharing, type Elsewhere, type Sharing } from './shared/index.ts'
export { createRuns, type Runs, type StoredRun } from './runs.ts'

/** The current numbers of runs and readers. */
export interface StreamCounts {
  /** Requests waiting for their first reader. */
  readonly parked: number
  /** Runs in progress, with or without readers. */
  readonly active: number
  /** Runs that have ended and can still be read. */
  readonly ended: number
  /** Open connections. */
  readonly readers: number
}

/** The streams of chat, as other plugins see them. */
export interface ChatStreams {
  counts(): StreamCounts
}

export const chatStreams = service<ChatStreams>('chat.streams')
