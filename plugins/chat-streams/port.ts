import { service } from '../../kernel/index.ts'

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
