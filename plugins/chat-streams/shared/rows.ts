import { defineCollection, trusted } from '../../store/port.ts'
import type { Numbered } from '../event-log.ts'

export type Phase = 'parked' | 'active' | 'ended'

/** What every process can read about a run. */
export interface Head<E, A> {
  /** The process that has the run. */
  readonly owner: string
  readonly phase: Phase
  readonly about: A
  /** The last event for readers if that process ends before the run does. */
  readonly lost: E
}

/** Some events of a run, one after the other. */
export interface Batch<E> {
  /** The number of the event before them. */
  readonly after: number
  readonly events: readonly Numbered<E>[]
  /** True if they are followed by no others. */
  readonly isLast: boolean
}

/** The scope of all heads; the scope of events is the id of their run. */
export const everyRun = 'runs'

/** The collections of one kind of runs. */
export const rowsOf = <E, A>(kind: string) => ({
  heads: defineCollection(`${kind}_run_heads`, trusted<Head<E, A>>(), {
    /** The draft of the run, and the time of its last sign of life in milliseconds. */
    columns: { draft: 'text', at: 'integer' },
    indexes: ['draft', 'at'],
  }),
  events: defineCollection(`${kind}_run_events`, trusted<Batch<E>>(), { columns: {} }),
})
export type Rows<E, A> = ReturnType<typeof rowsOf<E, A>>

/** The key of a batch that begins with this event. */
export const keyOf = (number: number): string => String(number).padStart(15, '0')
