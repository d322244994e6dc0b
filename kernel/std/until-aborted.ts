/** Waits for `work` until the signal aborts, then rejects with its reason; the work continues. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
