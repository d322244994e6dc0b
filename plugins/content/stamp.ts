import type { Page } from './model.ts'
import { sameJson } from './plain-object.ts'

/** Whether a page stays as it is, apart from its stamp. */
export const staysSame = (before: Page | undefined, after: Page | undefined): boolean =>
  before === after || (!!before && !!after && sameJson(before, { ...after, updatedAt: before.updatedAt }))

/** Formats a time as a stamp. */
export const toStamp = (now: Date): string => now.toISOString()

/** The form of stamps that sort by time as text; the date may be invalid. */
const stampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The last time with a stamp of this form, in milliseconds. */
const lastStamped = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Returns the stamp of a changed or restored page.
 *
 * The live preview reads `updatedAt` as a version and drops a render that is not strictly newer, so if the
 * clock has not advanced since `previous`, the stamp is `previous` plus 1 ms. A `previous` that is not a
 * date, or that no stamp sorts after, counts as the epoch.
 */
export function stampAfter(previous: string, now: Date): string {
  const stamp = now.toISOString()
  if (stampForm.test(previous) && previous < stamp) return stamp
  const next = (Date.parse(previous) || 0) + 1
  return new Date(Math.max(now.getTime(), next > lastStamped ? 0 : next)).toISOString()
}

/**
 * Returns the stamp of an imported page: its own if it is a past time in sortable form, else `now`. Every
 * later version of the page is then newer.
 */
export function boundedStamp(brought: string, now: Date): string {
  const stamp = toStamp(now)
  return stampForm.test(brought) && brought <= stamp && Date.parse(brought) <= now.getTime() ? brought : stamp
}
