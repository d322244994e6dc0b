import * as v from 'valibot'
import type { Clock } from '../../kernel/index.ts'
import { type Bus, defineEvent } from '../bus/port.ts'
import type { Store } from '../store/port.ts'
import type { Claims } from './claims.ts'
import { whileHeld } from './held.ts'
import type { Job, Queue, QueueOptions, Work } from './port.ts'

/** More is due than the process that says so can begin. */
const moreIsDue = defineEvent('jobs.due', v.object({ queue: v.string() }))

interface WorkerOptions<Body> extends Pick<
  QueueOptions<Body>,
  'name' | 'parallel' | 'pollMs' | 'work' | 'log'
> {
  readonly claims: Claims<Body>
  readonly leaseMs: number
  readonly store: Store
  readonly bus: Bus | undefined
  readonly clock: Clock
  /** Stops new claims. */
  readonly signal: AbortSignal
}

/** Creates the worker of a queue: claims what is due, one look at a time, and works on it. */
export function createWorker<Body>(options: WorkerOptions<Body>): Queue<Body> {
  const { name, claims, parallel, leaseMs, pollMs, work, store, bus, clock, log, signal } = options
  /** The ends of running jobs, with those of their claims. */
  const active = new Map<Promise<void>, number>()
  let polling: Promise<void> | undefined
  let isStale = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let announced = -Infinity

  async function run<R>(job: Job<Body>, work: Work<Body, R>): Promise<R> {
    const { promise, resolve } = Promise.withResolvers<void>()
    active.set(promise, job.until)
    const leave = (): void => (active.delete(promise), resolve())
    const prolong = async (): Promise<boolean> => {
      const until = await claims.prolong(job)
      if (active.has(promise)) active.set(promise, until ?? Infinity)
      return until !== undefined
    }
    try {
      const does = (lost: AbortSignal) => work(job, AbortSignal.any([signal, lost]))
      const result = await whileHeld(leaseMs, prolong, does)
      leave()
      wake()
      return result
    } catch (error) {
      // If the store is away, the lease ends by itself.
      await store.transaction((tx) => claims.settle(tx, job, 'unknown')).catch(() => undefined)
      leave()
      throw error
    }
  }

  const start = (job: Job<Body>): void =>
    void run(job, work).catch((err: unknown) =>
      log.warn({ err, queue: name, job: job.key }, 'a job has no known outcome and will be looked at again'),
    )

  /** Lets other processes look, at most once in the time after which they would anyway. */
  const announce = (): void => {
    if (performance.now() - announced < pollMs) return
    announced = performance.now()
    void bus?.publish(moreIsDue, { queue: name }).catch(() => undefined)
  }

  async function poll(): Promise<void> {
    let next = Infinity
    try {
      do {
        isStale = false
        const [room, now] = [parallel - active.size, clock.now().getTime()]
        // Else a process that stood still would take over its own work, and do it twice at a time.
        const isLate = active.values().some((until) => until <= now)
        // Every finished job looks again.
        if (room <= 0 || isLate || isClosed || signal.aborted) break
        const found = await claims.due(room, now)
        for (const job of found) start(job)
        if (found.length === room) announce()
        else next = await claims.next(now)
      } while (isStale)
    } catch (err) {
      log.warn({ err, queue: name }, 'jobs could not be read')
    }
    const waitMs = Math.min(Math.max(next - clock.now().getTime(), 0), pollMs)
    clearTimeout(timer)
    if (!isClosed && !signal.aborted) timer = setTimeout(wake, waitMs).unref()
  }

  function wake(): void {
    isStale = true
    polling ??= poll().finally(() => {
      polling = undefined
      if (isStale && !isClosed) wake()
    })
  }

  const hear = ({ queue }: { readonly queue: string }): void => void (queue === name && timer && wake())
  bus?.subscribe(moreIsDue, hear, { signal })

  return {
    wake,
    run,
    claim: claims.one,
    holds: claims.holds,
    settle: claims.settle,
    async close() {
      isClosed = true
      await polling
      clearTimeout(timer)
      await Promise.all(active.keys())
    },
  }
}
