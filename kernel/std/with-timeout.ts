import { untilAborted } from './until-aborted.ts'

/** Waits at most this many milliseconds for `work`, then rejects with `overdue()`; the work continues. */
export async function withTimeout<T>(
  milliseconds: number,
  work: Promise<T>,
  overdue: () => unknown,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(overdue()), milliseconds)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Runs a job with a signal that aborts at the time limit, or when `canceled` does.
 *
 * Rejects then with `overdue()` or the reason of `canceled`, even if the job continues.
 */
export async function runWithTimeout<T>(
  milliseconds: number,
  job: (signal: AbortSignal) => Promise<T>,
  { canceled, overdue }: { readonly canceled: AbortSignal; readonly overdue: () => unknown },
): Promise<T> {
  canceled.throwIfAborted()
  const late = new AbortController()
  const work = job(AbortSignal.any([canceled, late.signal]))
  return withTimeout(milliseconds, untilAborted(work, canceled), () => {
    // Aborts after the rejection: a job that stops when its signal aborts must not settle first.
    queueMicrotask(() => late.abort())
    return overdue()
  })
}
