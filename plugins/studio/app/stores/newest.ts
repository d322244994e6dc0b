/** The rule for reads that overlap: an answer never replaces that of a read which began later. */

/**
 * Orders the reads of one kind. It is called when a read begins, and what it returns once the answer is there: false for
 * an answer that comes after that of a later read.
 */
export function createOrder(): () => () => boolean {
  let started = 0
  let taken = 0
  return () => {
    const turn = (started += 1)
    return () => {
      if (turn < taken) return false
      taken = turn
      return true
    }
  }
}

/** Takes what a read answers, in this order. A read that fails leaves what was taken, and throws. */
export function newest<T>(read: () => Promise<T>, take: (answer: T) => void): () => Promise<void> {
  const begin = createOrder()
  return async () => {
    const isNewest = begin()
    const answer = await read()
    if (isNewest()) take(answer)
  }
}
