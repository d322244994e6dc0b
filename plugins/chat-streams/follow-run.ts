import type { DraftId } from '../scope/port.ts'
import type { EventLog, Following, Reader } from './event-log.ts'
import type { EventBody } from './schemas.ts'
import { texts } from './texts.ts'

/** What another process needs to know to follow a run. */
export interface AboutRun {
  readonly of: DraftId
  readonly origin: string | undefined
  /** The last status. */
  readonly label: string
}

/**
 * Adds a reader that starts after the last event that it saw.
 *
 * If events after that were dropped, the reader gets the current state instead: the end of the run, or
 * the last status.
 */
export function followRun(
  events: EventLog<EventBody>,
  label: string = texts.begun,
  { after, ...reader }: Omit<Following<EventBody>, 'standIn'>,
): Reader<EventBody> {
  const { first, last } = events
  // A number beyond the last event is treated as the last one.
  if (Math.min(after, last) + 1 >= first) return events.follow({ ...reader, after })
  if (events.closed) return events.follow({ ...reader, after: last - 1 })
  return events.follow({ ...reader, after: last, standIn: { type: 'status', message: label, _seq: last } })
}
