/** Values for a single reader, which waits until there is one. */
export interface AsyncQueue<T> extends AsyncIterable<T> {
  /** Wakes the reader when there may be a value, or the end is reached. */
  wake(): void
}

export interface AsyncQueueSource<T> {
  /** Returns the next value, or `undefined` if there is none yet. */
  take(): T | undefined
  /** True if no more values will follow; remaining ones are still delivered. */
  isOver(): boolean
  /** Called when the reader stops before the end. */
  leave(): void
}

/** Lets one reader pull values at its own pace. The producer calls `wake` when there is a value or the end. */
export function asyncQueue<T extends object>({ take, isOver, leave }: AsyncQueueSource<T>): AsyncQueue<T> {
  let wake: (() => void) | undefined
  return {
    wake: () => wake?.(),
    [Symbol.asyncIterator]: () => ({
      async next() {
        for (;;) {
          const value = take()
          if (value) return { done: false, value }
          if (isOver()) return { done: true, value: undefined }
          await new Promise<void>((resolve) => (wake = resolve))
          wake = undefined
        }
      },
      async return() {
        leave()
        return { done: true, value: undefined }
      },
    }),
  }
}
