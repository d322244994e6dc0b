import { LRUCache, pace, paced } from '../../../kernel/index.ts'
import type { Page } from '../model.ts'
import { pageSize } from '../page-bytes.ts'
import { isPlainObject } from '../plain-object.ts'
import { comparableSlug } from '../slugs.ts'
import { type Conflict, createLedger, type Winner } from './conflict.ts'
import type { MatchedPage } from './match.ts'
import { type MergedPage, mergePage, type PageRules } from './page.ts'
import type { Three } from './sides.ts'

/** A page across the sides, merged. */
export type Settled = MatchedPage & MergedPage

/**
 * Merges pages one by one. Two pages that have one slug afterwards are a conflict of both, unless a decision
 * about the slug of one of them says who wins: the one that has it in ours stays, and the other one is where
 * ours has it, or else is not added. A decision for the site leaves a clash open while the page of ours would
 * come to the slug of another one of ours.
 */
export async function mergePages(
  matched: readonly MatchedPage[],
  rules: PageRules,
): Promise<{ readonly pages: readonly Settled[]; readonly conflicts: readonly Conflict[] }> {
  const settled: Settled[] = []
  for await (const page of paced(matched)) {
    settled.push(mergeMatched(page, rules))
  }
  /** The pages whose slug a clash has decided. */
  const decided = new Set<string>()
  const all = createLedger(rules)
  const given = [...(rules.decided ?? [])]
  /** That of clashes in which the page of ours cannot free its slug, as it has gone back there. */
  const own = createLedger({ ...rules, decided: new Map(given.filter(([, winner]) => winner === 'ours')) })
  const addressOf = addressesOf(matched)
  await separate(
    settled,
    ({ merged }) => addressOf(merged),
    ([page, other], at) => {
      // One has the address in ours, the other in theirs.
      const [here, there] = addressOf(page.pages.ours) === at ? [page, other] : [other, page]
      const slug = here.pages.ours?.slug ?? at
      const sides = { base: undefined, ours: here.pages.ours, theirs: there.pages.theirs }
      const { decide } = decided.has(here.key) ? own : all
      const winner = winnerBySlugs(here, there) ?? decide({ slug }, 'changed', sides, idOf)
      // The slugs of ours are unique, so a page that has gone back to that of ours stays there.
      const isTheirs = winner === 'theirs' && !decided.has(here.key)
      const yields = isTheirs ? here : there
      decided.add(yields.key)
      return [yields, mergeMatched(yields, rules, isTheirs || !winner ? (winner ?? 'open') : 'ours')]
    },
  )
  const refused = new Set(own.conflicts.map(({ id }) => id))
  const possible = given.filter(([id]) => !refused.has(id))
  if (possible.length < given.length) return mergePages(matched, { ...rules, decided: new Map(possible) })
  // Bases have unique slugs as well: one that has the former slug of an open conflict stays as it was, with its
  // id on the site, as that one may have its former id too.
  await separate(
    settled,
    ({ base }) => base?.slug,
    ([page, other], slug) => {
      const moved = other.pages.base?.slug === slug ? page : other
      const former = moved.pages.base
      return [moved, { ...moved, base: former && { ...former, id: moved.pages.theirs?.id ?? former.id } }]
    },
  )
  return { pages: settled, conflicts: [...all.conflicts, ...own.conflicts] }
}

/**
 * Returns what finds the address of a page: its slug in any spelling, unless a side has pages at several of
 * these.
 */
function addressesOf(matched: readonly MatchedPage[]): (page: Page | undefined) => string | undefined {
  const apart = new Set<string>()
  for (const side of ['ours', 'theirs'] as const) {
    const seen = new Set<string>()
    for (const { pages } of matched) {
      const address = pages[side] && comparableSlug(pages[side].slug)
      if (address !== undefined && seen.has(address)) apart.add(address)
      else if (address !== undefined) seen.add(address)
    }
  }
  return (page) => {
    const address = page && comparableSlug(page.slug)
    return address !== undefined && apart.has(address) ? page?.slug : address
  }
}

