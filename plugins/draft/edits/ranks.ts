import { sameJson } from '../../content/plain-object.ts'
import type { DraftTransaction } from '../transaction.ts'
import type { ChangedPages, Ranks } from '../change-set.ts'
import { compare, rankBetween, ranksInOrder } from '../rank.ts'

/** Returns ranks for the moved and new pages of a new order. */
export async function ranksFor(
  draft: DraftTransaction,
  order: readonly string[],
  placed: readonly string[],
): Promise<Ranks> {
  const { ranks: currentRanks } = await draft.pages.order()
  const moved = new Set(placed)
  const rankOf = (slug: string): string | undefined => (moved.has(slug) ? undefined : currentRanks.get(slug))
  const next = new Map<string, string | undefined>()
  let [before, after]: (string | undefined)[] = []
  for (const slug of order.toReversed()) {
    next.set(slug, after)
    after = rankOf(slug) ?? after
  }
  const ranks = new Map<string, string>()
  for (const slug of order) {
    if (moved.has(slug)) ranks.set(slug, rankBetween(before, next.get(slug)))
    before = ranks.get(slug) ?? rankOf(slug) ?? before
  }
  return ranks
}

/** The maximum number of ranks to insert between others; more would be long, so all pages get new ranks. */
const mostBetween = 50

/** Returns ranks for pages in this order; pages already in order keep their ranks. */
export async function ranksOfOrder(draft: DraftTransaction, slugs: readonly string[]): Promise<Ranks> {
  const { ranks: currentRanks, order } = await draft.pages.order()
  if (sameJson(slugs, order)) return new Map()
  const wanted = new Set(slugs)
  const staying = order.filter((slug) => wanted.has(slug))
  const added = slugs.filter((slug) => !currentRanks.has(slug))
  const isOrder = slugs.filter((slug) => currentRanks.has(slug)).every((slug, at) => slug === staying[at])
  return isOrder && added.length <= mostBetween ? ranksFor(draft, slugs, added) : ranksInOrder(slugs)
}

/**
 * Returns the ranks that change when pages return to their former places. If another page has the place now, they
 * come right before it; places of pages removed in the same change are free.
 */
export async function formerRanks(
  draft: DraftTransaction,
  wanted: Ranks,
  changed: ChangedPages,
): Promise<Ranks> {
  if (wanted.size === 0) return wanted
  const { ranks: currentRanks } = await draft.pages.order()
  const isGone = (slug: string): boolean => changed.has(slug) && !changed.get(slug)?.after
  const others = [...currentRanks].flatMap(([slug, rank]) =>
    wanted.has(slug) || isGone(slug) ? [] : [[slug, rank] as const],
  )
  const taken = new Set(others.map(([, rank]) => rank))
  const ranks = new Map<string, string>()
  // In order: a page gets its place when all taken places before it are known.
  let [nearest, last]: (string | undefined)[] = []
  for (const [slug, rank] of [...others, ...wanted].toSorted(([, a], [, b]) => compare(a, b))) {
    if (last !== undefined && last < rank) nearest = last
    last = rank
    const isReturning = wanted.has(slug)
    const free: string = isReturning && taken.has(rank) ? rankBetween(nearest, rank) : rank
    if (isReturning && currentRanks.get(slug) !== free) ranks.set(slug, free)
    taken.add(free)
    if (free < rank) nearest = free
  }
  return ranks
}
