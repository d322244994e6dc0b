/** Counts what visitors use up. */
export interface Windows {
  /** Counts a request; 0 when it fits, else the milliseconds until the window of this visitor ends. */
  count(visitor: string, now: number): number
}

export interface WindowOptions {
  /** Requests that fit into a window. */
  readonly limit: number
  readonly length: number
  readonly remembered?: number
}

interface Window {
  /** Epoch milliseconds. */
  readonly end: number
  used: number
}

/**
 * Counts requests of visitors in windows of `length` milliseconds, each of which begins with the visitor's first request.
 *
 * At most `remembered` visitors are kept; one more drops those whose window is over, or else the earliest.
 */
export function createWindows({ limit, length, remembered = 10_000 }: WindowOptions): Windows {
  const windows = new Map<string, Window>()

  const open = (visitor: string, now: number): Window => {
    windows.delete(visitor)
    // Windows stand in the order in which they end, since each is as long as the others.
    for (const [other, { end }] of windows) {
      if (end > now && windows.size < remembered) break
      windows.delete(other)
    }
    const window = { end: now + length, used: 0 }
    windows.set(visitor, window)
    return window
  }

  return {
    count(visitor, now) {
      const known = windows.get(visitor)
      const window = known && known.end > now ? known : open(visitor, now)
      window.used++
      return window.used > limit ? window.end - now : 0
    },
  }
}

/** Runs jobs at most `limit` at a time, the others after them in order of asking. */
export function createLimiter(limit: number): <T>(job: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = limit
  return async (job) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => void waiting.push(resolve))
    try {
      return await job()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
