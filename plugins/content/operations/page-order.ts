import { home } from '../slugs.ts'

/**
 * The stored order with a page, new or not, right after another; without an anchor, or after home, first of all others.
 *
 * Home comes first in every listing wherever it is stored, so the front of the others is the place after it.
 */
export function placedAfter(order: readonly string[], slug: string, anchor: string | undefined): readonly string[] {
  const others = order.filter((other) => other !== slug)
  if (anchor !== undefined && anchor !== home) return others.toSpliced(others.indexOf(anchor) + 1, 0, slug)
  return others.toSpliced(others[0] === home ? 1 : 0, 0, slug)
}
