import type { OpenDraft } from '../open-draft.ts'
import { rankBetween } from '../rank.ts'

/** Ranks for the pages that a new order puts somewhere else, or that it has and the draft has not. */
export async function placesFor(draft: OpenDraft, order: readonly string[], placed: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { ranks: known } = await draft.places()
  const moved = new Set(placed.filter((slug) => order.includes(slug)))
  const ranks = new Map<string, string>()
  const rankOf = (slug: string | undefined): string | undefined =>
    slug === undefined ? undefined : (ranks.get(slug) ?? (moved.has(slug) ? undefined : known.get(slug)))
  for (const slug of moved) {
    const at = order.indexOf(slug)
    const next = order.slice(at + 1).find((other) => rankOf(other) !== undefined)
    ranks.set(slug, rankBetween(lastRankBefore(order, at, rankOf), rankOf(next)))
  }
  return ranks
}

function lastRankBefore(order: readonly string[], at: number, rankOf: (slug: string | undefined) => string | undefined): string | undefined {
  for (let before = at - 1; before >= 0; before--) {
    const rank = rankOf(order[before])
    if (rank !== undefined) return rank
  }
  return undefined
}
