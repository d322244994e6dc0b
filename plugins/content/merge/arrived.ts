import type { Page, SiteConfig } from '../model.ts'
import { placed } from './order.ts'
import { sameJson } from '../plain-object.ts'
import { mergeConfig } from './config.ts'
import { createLedger } from './conflict.ts'
import { isUnlisted, type MatchedPage, type Side } from './match.ts'
import { mergePage, type PageRules, samePage } from './page.ts'
import { same, type SentContent, type Three } from './sides.ts'

/** How values are merged and compared. */
interface ValueRules<T> {
  /** Of a conflict theirs wins. */
  merge(sides: Three<T>): T
  isSame(a: T, b: T): boolean
}

/**
 * Moves the base to what a publish without an answer has sent, value by value, where theirs has that: it is
 * an earlier state of ours, and no change of theirs. A page of the base does not get the slug of another one.
 */
export function withArrived(
  matched: readonly MatchedPage[],
  { base, theirs }: Pick<Three<Side>, 'base' | 'theirs'>,
  sent: SentContent,
  { registry, manifest }: PageRules,
): { readonly matched: readonly MatchedPage[]; readonly base: Side } {
  const rules = { wins: 'theirs', draft: 'theirs', registry, manifest } as const
  const ofPages: ValueRules<Page | undefined> = {
    merge: (sides) => mergePage(sides, rules).merged,
    isSame: samePage,
  }
  const ofConfigs: ValueRules<SiteConfig | undefined> = {
    merge: (sides) => mergeConfig(sides, { ledger: createLedger(rules), draft: 'theirs' }).merged,
    isSame: sameJson,
  }
  const there = new Map(sent.pages.map((page) => [page.after?.slug, page]))
  const gone = new Map(sent.pages.map((page) => [page.after ? undefined : page.before?.slug, page]))
  const arrived = matched.map((page) => {
    const { base: former, theirs: now } = page.pages
    const found = now ? !isUnlisted(now) && there.get(now.slug) : former && gone.get(former.slug)
    if (!found) return page
    return { ...page, pages: { ...page.pages, base: valueAfter(former, now, found, ofPages) } }
  })
  const moved = withUniqueSlugs(arrived, matched)
  const { siteConfig } = sent
  return {
    matched: moved,
    base: {
      ...base,
      order: orderAfter(base.order, theirs.order, { sent: sent.order, matched, moved }),
      siteConfig: siteConfig
        ? valueAfter(base.siteConfig, theirs.siteConfig, siteConfig, ofConfigs)
        : base.siteConfig,
    },
  }
}

/** Returns pages with slugs of their own in the base: one that moved to the slug of a page that stays has not. */
function withUniqueSlugs(
  pages: readonly MatchedPage[],
  before: readonly MatchedPage[],
): readonly MatchedPage[] {
  const hasMoved = ({ pages: { base } }: MatchedPage, at: number) =>
    base?.slug !== before[at]?.pages.base?.slug
  const stay = new Set(pages.flatMap((page, at) => (hasMoved(page, at) ? [] : [page.pages.base?.slug])))
  let isSame = true
  const apart = pages.map((page, at) => {
    const [base, former] = [page.pages.base, before[at]?.pages.base]
    if (!base || !hasMoved(page, at) || !stay.has(base.slug)) return page
    isSame = false
    return { ...page, pages: { ...page.pages, base: former && { ...base, slug: former.slug } } }
  })
  return isSame ? pages : withUniqueSlugs(apart, before)
}

/** Returns a value of the base with what was sent of it and theirs has. */
function valueAfter<T>(
  base: T | undefined,
  theirs: T | undefined,
  { before, after }: { readonly before?: T | undefined; readonly after?: T | undefined },
  { merge, isSame }: ValueRules<T | undefined>,
): T | undefined {
  const without = () => merge({ base: after, ours: before, theirs })
  const arrived = isSame(after, theirs) ? theirs : merge({ base: without(), ours: before, theirs })
  return isSame(base, before) ? arrived : merge({ base: before, ours: base, theirs: arrived })
}

/** Returns the order of the pages of the base: that of theirs if it was sent, else as before. */
function orderAfter(
  base: readonly string[],
  theirs: readonly string[],
  {
    sent,
    matched,
    moved,
  }: Record<'matched' | 'moved', readonly MatchedPage[]> & { readonly sent?: readonly string[] | undefined },
): readonly string[] {
  const slugs = moved.map(({ pages }) => pages.base?.slug)
  const inOrder = (side: 'base' | 'theirs', order: readonly string[]) => {
    const now = new Map(matched.map(({ pages }, at) => [pages[side]?.slug, slugs[at]]))
    return order.flatMap((slug) => now.get(slug) ?? [])
  }
  const [here, there] = [inOrder('base', base), inOrder('theirs', theirs)]
  const all = [...new Set([...there, ...here])]
  return sent && same(sent, theirs) ? all : placed(here, all)
}
