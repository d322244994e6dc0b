import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, createKeyedQueue, type Ids } from '../../kernel/index.ts'
import { defineCollection, trusted, type Store } from '../store/port.ts'

/** The process that publishes a site, and the time in milliseconds after which others take over. */
export const turns = defineCollection(
  'publish_turns',
  trusted<{ readonly owner: string; readonly until: number }>(),
  { columns: {} },
)
const scope = 'turns'
/** Prolonged three times as often. */
const leaseMs = 30_000
const lookEveryMs = 100

interface TurnsGiven {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
}

/** Creates the turns of publishes: those of one site run one at a time, in all processes of the store. */
export function createTurns({ store, clock, ids }: TurnsGiven) {
  const queue = createKeyedQueue()
  const owner = ids.uuid()

  /** Takes or prolongs the turn of a site; returns whether no other process has it. */
  const take = (site: string): Promise<boolean> =>
    store.transaction(async (tx) => {
      const held = (await tx.of(turns).get(scope, site))?.body
      const now = clock.now().getTime()
      if (held && held.owner !== owner && held.until > now) return false
      await tx.of(turns).put(scope, site, { body: { owner, until: now + leaseMs }, columns: {} })
      return true
    })

  const end = (site: string): Promise<unknown> =>
    store.transaction(async (tx) => {
      const held = await tx.of(turns).get(scope, site)
      return held?.body.owner === owner && tx.of(turns).remove(scope, site)
    })

  async function inTurn<T>(site: string, work: () => Promise<T>): Promise<T> {
    while (!(await take(site))) await pause(lookEveryMs)
    // If the store is away, the lease ends by itself.
    const timer = setInterval(() => void take(site).catch(() => undefined), leaseMs / 3)
    try {
      return await work()
    } finally {
      clearInterval(timer)
      await end(site).catch(() => undefined)
    }
  }

  return {
    run: <T>(site: string, work: () => Promise<T>): Promise<T> =>
      queue.run(site, () => (store.channel ? inTurn(site, work) : work())),
    idle: queue.idle,
  }
}
