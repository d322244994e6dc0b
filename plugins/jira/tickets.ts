import type { Clock } from '../../kernel/index.ts'
import { defineCollection, trusted, type Store, type Transaction } from '../store/port.ts'
import type { CommentKind } from './comments.ts'
import type { Answered } from './thread.ts'
import type { Trigger } from './routing.ts'
import type { Mode, Person } from './schemas.ts'

export type TicketState = 'new' | 'reviewing' | 'waiting-answer' | 'waiting-approval' | 'executing' | 'preview' | 'publishing' | 'done' | 'failed'

/** What is to be done with a ticket, as an event asked for it. */
export interface Asked {
  readonly mode: Mode
  readonly trigger: Trigger
  readonly at: string
  /** The user who caused the event. */
  readonly user?: Person | undefined
  /** Of a retry: the thread that it is for. */
  readonly mark?: string
}

/** A comment that this service wrote; `at` in milliseconds since 1970 by the clock of Jira. */
export interface OwnComment {
  readonly id: string
  readonly kind: CommentKind
  readonly at: number
}

/** The run that has a ticket, and until which time in milliseconds since 1970 it can count on that. */
export interface Running {
  readonly run: string
  readonly mode: Mode
  readonly startedAt: string
  readonly until: number
}

/** What is kept of a ticket. */
export interface Ticket {
  readonly state: TicketState
  readonly comments: readonly OwnComment[]
  /** The draft that was changed for it, its pages, and its version after that. */
  readonly draft?: { readonly siteId: string; readonly session: string }
  readonly touchedSlugs: readonly string[]
  readonly draftVersion?: number
  /** The newest comment that a run knew. */
  readonly answered?: Answered
  /** A hash of what the ticket said when it was last reviewed. */
  readonly described?: string
  /** Addresses of stored pictures, by those of attachments. */
  readonly images: readonly (readonly [string, string])[]
  readonly pending: readonly Asked[]
  readonly running?: Running | undefined
  readonly updatedAt: string
}

const tickets = defineCollection('jira_tickets', trusted<Ticket>(), { columns: { updated: 'integer', busy: 'integer' }, indexes: ['updated', 'busy'] })

const scope = 'ticket'
/** Those that wait for nothing; the oldest of more are forgotten. */
const mostTickets = 200
const mostComments = 100

export interface Tickets {
  get(key: string): Promise<Ticket>
  /** Writes what `change` makes of a ticket, or nothing where it gives `undefined`; gives what it gave. */
  change<T extends Partial<Ticket> | undefined>(key: string, change: (ticket: Ticket) => T): Promise<T>
  /** The same as a part of a transaction. */
  changeIn<T extends Partial<Ticket> | undefined>(tx: Transaction, key: string, change: (ticket: Ticket) => T): Promise<T>
  /** The keys of tickets that are run, or wait for it. */
  busy(): Promise<readonly string[]>
}

/** Makes what keeps tickets. */
export function createTickets({ store, clock }: { readonly store: Store; readonly clock: Clock }): Tickets {
  const blank = (): Ticket => ({ state: 'new', comments: [], touchedSlugs: [], images: [], pending: [], updatedAt: clock.now().toISOString() })
  const changeIn: Tickets['changeIn'] = async (tx, key, change) => {
    const kept = tx.of(tickets)
    const before = await kept.get(scope, key)
    const ticket = before?.body ?? blank()
    const changed = change(ticket)
    if (changed === undefined) return changed
    const now = clock.now()
    const after: Ticket = { ...ticket, ...changed, updatedAt: now.toISOString() }
    const body = { ...after, comments: after.comments.slice(-mostComments) }
    await kept.put(scope, key, { body, columns: { updated: now.getTime(), busy: body.running || body.pending.length > 0 ? 1 : 0 } })
    const surplus = before ? 0 : (await kept.count(scope, { busy: 0 })) - mostTickets
    if (surplus > 0) for (const { key: oldest } of await kept.rows(scope, { where: { busy: 0 }, orderBy: 'updated', limit: surplus })) await kept.remove(scope, oldest)
    return changed
  }
  return {
    get: async (key) => (await store.of(tickets).get(scope, key))?.body ?? blank(),
    change: (key, change) => store.transaction((tx) => changeIn(tx, key, change)),
    changeIn,
    busy: async () => (await store.of(tickets).rows(scope, { where: { busy: 1 } })).map(({ key }) => key),
  }
}
