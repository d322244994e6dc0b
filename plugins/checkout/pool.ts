/** Which checkouts of a website run: those that are looked at, and only a few at once. */
import type { Clock } from '../../kernel/index.ts'

/** A checkout that was started. */
export interface RunningCheckout {
  /** `undefined` once its server has ended. */
  readonly origin: string | undefined
  /** Resolves when its server has ended. */
  ended(): Promise<void>
  close(): Promise<void>
}

export interface PoolOptions {
  readonly clock: Pick<Clock, 'now'>
  /** How many run at once; default: 3. */
  readonly most?: number
  /** The milliseconds for which one runs that is not looked at; default: ten minutes. */
  readonly idleMs?: number
}

/**
 * A checkout that runs while it is looked at, and for some time after that. If its server ends by itself while it is
 * looked at, it is started again.
 */
export interface Watched {
  /** The origin of its server; `undefined` while that does not run. */
  readonly origin: string | undefined
  /** A sentence about why it does not run; `undefined` while it starts or runs. */
  readonly problem: string | undefined
  /** Begins to look at it, which starts it if it does not run. Returns a function that ends the look. */
  look(): () => void
  /** Resolves once it runs. Rejects with the reason if it does not start. */
  start(): Promise<void>
}

interface Member {
  /** Starts the checkout in one of the places that the pool has. */
  readonly open: (place: number) => Promise<RunningCheckout>
  looks: number
  /** When it was looked at last. */
  seen: number
  place: number
  running?: RunningCheckout | undefined
  starting?: Promise<void> | undefined
  failure?: { readonly error: unknown; readonly until: number } | undefined
}

/** For this time a checkout that did not start is not started again by a look. */
const failedMs = 10_000

export type Pool = ReturnType<typeof createPool>

/**
 * Creates the checkouts of a website, of which the longest unwatched one ends for one more. A checkout that
 * has ended is started again by the next look at it, maybe in another place.
 */
export function createPool({ clock, most = 3, idleMs = 600_000 }: PoolOptions) {
  const members = new Set<Member>()
  const free = Array.from({ length: most }, (_, place) => place)
  const full = `${most} versions of this website are shown already, each by a development server. Close a tab that shows one: then this page opens.`
  let isClosed = false
  const now = (): number => clock.now().getTime()

  /** Ends a checkout; its place is free then. */
  async function end(member: Member): Promise<void> {
    const { running } = member
    member.running = undefined
    await running?.close()
    if (running) free.unshift(member.place)
  }

  /** Returns a free place, which the longest unwatched checkout leaves if all are taken. */
  async function placeFor(): Promise<number | undefined> {
    const [longest] = [...members]
      .filter(({ running, looks }) => running && looks === 0)
      .toSorted((a, b) => a.seen - b.seen)
    if (free.length === 0 && longest) await end(longest)
    return free.shift()
  }

  async function begin(member: Member): Promise<void> {
    // One whose server has ended by itself.
    await end(member)
    const place = await placeFor()
    try {
      if (place === undefined) throw new Error(full)
      const running = await member.open(place)
      member.running = running
      member.place = place
      member.failure = undefined
      void running.ended().then(() => {
        if (member.running === running && member.looks > 0) start(member).catch(() => undefined)
      })
    } catch (error) {
      if (place !== undefined) free.unshift(place)
      member.failure = { error, until: place === undefined ? 0 : now() + failedMs }
      throw error
    }
  }

  function start(member: Member): Promise<void> {
    if (isClosed) return Promise.reject(new Error('The checkouts of this website have ended.'))
    if (member.running?.origin !== undefined) return Promise.resolve()
    return (member.starting ??= begin(member).finally(() => (member.starting = undefined)))
  }

  return {
    /** Adds a checkout, which `open` starts. Its place is the same for no two that run. */
    add(open: Member['open']): Watched {
      const member: Member = { open, looks: 0, seen: now(), place: -1 }
      members.add(member)
      return {
        get origin() {
          return member.running?.origin
        },
        get problem() {
          const { running, starting, failure } = member
          if (running || starting || !failure) return undefined
          return failure.error instanceof Error ? failure.error.message : String(failure.error)
        },
        look() {
          member.looks += 1
          member.seen = now()
          if (now() >= (member.failure?.until ?? 0)) start(member).catch(() => undefined)
          return () => {
            member.looks -= 1
            member.seen = now()
          }
        },
        start: () => start(member),
      }
    },
    /** Ends the checkouts that were not looked at for some time. */
    async sweep(): Promise<void> {
      const idle = [...members].filter(({ looks, seen }) => looks === 0 && now() - seen >= idleMs)
      await Promise.all(idle.map(end))
    },
    /** Ends all checkouts, also those that start. */
    async close(): Promise<void> {
      isClosed = true
      await Promise.all([...members].map((member) => member.starting?.catch(() => undefined)))
      await Promise.all([...members].map(end))
    },
  }
}
