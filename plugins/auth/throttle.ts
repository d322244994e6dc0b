import * as v from 'valibot'
import type { Clock } from '../../kernel/index.ts'
import { defineCollection, type Reader, type Store, type Writer } from '../store/port.ts'

/** A bucket of at most ten attempts, which refills over time. */
const Bucket = v.object({
  /** The attempts left, with fractions. */
  left: v.number(),
  /** The time of `left`, in epoch milliseconds. */
  at: v.number(),
  /** Wrong guesses since the last right one, or since the bucket was last full. */
  wrong: v.number(),
})
type Bucket = Readonly<v.InferOutput<typeof Bucket>>

interface Pace {
  /** Milliseconds until one more attempt. */
  readonly everyMs: number
  /** True if each wrong guess after the first ten doubles `everyMs`. */
  readonly backOff: boolean
}

const capacity = 10
/** The maximum number of doublings. */
const mostDoublings = 6

function interval({ wrong }: Bucket, { everyMs, backOff }: Pace): number {
  return backOff ? everyMs * 2 ** Math.min(Math.max(wrong - capacity, 0), mostDoublings) : everyMs
}

/** Returns the current state of a bucket; a full one has no wrong guesses. */
function refilled(bucket: Bucket | undefined, now: number, pace: Pace): Bucket {
  if (!bucket) return { left: capacity, at: now, wrong: 0 }
  const left = bucket.left + Math.max(0, now - bucket.at) / interval(bucket, pace)
  return left >= capacity ? { left: capacity, at: now, wrong: 0 } : { ...bucket, left, at: now }
}

/** Returns the milliseconds until the next attempt; 0 if one is available. */
function waitFor(bucket: Bucket, pace: Pace): number {
  return bucket.left >= 1 ? 0 : Math.ceil((1 - bucket.left) * interval(bucket, pace))
}

/** Takes an attempt, which counts as wrong unless it is given back. */
const taken = (bucket: Bucket): Bucket => ({ ...bucket, left: bucket.left - 1, wrong: bucket.wrong + 1 })

/** Returns an attempt after the right password. */
const givenBack = (bucket: Bucket): Bucket => ({
  ...bucket,
  left: Math.min(capacity, bucket.left + 1),
  wrong: 0,
})

export type Throttle = ReturnType<typeof createThrottle>

const columns = { at: 'integer' } as const
/** The stored buckets. */
export const attempts = defineCollection('auth_attempts', Bucket, { columns, indexes: ['at'] })

const scope = 'verify'
/** With the ten of a full bucket, at most sixty attempts in any minute. */
const together: Key = { key: 'all', everyMs: 1_200, backOff: false }
/** Five attempts a minute; after wrong guesses down to one in thirteen minutes. */
const ofNetwork = (network: string): Key => ({ key: `network:${network}`, everyMs: 12_000, backOff: true })
const mostWaiting = 100
const longestWaitMs = 5_000
/** A bucket that was unused for a day is full. */
const forgetAfterMs = 24 * 60 * 60 * 1000
/** The number of old buckets that one attempt deletes: more than it creates. */
const clearedAtOnce = 4

interface Key extends Pace {
  readonly key: string
}

/**
 * Limits guesses per network, and in total, so that many addresses do not help. The state is stored: a
 * restart does not reset it, and replicas share it.
 */
export function createThrottle({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  const now = (): number => clock.now().getTime()
  const enter = createQueue(clock)
  const countRecent = createRecentCounter(clock)

  const read = async (from: Reader<Bucket, typeof columns>, key: Key): Promise<Bucket> =>
    refilled((await from.get(scope, key.key))?.body, now(), key)

  /** Lower ranks go first. Requests of the surrounding network count little, because others use it too. */
  const rankOf = (network: string, { wrong }: Bucket): number =>
    wrong + countRecent(network) + Math.floor(Math.log2(1 + countRecent(`around ${aroundOf(network)}`)))

  const tryFor = (own: Key): Promise<Tried> =>
    store.transaction(async (transaction) => {
      const within = transaction.of(attempts)
      const late = waitFor(await read(within, own), own)
      if (late > 0) return { waitMs: late, keepsPlace: false }
      const pause = waitFor(await read(within, together), together)
      if (pause > 0) return { waitMs: pause, keepsPlace: true }
      await forget(within)
      await change(within, [together, own], taken)
      return { waitMs: 0, keepsPlace: false }
    })

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
      if (columns.at < now() - forgetAfterMs) await within.remove(scope, key)
    }
  }

  return {
    /**
     * Takes an attempt for a network. Resolves with 0, or with the milliseconds until the next attempt.
     *
     * While the total limit is exceeded, waits for up to five seconds. Networks with the fewest requests and
     * failures go first, so that an attack does not lock others out.
     */
    async take(network: string, signal: AbortSignal): Promise<number> {
      const own = ofNetwork(network)
      // Checks outside a transaction first, so that a flood of guesses does not delay other writes.
      const bucket = await read(store.of(attempts), own)
      const early = waitFor(bucket, own)
      return early > 0 ? early : enter(rankOf(network, bucket), signal, () => tryFor(own))
    },
    /** Returns an attempt after the right password. */
    giveBack(network: string): Promise<void> {
      const keys = [together, ofNetwork(network)]
      return store.transaction((transaction) => change(transaction.of(attempts), keys, givenBack))
    },
  }
}

