import { isStamp, stampAfter, toStamp } from '../stamp.ts'

/**
 * Stamps the pages of one batch, each past the time it had before.
 *
 * Nearly always that is the time of the batch itself: an earlier stamp of the same form sorts before it.
 */
export function stamperFor(now: Date): (previous: string) => string {
  const stamp = toStamp(now)
  return (previous) => (isStamp(previous) && previous < stamp ? stamp : stampAfter(previous, now))
}
