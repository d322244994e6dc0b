/** Counts over time: what is shown in charts and in their tables. */

export interface Range {
  readonly text: string
  readonly unit: 'hour' | 'day'
  readonly count: number
}
export const ranges = {
  day: { text: '24 hours', unit: 'hour', count: 24 },
  week: { text: '7 days', unit: 'day', count: 7 },
  month: { text: '30 days', unit: 'day', count: 30 },
  quarter: { text: '90 days', unit: 'day', count: 90 },
} as const satisfies Readonly<Record<string, Range>>
export type RangeName = keyof typeof ranges

const hour = 3_600_000
const lengths = { hour, day: 24 * hour } as const

/** The starts of the hours or days of a range in milliseconds, in UTC, oldest first; the last one has not ended. */
export function startsOf({ unit, count }: Range, now: number): readonly number[] {
  const length = lengths[unit]
  const last = Math.floor(now / length) * length
  return Array.from({ length: count }, (_, at) => last - (count - 1 - at) * length)
}

/** Sums values by the hour or day in which they lie; those before the range are left out. */
export function sumsOf<T>(
  starts: readonly number[],
  items: readonly T[],
  timeOf: (item: T) => string,
  valueOf: (item: T) => number = () => 1,
): readonly number[] {
  const sums = starts.map(() => 0)
  const [first = 0, second = first + hour] = starts
  for (const item of items) {
    const at = Math.floor((Date.parse(timeOf(item)) - first) / (second - first))
    const sum = sums[at]
    if (sum !== undefined) sums[at] = sum + valueOf(item)
  }
  return sums
}

/** The days of a range as the service names them. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
