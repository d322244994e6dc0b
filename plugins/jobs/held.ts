import { withInterval } from '../../kernel/index.ts'

/** Milliseconds after which others take over a claim that is not prolonged. */
export const defaultLeaseMs = 30_000

/**
 * Does work while its claim is prolonged, three times in a lease. The signal of the work aborts when the claim is lost, or could
 * not be prolonged before its end.
 */
export async function whileHeld<R>(
  leaseMs: number,
  prolong: () => Promise<boolean>,
  work: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const lost = new AbortController()
  let last = performance.now()
  const hold = async (): Promise<void> => {
    const began = performance.now()
    const isHeld = began - last < leaseMs && (await prolong().catch(() => undefined))
    if (isHeld) last = began
    if (isHeld === false) lost.abort(new Error('The claim is lost.'))
  }
  return withInterval(
    leaseMs / 3,
    () => void hold(),
    () => work(lost.signal),
  )
}
