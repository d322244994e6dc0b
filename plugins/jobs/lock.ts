import { setTimeout as pause } from 'node:timers/promises'
import { createKeyedQueue } from '../../kernel/index.ts'
import { defineCollection, trusted } from '../store/port.ts'
import type { ClaimServices } from './claims.ts'
import { defaultLeaseMs as leaseMs, whileHeld } from './held.ts'
import type { Lock } from './port.ts'

/** Who has the turn of (lock, key), and until when. */
export const turns = defineCollection('jobs_turns', trusted<Readonly<Record<never, never>>>(), {
  columns: { claim: 'text', until: 'integer' },
})
const pollIntervalMs = 100

/** Creates a lock. Within this process turns are in order of arrival; between processes they are not. */
export function createLock(name: string, { store, clock, ids }: ClaimServices): Lock {
  const queue = createKeyedQueue()

  /** Takes or prolongs a turn; returns whether it has it. */
  const take = (key: string, claim: string, isNew: boolean): Promise<boolean> =>
    store.transaction(async (tx) => {
      const now = clock.now().getTime()
      const found = (await tx.of(turns).get(name, key))?.columns
      const isFree = isNew && (found === undefined || found.until <= now)
      if (!isFree && found?.claim !== claim) return false
      await tx.of(turns).put(name, key, { body: {}, columns: { claim, until: now + leaseMs } })
      return true
    })

  const end = (key: string, claim: string): Promise<unknown> =>
    store.transaction(async (tx) => {
      const found = await tx.of(turns).get(name, key)
      return found?.columns.claim === claim && tx.of(turns).remove(name, key)
    })

  async function inTurn<R>(key: string, work: (signal: AbortSignal) => Promise<R>): Promise<R> {
    const claim = ids.uuid()
    while (!(await take(key, claim, true))) await pause(pollIntervalMs)
    try {
      return await whileHeld(leaseMs, () => take(key, claim, false), work)
    } finally {
      // If the store is away, the lease ends by itself.
      await end(key, claim).catch(() => undefined)
    }
  }

  return {
    run: (key, work) =>
      queue.run(key, () => (store.shared ? inTurn(key, work) : work(new AbortController().signal))),
    idle: queue.idle,
  }
}
