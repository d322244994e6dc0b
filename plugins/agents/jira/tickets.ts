import type { Clock } from '../../../kernel/index.ts'
import { jobColumns, unclaimed } from '../../jobs/port.ts'
import { defineCollection, trusted, type Store, type Transaction } from '../../store/port.ts'
import { removeOldest } from './records.ts'
import type { AnsweredComment, OwnComment } from './thread.ts'
import type { Trigger } from './routing.ts'
import type { Mode, JiraPerson } from './schemas.ts'

export type TicketState =
  | 'new'
  | 'reviewing'
  | 'waiting-answer'
  | 'waiting-approval'
  | 'executing'
  | 'preview'
  | 'publishing'
  | 'done'
  | 'failed'

/** Work requested by an event. */
export interface TicketRequest {
  readonly mode: Mode
  readonly trigger: Trigger
  readonly at: string
  /** The user who caused the event. */
  readonly user?: JiraPerson | undefined
  /** For a retry, the fingerprint of the thread. */
  readonly mark?: string
}

/** The run that works on a ticket, or ended without a known outcome. */
export interface Running {
  readonly run: string
  readonly mode: Mode
  readonly queuedAt: string
  readonly startedAt: string
}

/** The stored state of a ticket. */
export interface Ticket {
  readonly state: TicketState
  readonly comments: readonly OwnComment[]
  /** The draft that was changed for the ticket, with its pages and its resulting version. */
  readonly draft?: { readonly siteId: string; readonly session: string }
  readonly touchedSlugs: readonly string[]
  readonly draftVersion?: number
  readonly answered?: AnsweredComment
  /** A hash of the summary and description at the last review. */
  readonly described?: string
  /** The addresses of stored images, by the address of their attachment. */
  readonly images: readonly (readonly [string, string])[]
  readonly pending: readonly TicketRequest[]
  readonly running?: Running | undefined
  readonly updatedAt: string
}

/** The tickets; the busy ones are jobs. */
export const tickets = defineCollection('jira_tickets', trusted<Ticket>(), {
  columns: { updated: 'integer', busy: 'integer', ...jobColumns },
  indexes: ['updated', 'busy', 'due'],
})

export const scope = 'ticket'
/** The maximum number of idle tickets; older ones are removed. */
const mostTickets = 200
const mostComments = 100

export type Tickets = ReturnType<typeof createTickets>

export function createTickets({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  const blank = (): Ticket => ({
    state: 'new',
    comments: [],
    touchedSlugs: [],
    images: [],
    pending: [],
    updatedAt: clock.now().toISOString(),
  })
  /** Stores the result of `change` for a ticket unless it is `undefined`, and returns it. */
  const changeIn = async <T extends Partial<Ticket> | undefined>(
    tx: Transaction,
    key: string,
    change: (ticket: Ticket) => T,
  ): Promise<T> => {
    const writer = tx.of(tickets)
    const before = await writer.get(scope, key)
    const ticket = before?.body ?? blank()
    const changed = change(ticket)
    if (changed === undefined) return changed
    const now = clock.now()
    const updated = now.getTime()
    const after: Ticket = { ...ticket, ...changed, updatedAt: now.toISOString() }
    const body = { ...after, comments: after.comments.slice(-mostComments) }
    const busy = body.running || body.pending.length > 0 ? 1 : 0
    const columns = { ...unclaimed, due: updated, ...before?.columns, updated, busy }
    const due = before?.columns.busy === 1 ? columns.due : updated
    await writer.put(scope, key, { body, columns: { ...columns, due } })
    if (!before) await removeOldest(writer, scope, mostTickets, { where: { busy: 0 }, orderBy: 'updated' })
    return changed
  }
  return {
    get: async (key: string): Promise<Ticket> => (await store.of(tickets).get(scope, key))?.body ?? blank(),
    change: <T extends Partial<Ticket> | undefined>(key: string, change: (ticket: Ticket) => T): Promise<T> =>
      store.transaction((tx) => changeIn(tx, key, change)),
    changeIn,
    /** Returns the keys of running and pending tickets. */
    busy: async (): Promise<readonly string[]> =>
      (await store.of(tickets).rows(scope, { where: { busy: 1 } })).map(({ key }) => key),
  }
}
