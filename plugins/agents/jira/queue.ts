import {
  createKeyedQueue,
  type Clock,
  type Ids,
  type Logger,
  limitConcurrency,
} from '../../../kernel/index.ts'
import type { Store } from '../../store/port.ts'
import { remember } from './records.ts'
import { refusals } from './refusals.ts'
import type { Result } from './schemas.ts'
import type { Asked, Running, Ticket, Tickets } from './tickets.ts'

/** A run with exclusive use of a ticket. */
export interface Claimed {
  readonly key: string
  readonly run: string
  readonly asked: readonly Asked[]
}

export interface QueueContext {
  readonly store: Store
  readonly tickets: Tickets
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  /** Does the work; throws only if the service stops. */
  readonly work: (claimed: Claimed) => Promise<Result>
  /** Reports a run whose process has ended. */
  readonly interrupted: (key: string, running: Running) => Promise<void>
  /** Receives results of runs. */
  readonly finished: (claimed: Claimed, result: Result) => void
  /** The maximum number of tickets handled at the same time. */
  readonly parallel: number
  readonly signal: AbortSignal
  /** Milliseconds after which a run that was not extended counts as interrupted. */
  readonly leaseMs?: number
}

const mostPending = 5
const defaultLeaseMs = 60_000

/** Creates the queue: one run per ticket at a time; requests during a run share one further run. */
export function createQueue(context: QueueContext) {
  const { store, tickets, clock, ids, log, interrupted, parallel, signal, leaseMs = defaultLeaseMs } = context
  const limited = limitConcurrency(parallel)
  const active = new Map<string, Promise<Result | undefined>>()
  let timer: NodeJS.Timeout | undefined
  const now = (): number => clock.now().getTime()

  /** Unless the store is shared, a run that is not active in this process is gone. */
  const isHeld = ({ running }: Ticket): boolean =>
    running !== undefined && (active.has(running.run) || (store.shared && running.until > now()))

  /** Starts a run for the requests that `take` claims from a ticket, if any. */
  const begin = (key: string, take: (ticket: Ticket) => readonly Asked[]): Promise<Result | undefined> => {
    const run = ids.uuid()
    const claim = async (): Promise<Result | undefined> => {
      let asked: readonly Asked[] = []
      await tickets.change(key, (ticket) => {
        asked = take(ticket)
        const [first] = asked
        if (!first) return undefined
        const startedAt = clock.now().toISOString()
        const running = { run, mode: first.mode, queuedAt: first.at, startedAt, until: now() + leaseMs }
        return { pending: [], running }
      })
      return asked.length > 0 ? carryOut({ key, run, asked }, context) : undefined
    }
    const done = claim().finally(() => active.delete(run))
    active.set(run, done)
    return done
  }

  const waiting = createKeyedQueue()
  /** Works on a ticket after its earlier runs, if a request is pending. */
  const schedule = (key: string): void => {
    const take = ({ running, pending }: Ticket) => (running ? [] : pending)
    waiting
      .run(key, () => limited(async () => (signal.aborted ? undefined : begin(key, take))))
      .catch((err: unknown) => log.error({ err, issueKey: key }, 'a ticket run failed to start'))
  }

  const recover = async (): Promise<void> => {
    for (const key of await tickets.busy()) {
      const { running, pending } = await tickets.get(key)
      let gone: Running | undefined
      await tickets.change(key, (ticket) => {
        gone =
          ticket.running && !isHeld(ticket) && ticket.running.run === running?.run
            ? ticket.running
            : undefined
        return gone && { running: undefined, state: 'failed' as const }
      })
      if (gone) await interrupted(key, gone)
      if (pending.length > 0 && !waiting.has(key)) schedule(key)
    }
  }

  let recovering: Promise<void> | undefined
  /** Runs in the background, because Jira may be slow; one pass at a time. */
  const resume = (): void => {
    recovering ??= recover()
      .catch((err: unknown) => log.warn({ err }, 'interrupted tickets could not be resumed'))
      .finally(() => (recovering = undefined))
  }

  return {
    /** Stores a request durably, together with its delivery; returns false for a repeated delivery. */
    async add(key: string, asked: Asked, delivery?: readonly string[]): Promise<boolean> {
      const isNew = await store.transaction(async (tx) => {
        if (delivery !== undefined && !(await remember(tx, delivery, now()))) return false
        await tickets.changeIn(tx, key, ({ pending }) => ({ pending: withRequest(pending, asked) }))
        return true
      })
      if (!isNew) return false
      schedule(key)
      return true
    },
    /** Runs a request now. Refuses with 409 `already_running`. */
    async run(key: string, asked: Asked): Promise<Result> {
      let isFree = false
      const result = await begin(key, ({ running, pending }) => {
        isFree = running === undefined && pending.length === 0
        return isFree ? [asked] : []
      })
      if (!isFree) throw refusals.alreadyRunning(key)
      schedule(key)
      if (!result) throw refusals.interrupted()
      return result
    },
    /** Reports interrupted runs and resumes pending requests, now and periodically. */
    start(): void {
      resume()
      timer = setInterval(resume, leaseMs / 3).unref()
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await recovering
      await Promise.allSettled([...active.values(), waiting.idle()])
    },
  }
}

/** Adds a request to the pending ones, in place of an earlier equal one. */
function withRequest(pending: readonly Asked[], asked: Asked): readonly Asked[] {
  const others = pending.filter(({ mode, trigger }) => mode !== asked.mode || trigger !== asked.trigger)
  return [...others, asked].slice(-mostPending)
}

/** Does the work of a run while its claim is extended; returns `undefined` if it was interrupted. */
async function carryOut(
  claimed: Claimed,
  { tickets, clock, log, work, finished, leaseMs = defaultLeaseMs }: QueueContext,
): Promise<Result | undefined> {
  const { key, run } = claimed
  const extend = ({ running }: Ticket) =>
    running?.run === run ? { running: { ...running, until: clock.now().getTime() + leaseMs } } : undefined
  const holding = setInterval(() => {
    tickets
      .change(key, extend)
      .catch((err: unknown) =>
        log.warn({ err, issueKey: key }, 'the claim of a ticket could not be extended'),
      )
  }, leaseMs / 3).unref()
  try {
    const result = await work(claimed)
    await tickets.change(key, ({ running }) => (running?.run === run ? { running: undefined } : undefined))
    finished(claimed, result)
    return result
  } catch (err) {
    // The ticket stays marked as running: the next start reports it as interrupted.
    log.warn({ err, issueKey: key }, 'a ticket run was interrupted')
    return undefined
  } finally {
    clearInterval(holding)
  }
}
