/** Values on their way to one reader, who takes them one after another and waits while there is none. */
export interface Pulled<T> extends AsyncIterable<T> {
  /** Wakes the reader: there may be something to take, or the end was reached. */
  wake(): void
}

/** Where the values of one reader come from. */
export interface PullSource<T> {
  /** The next value; `undefined` while there is none. */
  take(): T | undefined
  /** True once nothing more will come; what can still be taken then is given first. */
  isOver(): boolean
  /** Called when the reader leaves before that. */
  leave(): void
}

/** Lets one reader pull values as fast as it can take them. The producer calls `wake` when there is a value or an end. */
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
