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
    const last = performance.now() + withinMs
    for (let left = withinMs; this.#now > 0 && left > 0; left = last - performance.now()) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#idle = resolve
      const timer = setTimeout(resolve, left).unref()
      await promise
      clearTimeout(timer)
      // The last answer may be a stream, which counts from its first read.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
