/** Values for a single reader, which waits while there are none. */
export interface Pulled<T> extends AsyncIterable<T> {
  /** Wakes the reader, because there may be a value, or the end was reached. */
  wake(): void
}

/** The source of the values. */
export interface PullSource<T> {
  /** The next value; `undefined` while there is none. */
  take(): T | undefined
  /** True once there will be no more values; remaining ones are delivered first. */
  isOver(): boolean
  /** Called when the reader stops before the end. */
  leave(): void
}

/** Lets one reader pull values at its own pace. The producer calls `wake` when there is a value or the end. */
export function pulled<T extends object>({ take, isOver, leave }: PullSource<T>): Pulled<T> {
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
