/** Counts requests and streams in flight, so that closing can wait for them. */
export class InFlight {
  #now = 0
  #idle: (() => void) | undefined

  begin(): void {
    this.#now++
  }

  end(): void {
    if (--this.#now === 0) this.#idle?.()
  }

  /** Resolves once nothing is in flight, or after this time. */
  async none(withinMs: number): Promise<void> {
    const late = new AbortController()
    const timer = setTimeout(() => {
      late.abort()
      this.#idle?.()
    }, withinMs).unref()
    while (this.#now > 0 && !late.signal.aborted) {
      await new Promise<void>((resolve) => (this.#idle = resolve))
      // The last answer may be a stream, which counts from its first read.
      await new Promise((resolve) => setImmediate(resolve))
    }
    clearTimeout(timer)
  }
}
