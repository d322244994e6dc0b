/** Jobs that wait for each other. */
export interface Turns {
  /** Runs jobs of one name one after another, in the order they came; a job that fails stops no other. */
  take<T>(name: string, job: () => Promise<T>): Promise<T>
  /** Resolves when every job so far has ended. */
  ended(): Promise<void>
}

/** Makes the queues of one process: one per name, gone when it is empty. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    async take(name, job) {
      const turn = (last.get(name) ?? Promise.resolve()).then(job, job)
      last.set(name, turn)
      try {
        return await turn
      } finally {
        if (last.get(name) === turn) last.delete(name)
      }
    },
    async ended() {
      await Promise.allSettled(last.values())
    },
  }
}
