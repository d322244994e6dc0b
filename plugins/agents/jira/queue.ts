import type { Clock, Logger } from '../../../kernel/index.ts'
import type { Job, Jobs } from '../../jobs/port.ts'
import type { Store } from '../../store/port.ts'
import { remember } from './records.ts'
import { refusals } from './refusals.ts'
import type { Result } from './schemas.ts'
import {
  type TicketRequest,
  type Running,
  scope,
  type Ticket,
  tickets as rows,
  type Tickets,
} from './tickets.ts'

/** A run with exclusive use of a ticket. */
export interface Claimed {
  readonly key: string
  readonly run: string
  readonly requests: readonly TicketRequest[]
}

export interface QueueContext {
  readonly store: Store
  readonly jobs: Jobs
  readonly tickets: Tickets
  readonly clock: Clock
  readonly log: Logger
  /** Does the work; throws only if the service stops, or the ticket is lost to another process. */
  readonly work: (claimed: Claimed, signal: AbortSignal) => Promise<Result>
  /** Reports a run whose process has ended. */
  readonly interrupted: (key: string, running: Running) => Promise<void>
  /** Receives results of runs. */
  readonly finished: (claimed: Claimed, result: Result) => void
  /** The maximum number of tickets handled at the same time. */
  readonly parallel: number
}

const mostPending = 5
const pollMs = 20_000

/** Creates the queue: one run per ticket at a time; requests during a run share one further run. */
export function createQueue(context: QueueContext) {
  const { store, jobs, tickets, clock, log, work, interrupted, finished, parallel } = context

  /** Takes the requests of a ticket for a run; returns none if there are none, or if the ticket is lost. */
  const begin = (job: Job<Ticket>): Promise<readonly TicketRequest[]> =>
    store.transaction(async (tx) => {
      let requests: readonly TicketRequest[] = []
      if (!(await queue.holds(tx, job))) return requests
      await tickets.changeIn(tx, job.key, ({ pending }) => {
        requests = pending
        const [first] = pending
        const state = job.body.running && { state: 'failed' as const }
        const started = { run: job.claim, startedAt: clock.now().toISOString() }
        const running = first && { ...started, mode: first.mode, queuedAt: first.at }
        return { pending: [], running, ...state }
      })
      if (requests.length === 0) await queue.settle(tx, job, {})
      return requests
    })

  /** Works on a ticket; returns `undefined` if there is nothing to do. */
  const carryOut = async (job: Job<Ticket>, signal: AbortSignal): Promise<Result | undefined> => {
    const { key, claim: run, body } = job
    if (body.running) await interrupted(key, body.running)
    const requests = await begin(job)
    if (requests.length === 0) return undefined
    const claimed = { key, run, requests }
    const result = await work(claimed, signal)
    await store.transaction(async (tx) => {
      if (await queue.settle(tx, job, {})) await tickets.changeIn(tx, key, () => ({ running: undefined }))
    })
    finished(claimed, result)
    return result
  }

  const options = { name: 'jira', rows, scope, where: { busy: 1 }, parallel, pollMs }
  const queue = jobs.queue({ ...options, work: carryOut, log })

  return {
    /** Stores a request durably, together with its delivery; returns false for a repeated delivery. */
    async add(key: string, request: TicketRequest, delivery?: readonly string[]): Promise<boolean> {
      const isNew = await store.transaction(async (tx) => {
        if (delivery !== undefined && !(await remember(tx, delivery, clock.now().getTime()))) return false
        await tickets.changeIn(tx, key, ({ pending }) => ({ pending: withRequest(pending, request) }))
        return true
      })
      if (isNew) queue.wake()
      return isNew
    },
    /** Runs a request now. Refuses with 409 `already_running`. */
    async run(key: string, request: TicketRequest): Promise<Result> {
      const job = await store.transaction(async (tx) => {
        await tickets.changeIn(tx, key, ({ running, pending }) => {
          if (running || pending.length > 0) throw refusals.alreadyRunning(key)
          return { pending: [request] }
        })
        return queue.claim(tx, key)
      })
      const failed = (err: unknown): undefined =>
        void log.warn({ err, issueKey: key }, 'a ticket run was interrupted')
      const result = job && (await queue.run(job, carryOut).catch(failed))
      if (!result) throw refusals.interrupted()
      return result
    },
    /** Reports interrupted runs and resumes pending requests. */
    start: queue.wake,
    close: queue.close,
  }
}

/** Adds a request to the pending ones, in place of an earlier equal one. */
function withRequest(pending: readonly TicketRequest[], request: TicketRequest): readonly TicketRequest[] {
  const others = pending.filter(({ mode, trigger }) => mode !== request.mode || trigger !== request.trigger)
  return [...others, request].slice(-mostPending)
}
