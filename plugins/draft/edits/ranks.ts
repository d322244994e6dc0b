import { compare, type DraftTransaction } from '../transaction.ts'
import type { ChangedPages, Ranks } from '../change-set.ts'
import { rankBetween, ranksInOrder } from '../rank.ts'

/** Returns ranks for the moved and new pages of a new order. */
export async function ranksFor(
  draft: DraftTransaction,
  order: readonly string[],
  placed: readonly string[],
): Promise<Ranks> {
  const { ranks: currentRanks } = await draft.pageOrder()
  const moved = new Set(placed.filter((slug) => order.includes(slug)))
  const ranks = new Map<string, string>()
  const rankOf = (slug: string | undefined): string | undefined =>
    slug === undefined
      ? undefined
      : (ranks.get(slug) ?? (moved.has(slug) ? undefined : currentRanks.get(slug)))
  for (const slug of moved) {
    const at = order.indexOf(slug)
    const isPlaced = (other: string): boolean => rankOf(other) !== undefined
    const [before, after] = [order.slice(0, at).findLast(isPlaced), order.slice(at + 1).find(isPlaced)]
    ranks.set(slug, rankBetween(rankOf(before), rankOf(after)))
  }
  return ranks
}

/** The maximum number of ranks to insert between others; more would be long, so all pages get new ranks. */
const mostBetween = 50

/** Returns ranks for pages in this order; pages already in order keep their ranks. */
export async function ranksOfOrder(draft: DraftTransaction, slugs: readonly string[]): Promise<Ranks> {
  const { ranks: currentRanks, order } = await draft.pageOrder()
  const wanted = new Set(slugs)
  const staying = order.filter((slug) => wanted.has(slug))
  const added = slugs.filter((slug) => !currentRanks.has(slug))
  const isOrder = slugs.filter((slug) => currentRanks.has(slug)).every((slug, at) => slug === staying[at])
  return isOrder && added.length <= mostBetween ? ranksFor(draft, slugs, added) : ranksInOrder(slugs)
}

/**
 * Returns ranks of pages that return to their former places. If another page has the place now, they come
 * right before it; places of pages removed in the same change are free.
 */
export async function formerRanks(
  draft: DraftTransaction,
  wanted: Ranks,
  changed: ChangedPages,
): Promise<Ranks> {
  if (wanted.size === 0) return wanted
  const { ranks: currentRanks } = await draft.pageOrder()
  const isGone = (slug: string): boolean => changed.has(slug) && !changed.get(slug)?.after
  const taken = new Set(
    [...currentRanks].filter(([slug]) => !wanted.has(slug) && !isGone(slug)).map(([, rank]) => rank),
  )
  const ranks = new Map<string, string>()
  for (const [slug, rank] of [...wanted].toSorted(([, a], [, b]) => compare(a, b))) {
    const free = taken.has(rank) ? rankBetween(nearestBefore(taken, rank), rank) : rank
    ranks.set(slug, free)
    taken.add(free)
  }
  return ranks
}

function nearestBefore(taken: ReadonlySet<string>, rank: string): string | undefined {
  let nearest: string | undefined
  for (const other of taken) if (other < rank && (nearest === undefined || other > nearest)) nearest = other
  return nearest
}
