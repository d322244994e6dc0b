import { home } from '../slugs.ts'

/**
 * The stored order with a page, new or not, right after another.
 *
 * Without an anchor, or after home, it comes first of all others: home leads every listing, wherever it is
 * stored.
 */
export function placedAfter(order: readonly string[], slug: string, anchor?: string): readonly string[] {
  const others = order.filter((other) => other !== slug)
  if (anchor !== undefined && anchor !== home) return others.toSpliced(others.indexOf(anchor) + 1, 0, slug)
  return others.toSpliced(others[0] === home ? 1 : 0, 0, slug)
}
