import type { Clock } from '../../kernel/index.ts'

/** What came of a try. */
export interface Tried {
  /** Milliseconds to wait for the next one; 0 when it was successful. */
  readonly wait: number
  /** Whether the place in the queue is kept for that time, instead of given up. */
  readonly keepsPlace: boolean
}

export interface QueueOptions {
  readonly clock: Clock
  /** Places; the last one is given up for one that comes before it. */
  readonly most: number
  /** Milliseconds for which a place is kept. */
  readonly longestWait: number
}

interface Place {
  readonly rank: number
  readonly until: number
  readonly signal: AbortSignal
  readonly attempt: () => Promise<Tried>
  readonly leave: (wait: number) => void
  readonly fail: (error: unknown) => void
}

/** Tries jobs one at a time. */
export interface Queue {
  /**
   * Waits for a turn and tries the job: the lowest rank first, of equals the newest, because an old client is the first to
   * give up. Gives 0; or the milliseconds after which to ask again, where no place was left or the client went away.
   */
  enter(rank: number, signal: AbortSignal, attempt: () => Promise<Tried>): Promise<number>
}

export function createQueue({ clock, most, longestWait }: QueueOptions): Queue {
  /** The next one is the last. */
  let places: Place[] = []
  let isServing = false
  const now = (): number => clock.now().getTime()

  function put(place: Place): void {
    const behind = places.findIndex(({ rank }) => rank < place.rank)
    places.splice(behind === -1 ? places.length : behind, 0, place)
    if (places.length > most) places.shift()?.leave(longestWait)
  }

  /** Ends the wait of those who are gone, or would be too late after `pause`. */
  function clear(pause: number): void {
    const isOver = ({ until, signal }: Place): boolean => signal.aborted || until < now() + pause
    for (const place of places.filter(isOver)) place.leave(longestWait)
    places = places.filter((place) => !isOver(place))
  }

  async function serve(): Promise<void> {
    if (isServing) return
    isServing = true
    for (let place = places.pop(); place; place = places.pop()) {
      const { wait, keepsPlace } = await place.attempt().catch((error: unknown) => failed(place, error))
      if (!keepsPlace) {
        place.leave(wait)
        continue
      }
      put(place)
      clear(wait)
      await new Promise((resolve) => void setTimeout(resolve, wait))
    }
    isServing = false
  }

  return {
    enter: (rank, signal, attempt) =>
      new Promise((resolve, reject) => {
        put({ rank, until: now() + longestWait, signal, attempt, leave: resolve, fail: reject })
        signal.addEventListener('abort', () => clear(0), { once: true })
        void serve()
      }),
  }
}

function failed({ fail }: Place, error: unknown): Tried {
  fail(error)
  return { wait: 0, keepsPlace: false }
}
