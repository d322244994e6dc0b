import type { Clock } from '../../kernel/index.ts'
import { defineCollection, type Reader, type Store, type Writer } from '../store/port.ts'
import { Bucket, givenBack, refilled, taken, waitFor } from './bucket.ts'

/** Slows guessing down: by network, and for everyone together, so that many addresses do not help. */
export interface Throttle {
  /** Takes an attempt for a network and gives 0; or takes none and gives the milliseconds to wait for one. */
  take(network: string): Promise<number>
  /** Gives an attempt back, for a right password. */
  giveBack(network: string): Promise<void>
}

const columns = { at: 'integer' } as const
/** The stored buckets. */
export const attempts = defineCollection('auth_attempts', Bucket, { columns, indexes: ['at'] })

const scope = 'verify'
/** Without back-off, or one stranger could lock everybody out for long. */
const together = { key: 'all', backOff: false }
const ofNetwork = (network: string): Key => ({ key: `network:${network}`, backOff: true })
/** A bucket that nobody touched for a day is full. */
const forgetAfter = 24 * 60 * 60 * 1000
/** Old buckets that one attempt clears away: more than it makes. */
const clearedAtOnce = 4

interface Key {
  readonly key: string
  readonly backOff: boolean
}

/** Makes the throttle. Its state is stored: a restart brings no new attempts, and replicas share them. */
export function createThrottle({ store, clock }: { readonly store: Store; readonly clock: Clock }): Throttle {
  const now = (): number => clock.now().getTime()

  const read = async (from: Reader<Bucket, typeof columns>, { key, backOff }: Key): Promise<Bucket> =>
    refilled((await from.get(scope, key))?.body, now(), backOff)

  const wait = async (from: Reader<Bucket, typeof columns>, keys: readonly Key[]): Promise<number> =>
    Math.max(...(await Promise.all(keys.map(async (key) => waitFor(await read(from, key), key.backOff)))))

  const change = async (
    within: Writer<Bucket, typeof columns>,
    keys: readonly Key[],
    how: (bucket: Bucket) => Bucket,
  ): Promise<void> => {
    for (const key of keys) {
      const body = how(await read(within, key))
      await within.put(scope, key.key, { body, columns: { at: body.at } })
    }
  }

  const forget = async (within: Writer<Bucket, typeof columns>): Promise<void> => {
    for (const { key, columns } of await within.rows(scope, { orderBy: 'at', limit: clearedAtOnce })) {
      if (columns.at < now() - forgetAfter) await within.remove(scope, key)
    }
  }

  return {
    async take(network) {
      const keys = [together, ofNetwork(network)]
      // Asked without a transaction first: a flood of guesses must not queue up before other writes.
      const early = await wait(store.of(attempts), keys)
      if (early > 0) return early
      return store.transaction(async (transaction) => {
        const within = transaction.of(attempts)
        const late = await wait(within, keys)
        if (late > 0) return late
        await forget(within)
        await change(within, keys, taken)
        return 0
      })
    },
    giveBack(network) {
      const keys = [together, ofNetwork(network)]
      return store.transaction((transaction) => change(transaction.of(attempts), keys, givenBack))
    },
  }
}
