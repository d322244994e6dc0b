import * as v from 'valibot'

/**
 * The `limit` of a list route: anything but a positive number means the default, more than the maximum means the
 * maximum, and fractions are truncated.
 */
export function limitQuery(fallback: number, maximum: number) {
  const read = (text: string): number => {
    const wanted = Math.trunc(Number(text))
    return wanted >= 1 ? Math.min(wanted, maximum) : fallback
  }
  return v.optional(v.pipe(v.string(), v.transform(read)), String(fallback))
}
