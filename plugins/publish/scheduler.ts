import { type Clock, type Logger, Refusal } from '../../kernel/index.ts'
import type { Store } from '../store/port.ts'
import { type Claimed, leaseMs, type ScheduledPublishes } from './scheduled.ts'

const brokenInside = { error: 'The publish failed inside the service. Its log says why.' }

/** Publishes what is due, also what became due while no process ran. The first `wake` starts it. */
export function createScheduler(context: {
  readonly scheduled: ScheduledPublishes
  readonly store: Pick<Store, 'transaction'>
  /** Publishes, logs, and ends the claim in the transaction of the log. */
  readonly publish: (claim: Claimed) => Promise<unknown>
  readonly clock: Clock
  /** Milliseconds between two looks for what other processes have scheduled. */
  readonly lookEveryMs: number
  readonly log: Logger
}) {
  const { scheduled, store, publish, clock, lookEveryMs, log } = context
  const active = new Set<Promise<void>>()
  let looking = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const warn = (claim: Claimed) => (err: unknown) =>
    log.warn({ err, scheduled: claim.key }, 'a scheduled publish could not be recorded and will be repeated')

  const run = async (claim: Claimed): Promise<void> => {
    const holding = setInterval(() => void scheduled.hold(claim).catch(warn(claim)), leaseMs / 3).unref()
    try {
      await publish(claim)
      wake()
    } catch (err) {
      log.error({ err, scheduled: claim.key }, 'a scheduled publish failed')
      const how = err instanceof Refusal && err.status === 503 ? 'later' : brokenInside
      await store.transaction((tx) => scheduled.end(tx, claim, how)).catch(warn(claim))
    } finally {
      clearInterval(holding)
    }
  }

  const look = async (): Promise<void> => {
    if (isClosed) return
    let wait = lookEveryMs
    try {
      const { claimed, next = Infinity } = await scheduled.claim()
      for (const claim of claimed) {
        const work: Promise<void> = run(claim).finally(() => active.delete(work))
        active.add(work)
      }
      wait = Math.min(wait, next - clock.now().getTime())
    } catch (err) {
      log.warn({ err }, 'scheduled publishes could not be read')
    }
    timer = setTimeout(wake, Math.max(wait, 0)).unref()
  }

  /** Looks for what is due, now and then at its time. */
  function wake(): void {
    clearTimeout(timer)
    if (!isClosed) looking = looking.then(look)
  }

  return {
    wake,
    /** Claims nothing more, and resolves when running publishes have ended. */
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await looking
      clearTimeout(timer)
      await Promise.all(active)
    },
  }
}
