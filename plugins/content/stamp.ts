/** A time as a stamp. Cached, because formatting takes longer than a small edit, and many edits share a millisecond. */
export function toStamp(now: Date): string {
  const time = now.getTime()
  if (time !== latest.time) latest = { time, stamp: now.toISOString() }
  return latest.stamp
}

let latest = { time: NaN, stamp: '' }

/** Stamps of this form sort as text in the order of their times; the date need not exist. */
const stampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The last time that has a stamp of this form, in milliseconds. */
const lastStamped = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * The time to stamp on a changed or restored page.
 *
 * The live preview reads `updatedAt` as a version and drops a render that is not strictly newer, so a clock
 * that has not advanced since `previous` is incremented by 1 ms. A `previous` that is not a date, or that no stamp
 * sorts after, counts as the epoch.
 */
export function stampAfter(previous: string, now: Date): string {
  const next = (Date.parse(previous) || 0) + 1
  return new Date(Math.max(now.getTime(), next > lastStamped ? 0 : next)).toISOString()
}

/**
 * The stamp of an imported page: its own if that is a past time in the form that sorts as text,
 * else `now`, so that every later version of the page is newer.
 */
export function boundedStamp(brought: string, now: Date): string {
  const stamp = toStamp(now)
  return stampForm.test(brought) && brought <= stamp && Date.parse(brought) <= now.getTime() ? brought : stamp
}

/**
 * Stamps the pages of one batch, each later than its previous stamp.
 *
 * Nearly always that is the time of the batch, because an earlier stamp of the same form sorts before it.
 */
export function stamperFor(now: Date): (previous: string) => string {
  const stamp = toStamp(now)
  return (previous) => (stampForm.test(previous) && previous < stamp ? stamp : stampAfter(previous, now))
}
