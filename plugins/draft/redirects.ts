import type { Merged, Side, Three } from '../content/merge/index.ts'
import { redirectEdits } from '../content/redirect-edits.ts'
import {
  leadsOf,
  type Redirects,
  redirectsAfter,
  redirectsKey,
  redirectsOf,
  withMovesFrom,
} from '../content/redirects.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { picked } from '../content/plain-object.ts'
import type { ChangeSet } from './change-set.ts'
import type { PublishedDraft } from './port.ts'
import { type Base, pageBase } from './collections.ts'
import { slugsNow } from './renames.ts'
import type { DraftTransaction } from './transaction.ts'

/**
 * Returns a change with the redirects that follow from it: a page that gets another address leads there from
 * the one that its site has, and an address that gets a page leads nowhere else. One that a page leaves leads
 * where draft and site have agreed that it does, unless the change says otherwise; the redirect of a rename
 * goes with its page. For a change that adds, removes or renames pages; others need no read of the settings.
 */
export async function withRedirects(draft: DraftTransaction, changeSet: ChangeSet): Promise<ChangeSet> {
  const { pages, siteConfig, renames = new Map() } = changeSet
  const config = changeSet.config ?? { ...siteConfig, ...(await draft.config()) }
  const before = redirectsOf(config)
  if (!before) return changeSet
  const moves = slugsNow(renames)
  const published = new Set<string>()
  for (const from of moves.keys()) if (await isPublished(draft, from)) published.add(from)
  const there = new Set([...pages].flatMap(([slug, { after }]) => (after ? [slug] : [])))
  const left = [...pages.keys()].filter((slug) => !there.has(slug))
  const moved = redirectsAfter(before, { moves, published, pages: there })
  const gone = left.filter((slug) => !moves.has(slug))
  const after = withReturned(await withoutRenames(draft, moved, gone), await draft.bases.get('config'), left)
  return after === before ? changeSet : { ...changeSet, config: { ...config, [redirectsKey]: after } }
}

/** Returns redirects without those that renames of the draft have added for pages that are gone. */
async function withoutRenames(
  draft: DraftTransaction,
  redirects: Redirects,
  gone: readonly string[],
): Promise<Redirects> {
  const ended = new Set<string>()
  for (const slug of gone) {
    const from = (await draft.bases.get(pageBase(slug)))?.from
    if (from !== undefined && redirects[from] === slug) ended.add(from)
  }
  return ended.size === 0 ? redirects : picked(redirects, (_to, from) => !ended.has(from))
}

/** Returns redirects with those of a base from addresses that pages have left. */
function withReturned(redirects: Redirects, base: Base | undefined, left: readonly string[]): Redirects {
  const agreed = redirectsOf(base?.config ?? {}) ?? {}
  const returned = left.filter((from) => Object.hasOwn(agreed, from) && !Object.hasOwn(redirects, from))
  if (returned.length === 0) return redirects
  const edits = redirectEdits(redirects)
  for (const from of returned) edits.add(from, agreed[from] ?? '')
  return edits.result()
}

/**
 * Returns a merge with the redirects of pages whose addresses on the site the draft did not know when it
 * moved them, as their publish waited; and of all that it has moved before it took over any redirects: a site
 * may begin to list them later.
 */
export async function withEarlierMoves(draft: DraftTransaction, merged: Merged): Promise<Merged> {
  const isFirst = !redirectsOf(await draft.config())
  const { renames } = merged.base
  const siteConfig = withMovesFrom(merged, {
    renames: isFirst ? renames.ours : renames.since,
    agreed: redirectsOf(merged.base.siteConfig),
  })
  if (siteConfig === merged.siteConfig) return merged
  const taken = [...merged.taken, { slug: '', path: redirectsKey, what: 'changed' as const }]
  return { ...merged, siteConfig, taken }
}

/**
 * Returns the pages of a publish that the draft had added and has removed while that waited: it leads their
 * addresses elsewhere, and not where draft and site have agreed that they lead. A page that it has removed
 * without that is not changed any more, and comes from the site.
 */
export function removedSince(
  { added }: PublishedDraft,
  { base, ours, theirs }: Pick<Three<Side>, 'ours' | 'theirs'> & { readonly base: SiteConfig | undefined },
): readonly (readonly [slug: string, page: Page])[] {
  const leads = (config: SiteConfig | undefined) => leadsOf(redirectsOf(config) ?? {})
  const [agreed, here, there] = [leads(base), leads(ours.siteConfig), leads(theirs.siteConfig)]
  const slugs = new Set(ours.order)
  const isLed = (slug: string) => here(slug) !== undefined && here(slug) !== agreed(slug) && !there(slug)
  return [...theirs.pages].filter(([slug]) => added.has(slug) && !slugs.has(slug) && isLed(slug))
}

/** Whether the site has a page at a slug, as far as is known; it has one that has no base. */
async function isPublished(draft: DraftTransaction, slug: string): Promise<boolean> {
  const base = draft.agrees ? await draft.bases.get(pageBase(slug)) : undefined
  return base?.page !== null
}
