/** Waits so many milliseconds for `work`, and then rejects with what `overdue` gives; the work goes on. */
export async function within<T>(milliseconds: number, work: Promise<T>, overdue: () => unknown): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(overdue()), milliseconds)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
