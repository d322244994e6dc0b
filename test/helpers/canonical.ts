/** JSON with sorted keys, so that the order of keys does not matter. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** Throws with both values unless they are equal as JSON. */
export function same(found: unknown, wanted: unknown, what: string): void {
  const [a, b] = [canonical(found), canonical(wanted)]
  if (a !== b) throw new Error(`${what}:\n  found  ${a}\n  wanted ${b}`)
}
