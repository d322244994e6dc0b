import * as v from 'valibot'

/**
 * Creates the schema of the `limit` of a list route. Anything but a positive number means the default; larger
 * numbers are capped at the maximum, and fractions are truncated.
 */
export function limitQuery(fallback: number, maximum: number) {
  const read = (text: string): number => {
    const wanted = Math.trunc(Number(text))
    return wanted >= 1 ? Math.min(wanted, maximum) : fallback
  }
  return v.optional(v.pipe(v.string(), v.transform(read)), String(fallback))
}
