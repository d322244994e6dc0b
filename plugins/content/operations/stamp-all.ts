import { stampAfter } from '../stamp.ts'

/**
 * Stamps the pages of one batch, each past the time it had before.
 *
 * Nearly always that is the time of the batch itself: an earlier stamp of the same form sorts before it.
 */
export function stamperFor(now: Date): (previous: string) => string {
  const stamp = written(now)
  return (previous) => (hasForm.test(previous) && previous < stamp ? stamp : stampAfter(previous, now))
}

/** Writing a time out takes longer than a small edit, and many edits share a millisecond. */
function written(now: Date): string {
  const time = now.getTime()
  if (time !== latest.time) latest = { time, stamp: now.toISOString() }
  return latest.stamp
}

let latest = { time: NaN, stamp: '' }

const hasForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
