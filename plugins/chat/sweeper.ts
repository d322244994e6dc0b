import type { Clock, Logger } from '../../kernel/index.ts'
import type { Store } from '../store/port.ts'
import { memories, pendingPlans, removeExpired } from './collections.ts'

const every = 5 * 60 * 1000

/** Removes plans and memories that are over, every few minutes, until it is stopped. */
export function startSweeper({ store, clock, log }: { readonly store: Store; readonly clock: Clock; readonly log: Logger }): { stop(): void; sweep(): Promise<void> } {
  const sweep = (): Promise<void> =>
    store
      .transaction(async (tx) => {
        const now = clock.now().toISOString()
        await removeExpired(tx, pendingPlans, now)
        await removeExpired(tx, memories, now)
      })
      .catch((err: unknown) => log.warn({ err }, 'what is over in chat could not be removed; it is tried again'))
  const timer = setInterval(() => void sweep(), every).unref()
  return { sweep, stop: () => clearInterval(timer) }
}
