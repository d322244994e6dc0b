import { refusals } from './refusals.ts'

/** Gives a job so many milliseconds, and rejects as soon as they are over or the signal aborts, whatever the job does then. */
export async function within<T>({ signal: gone, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number }, job: (signal: AbortSignal) => Promise<T>): Promise<T> {
  gone.throwIfAborted()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  const signal = AbortSignal.any([gone, late.signal])
  const { promise: over, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  try {
    return await Promise.race([job(signal), over])
  } catch (error) {
    throw late.signal.aborted ? refusals.overdue() : error
  } finally {
    clearTimeout(timer)
  }
}
