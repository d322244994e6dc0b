import type { Merged, Renames, Side } from '../content/merge/index.ts'
import { redirectsAfter, redirectsKey, redirectsOf } from '../content/redirects.ts'
import type { ChangeSet } from './change-set.ts'
import { pageBase } from './collections.ts'
import { formerSlugs } from './renames.ts'
import type { DraftTransaction } from './transaction.ts'

/**
 * Returns a change with the redirects that follow from it: a page that gets another address leads there from the one that
 * its site has, and an address that gets a page leads nowhere else.
 */
export async function withRedirects(draft: DraftTransaction, changeSet: ChangeSet): Promise<ChangeSet> {
  const { pages, siteConfig, log, renames = formerSlugs(log.ops ?? []) } = changeSet
  // Most changes need no read of the site config.
  if (renames.size === 0 && ![...pages.values()].some(({ before }) => !before)) return changeSet
  const config = changeSet.config ?? { ...siteConfig, ...(await draft.config()) }
  const before = redirectsOf(config)
  if (!before) return changeSet
  const moves = new Map(
    [...renames].flatMap(([to, from]) => (from === undefined ? [] : [[from, to] as const])),
  )
  const published = new Set<string>()
  for (const from of moves.keys()) if (await isPublished(draft, from)) published.add(from)
  const there = new Set([...pages].flatMap(([slug, { after }]) => (after ? [slug] : [])))
  const after = redirectsAfter(before, { moves, published, pages: there })
  return after === before ? changeSet : { ...changeSet, config: { ...config, [redirectsKey]: after } }
}

/**
 * Returns a merge with the redirects of pages that the draft has moved before it took over any from its site: a site may
 * begin to list them later.
 */
export async function withEarlierMoves(
  draft: DraftTransaction,
  merged: Merged,
  { ours, moves }: { readonly ours: Side; readonly moves: Renames },
): Promise<Merged> {
  const { siteConfig } = merged
  const redirects = redirectsOf(siteConfig)
  if (!redirects || redirectsOf(await draft.config())) return merged
  const published = new Set(moves.keys())
  const after = redirectsAfter(redirects, { moves, published, pages: new Set(ours.order) })
  return after === redirects ? merged : { ...merged, siteConfig: { ...siteConfig, [redirectsKey]: after } }
}

/** Whether the site has a page at a slug, as far as that is known; a page without a base is as the site has it. */
async function isPublished(draft: DraftTransaction, slug: string): Promise<boolean> {
  const base = draft.agrees ? await draft.base(pageBase(slug)) : undefined
  return !base || !('page' in base) || base.page !== null
}
