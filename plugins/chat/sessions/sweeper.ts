import type { Clock, Logger } from '../../../kernel/index.ts'
import type { Store } from '../../store/port.ts'
import type { Chains } from './chains.ts'
import { memories, pendingPlans, removeExpired } from './collections.ts'

const every = 5 * 60 * 1000

interface SweeperParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  readonly chains: Chains
}

/** Removes plans, memories and chains that are over, every few minutes, until it is stopped. */
export function startSweeper({ store, clock, log, chains }: SweeperParts): { stop(): void; sweep(): Promise<void> } {
  const sweep = (): Promise<void> => {
    chains.sweep()
    return store
      .transaction(async (tx) => {
        const now = clock.now().toISOString()
        await removeExpired(tx, pendingPlans, now)
        await removeExpired(tx, memories, now)
      })
      .catch((err: unknown) => log.warn({ err }, 'what is over in chat could not be removed; it is tried again'))
  }
  const timer = setInterval(() => void sweep(), every).unref()
  return { sweep, stop: () => clearInterval(timer) }
}