/** The first 16 bits of an IPv4 address, or 32 of an IPv6 network: about the range of one provider. */
const aroundOf = (network: string): string => /^[^.:]+[.:][^.:]+/.exec(network)?.[0] ?? network

const windowMs = 60_000
/** The maximum number of keys in a window; beyond it, a new window starts early. */
const most = 10_000

/** Creates a counter that counts a key, and returns its previous count in the last minute or two. */
function createRecentCounter(clock: Clock): (key: string) => number {
  let since = 0
  let newer = new Map<string, number>()
  let older: ReadonlyMap<string, number> = new Map()
  return (key) => {
    const now = clock.now().getTime()
    if (now - since >= windowMs || newer.size >= most) [since, newer, older] = [now, new Map(), newer]
    const count = newer.get(key) ?? 0
    newer.set(key, count + 1)
    return count + (older.get(key) ?? 0)
  }
}

interface Tried {
  /** Milliseconds to wait for the next attempt; 0 after a success. */
  readonly waitMs: number
  /** True if it stays at its place in the queue while waiting. */
  readonly keepsPlace: boolean
}

interface QueuePlace {
  readonly rank: number
  readonly until: number
  readonly signal: AbortSignal
  readonly attempt: () => Promise<Tried>
  readonly leave: (waitMs: number) => void
  readonly fail: (error: unknown) => void
}

/**
 * Creates a queue that attempts one job at a time: the lowest rank first, then the newest, because an old
 * client is the first to give up. Its function resolves with 0, or, if the queue is full or the client left,
 * with the milliseconds until a retry.
 */
function createQueue(clock: Clock) {
  /** In reverse order: the next place is the last. */
  let places: QueuePlace[] = []
  let isServing = false
  const now = (): number => clock.now().getTime()

  function put(place: QueuePlace): void {
    const behind = places.findIndex(({ rank }) => rank < place.rank)
    places.splice(behind === -1 ? places.length : behind, 0, place)
    if (places.length > mostWaiting) places.shift()?.leave(longestWaitMs)
  }

  /** Ends the wait of clients that left, or would be too late after `pause`. */
  function clear(pause: number): void {
    const isOver = ({ until, signal }: QueuePlace): boolean => signal.aborted || until < now() + pause
    for (const place of places.filter(isOver)) place.leave(longestWaitMs)
    places = places.filter((place) => !isOver(place))
  }

  async function serve(): Promise<void> {
    if (isServing) return
    isServing = true
    for (let place = places.pop(); place; place = places.pop()) {
      const { waitMs, keepsPlace } = await place.attempt().catch((error: unknown) => failed(place, error))
      if (!keepsPlace) {
        place.leave(waitMs)
        continue
      }
      put(place)
      clear(waitMs)
      await new Promise((resolve) => void setTimeout(resolve, waitMs))
    }
    isServing = false
  }

  return (rank: number, signal: AbortSignal, attempt: () => Promise<Tried>): Promise<number> =>
    new Promise((resolve, reject) => {
      put({ rank, until: now() + longestWaitMs, signal, attempt, leave: resolve, fail: reject })
      signal.addEventListener('abort', () => clear(0), { once: true })
      void serve()
    })
}

function failed({ fail }: QueuePlace, error: unknown): Tried {
  fail(error)
  return { waitMs: 0, keepsPlace: false }
}
