interface Window {
  /** Epoch milliseconds. */
  readonly end: number
  used: number
}

/**
 * Counts requests of visitors: at most `limit` in a window of `length` milliseconds, which starts with a
 * visitor's first request.
 *
 * Stores at most `remembered` visitors; beyond that, drops expired windows, or else the oldest one.
 */
export function createWindows({
  limit,
  length,
  remembered = 10_000,
}: {
  readonly limit: number
  readonly length: number
  readonly remembered?: number
}) {
  const windows = new Map<string, Window>()

  const open = (visitor: string, now: number): Window => {
    windows.delete(visitor)
    // Windows are ordered by their ends, because all have the same length.
    for (const [other, { end }] of windows) {
      if (end > now && windows.size < remembered) break
      windows.delete(other)
    }
    const window = { end: now + length, used: 0 }
    windows.set(visitor, window)
    return window
  }

  return {
    /** Counts a request; returns 0 within the limit, else the milliseconds until the window ends. */
    count(visitor: string, now: number): number {
      const current = windows.get(visitor)
      const window = current && current.end > now ? current : open(visitor, now)
      window.used++
      return window.used > limit ? window.end - now : 0
    },
  }
}
