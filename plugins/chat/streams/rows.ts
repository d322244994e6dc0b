import { defineCollection, type Document, trusted } from '../../store/port.ts'

export type Phase = 'parked' | 'active' | 'ended'

/** An event with its number. */
export type Numbered<E> = E & { readonly _seq: number }

/** What every process reads about a run. */
export interface Head<E, A> {
  /** The start of its phase, in milliseconds since 1970. */
  readonly since: number
  readonly about: A
  /** The last event for readers if its process ends before the run does. */
  readonly lost: E
  /** What other processes ask of its process, by name, until that has read it. */
  readonly wishes: Readonly<Record<string, unknown>>
}

/** Some events of a run, one after the other, under the number of the last one. */
export interface Batch<E> {
  /** The number of the newest event that was dropped before they were written. */
  readonly lost: number
  readonly events: readonly Numbered<E>[]
  /** True if they are followed by no others. */
  readonly isLast: boolean
}

/**
 * The columns of a head: the draft and the process of the run, its phase, and its last sign of life in
 * milliseconds.
 */
const headColumns = { draft: 'text', owner: 'text', phase: 'text', at: 'integer' } as const
export type StoredHead<E, A> = Document<Head<E, A>, typeof headColumns>

/** The scope of all heads; the scope of events is the id of their run. */
export const everyRun = 'runs'

/** The collections of one kind of runs. */
export const runTables = <E, A>(kind: string) => ({
  heads: defineCollection(`${kind}_runs`, trusted<Head<E, A>>(), {
    columns: headColumns,
    indexes: ['draft', 'at'],
  }),
  events: defineCollection(`${kind}_run_log`, trusted<Batch<E>>(), { columns: {} }),
})
export type RunRows<E, A> = ReturnType<typeof runTables<E, A>>

/** The key of a batch that ends with this event. */
export const eventKey = (number: number): string => String(number).padStart(15, '0')
