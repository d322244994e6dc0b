/**
 * Not `fractional-indexing`, which cannot read the ranks of stored drafts.
 *
 * Ranks: texts whose order is the order of the pages, so that a page is inserted without changing other rows.
 *
 * A rank is read as the digits of a fraction to the base 36 and never ends in `0`, so there is always room between two.
 */
const digits = '0123456789abcdefghijklmnopqrstuvwxyz'
const width = 8

/** A rank after the last one. */
export function rankAfter(last: string | undefined): string {
  const next = last === undefined ? 1 : Number.parseInt(last.slice(0, width), 36) + 1
  return `${next.toString(36).padStart(width, '0')}i`
}

/** Ranks for exactly this order, all of them after the last one. */
export function ranksInOrder(slugs: Iterable<string>, last?: string): Map<string, string> {
  const ranks = new Map<string, string>()
  for (const slug of slugs) ranks.set(slug, (last = rankAfter(last)))
  return ranks
}

/** A rank after `before` and before `after`; a missing one means the end on that side. */
export function rankBetween(before: string | undefined, after: string | undefined): string {
  if (after === undefined) return rankAfter(before)
  return middle(before ?? '', after)
}

const digitAt = (rank: string, at: number): number => Math.max(0, digits.indexOf(rank[at] ?? '0'))

function middle(low: string, high: string): string {
  let at = 0
  while (at < high.length && digitAt(low, at) === digitAt(high, at)) at++
  const from = digitAt(low, at)
  const to = digitAt(high, at)
  const shared = high.slice(0, at)
  return to - from > 1 ? `${shared}${digits[(from + to) >> 1]}` : `${shared}${digits[from]}${above(low.slice(at + 1))}`
}

/** A text above `low`, with no upper end. */
function above(low: string): string {
  const first = digitAt(low, 0)
  return first < 35 ? `${digits[(first + 36) >> 1]}` : `z${above(low.slice(1))}`
}
