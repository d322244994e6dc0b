/**
 * Not `fractional-indexing`, which cannot read the ranks of stored drafts.
 *
 * Ranks: texts that sort in page order, so a page can be inserted without changes to other rows.
 *
 * A rank has the digits of a base-36 fraction and never ends in `0`, so there is always room between two.
 */
const digits = '0123456789abcdefghijklmnopqrstuvwxyz'
const width = 8

/** Returns a rank after `last`. */
function rankAfter(last: string | undefined): string {
  const next = last === undefined ? 1 : Number.parseInt(last.slice(0, width), 36) + 1
  return `${next.toString(36).padStart(width, '0')}i`
}

/** Returns ranks for exactly this order, all of them after `last`. */
export function ranksInOrder(slugs: Iterable<string>, last?: string): Map<string, string> {
  const ranks = new Map<string, string>()
  for (const slug of slugs) ranks.set(slug, (last = rankAfter(last)))
  return ranks
}

/** Returns a rank between `before` and `after`; a missing one means the end on that side. */
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
  return to - from > 1
    ? `${shared}${digits[(from + to) >> 1]}`
    : `${shared}${digits[from]}${above(low.slice(at + 1))}`
}

/** Returns a text above `low`, without an upper bound. */
function above(low: string): string {
  const first = digitAt(low, 0)
  return first < 35 ? `${digits[(first + 36) >> 1]}` : `z${above(low.slice(1))}`
}

/** Orders ranks, or slugs, by their code units. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
