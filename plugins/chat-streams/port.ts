import { service } from '../../kernel/index.ts'

export { EventLog, type LogLimits, type Numbered } from './event-log.ts'
export { Reader } from './reader.ts'
export { createRuns, type Runs, type ShelvedRun } from './runs.ts'

/** How much the streams of chat hold at the moment. */
export interface StreamCounts {
  /** Requests that wait for their first reader. */
  readonly parked: number
  /** Runs that are under way, with or without readers. */
  readonly active: number
  /** Runs that have ended and can still be read again. */
  readonly ended: number
  /** Open connections. */
  readonly readers: number
}

/** The streams of chat, as other plugins see them. */
export interface ChatStreams {
  counts(): StreamCounts
}

export const chatStreams = service<ChatStreams>('chat.streams')
