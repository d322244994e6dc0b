/** A time as it is stamped. Writing one out takes longer than a small edit, and many edits share a millisecond. */
export function toStamp(now: Date): string {
  const time = now.getTime()
  if (time !== latest.time) latest = { time, stamp: now.toISOString() }
  return latest.stamp
}

let latest = { time: NaN, stamp: '' }

/** The last instant that a date can hold, in milliseconds. */
const endOfTime = 8.64e15

/**
 * The time to stamp on a changed or restored page.
 *
 * The live preview reads `updatedAt` as a version and drops a render that is not strictly newer, so a clock
 * that has not moved since `previous` is pushed on by 1 ms. A `previous` that is not a date, or has no
 * instant after it, counts as the epoch.
 */
export function stampAfter(previous: string, now: Date): string {
  const next = (Date.parse(previous) || 0) + 1
  return new Date(Math.max(now.getTime(), next > endOfTime ? 0 : next)).toISOString()
}