/** Changes one of two pages with the same slug, given the later one first, until all slugs differ. */
async function separate(
  pages: Settled[],
  slugOf: (page: Settled) => string | undefined,
  yieldOne: (two: readonly [Settled, Settled], slug: string) => readonly [before: Settled, after: Settled],
): Promise<void> {
  const places = new Map<string, number>()
  for (const start of pages.keys())
    for (let at = start; ;) {
      const page = pages[at]
      const slug = page && slugOf(page)
      if (!page || slug === undefined) break
      const there = places.get(slug) ?? at
      const other = pages[there]
      places.set(slug, at)
      if (there === at || !other) break
      await pace()
      const [before, after] = yieldOne(there < at ? [page, other] : [other, page], slug)
      const changed = before === page ? at : there
      if (changed === at) places.set(slug, there)
      pages[changed] = after
      at = changed
    }
}

/**
 * Returns who wins the slug that one page has in ours and another one in theirs, where a decision about a
 * slug says so. A page with an open conflict about its slug frees it for one that was given it. One that
 * keeps its slug of ours leaves that of theirs to the page that has it in ours: the base would have both
 * there.
 */
function winnerBySlugs(here: Settled, there: Settled): Winner | undefined {
  if (chosenSlug(there) === 'theirs' && isSlugOpen(here)) return 'theirs'
  const isSwap = there.pages.ours !== undefined && there.pages.ours.slug === here.pages.theirs?.slug
  return isSwap && chosenSlug(here) === 'ours' ? 'ours' : undefined
}

/** Returns the side whose slug was chosen for a page to which both sides have given another one. */
function chosenSlug(page: Settled): Winner | undefined {
  const { base, ours, theirs } = page.pages
  if (new Set([base?.slug, ours?.slug, theirs?.slug]).size < 3 || isSlugOpen(page)) return undefined
  return page.merged?.slug === theirs?.slug ? 'theirs' : 'ours'
}

const isSlugOpen = ({ conflicts }: Settled): boolean =>
  conflicts.some(({ path, blockId }) => path === 'slug' && blockId === undefined)

/** A conflict about a slug is the same while it is about the same pages, also if they change. */
const idOf = (page: unknown): unknown => (isPlainObject(page) ? page['id'] : page)

function mergeMatched({ key, pages }: MatchedPage, rules: PageRules, slugs?: Winner | 'open'): Settled {
  const { base, ours, theirs } = pages
  // Without a slug to choose, a change that both have is agreed on.
  if (ours === theirs && (!slugs || base === ours))
    return { key, pages, merged: ours, base: ours, taken: [], conflicts: [] }
  const { wins, decided, lasting } = rules
  const isAsked = Boolean(slugs ?? wins ?? decided ?? lasting)
  return { key, pages, ...(isAsked ? mergePage(pages, rules, slugs) : mergedAgain(pages, rules)) }
}

/** The bytes of the pages of ours whose last merge is remembered; each holds a page of the base and of theirs. */
const mostBytes = 8 * 1024 * 1024
/** The last merge of a page of ours, with what it was made of. */
const lastMerges = new LRUCache<Page, Three<Page | undefined> & PageRules & { readonly result: MergedPage }>({
  maxSize: mostBytes,
  sizeCalculation: (_last, ours) => pageSize(ours),
})

/** Merges a page: pages are immutable, and what a draft has changed is merged at each comparison with its site. */
function mergedAgain(pages: Three<Page | undefined>, { registry, manifest, draft }: PageRules): MergedPage {
  const { base, ours, theirs } = pages
  const last = ours && lastMerges.get(ours)
  const isSame = last?.base === base && last?.theirs === theirs
  if (last && isSame && last.registry === registry && last.manifest === manifest && last.draft === draft)
    return last.result
  const result = mergePage(pages, { registry, manifest, draft })
  if (ours) lastMerges.set(ours, { ...pages, registry, manifest, draft, result })
  return result
}
