import { pace } from '../../../kernel/index.ts'
import type { Page } from '../model.ts'
import type { SiteConfig } from '../page.ts'
import { samePage } from './page.ts'
import { each, type SentContent, type Three } from './sides.ts'

/** One side of a merge. */
export interface Side {
  /** Every slug of the side, in stored order. */
  readonly order: readonly string[]
  /** By slug, ingested. A slug that all sides lack here has the same page on every side that lists it. */
  readonly pages: ReadonlyMap<string, Page>
  readonly siteConfig?: SiteConfig | undefined
}

/** The pages of some content as a side. */
export const sideOf = ({ pages }: { readonly pages: readonly Page[] }): Side => ({
  order: pages.map(({ slug }) => slug),
  pages: new Map(pages.map((page) => [page.slug, page])),
})

/**
 * The renames between the base and a side: slug in the base to slug on the side. A slug that the side lacks,
 * such as an empty one, says that the page is gone, even if another one has its slug now.
 */
export type Renames = ReadonlyMap<string, string>

/** What is known of renames. */
export interface SideRenames {
  readonly ours?: Renames | undefined
  readonly theirs?: Renames | undefined
  /** The ids that renamed pages got on the side of theirs, by their former ids. */
  readonly ids?: ReadonlyMap<string, string> | undefined
  /** The renamed pages that publishes without an answer sent, with their slugs on the site before. */
  readonly sent?: readonly (readonly [from: string, page: Page])[] | undefined
  /** What publishes of ours have sent since both agreed, without an answer; the newest is the last one. */
  readonly unanswered?: readonly SentContent[] | undefined
  /** The slugs in theirs of pages that the base lacks, by those in ours. */
  readonly added?: Renames | undefined
}

/** Returns the slugs with those that renamed pages had or have, and so on. */
export function togetherWith(
  slugs: readonly string[],
  renames: ReadonlyMap<string, string | undefined>,
): ReadonlySet<string> {
  const together = new Set(slugs)
  const others = new Map([...renames].map(([from, to]) => [to, from]))
  // A set yields what is added while it is read.
  for (const slug of together)
    for (const other of [renames.get(slug), others.get(slug)]) if (other !== undefined) together.add(other)
  return together
}

/** A page across the sides; its key is unique. */
export interface MatchedPage {
  readonly key: string
  readonly pages: Three<Page | undefined>
}

/** Whether a page stands for one that no side lists: it is the same on all sides that have the slug. */
export const isUnlisted = (page: Page): boolean => unlisted.has(page)
const unlisted = new WeakSet<Page>()

/**
 * Matches the pages of the sides: by known renames, those of a publish without an answer among them, then by
 * page id where it is unique on all sides, then by slug. An id that a page without any of the blocks has,
 * while the page at the slug has some, has been given to another page.
 */
export async function matchPages(
  sides: Three<Side>,
  renames: SideRenames = {},
): Promise<readonly MatchedPage[]> {
  const stubs = new Map<string, Page>()
  const pageOf = ({ pages }: Side, slug: string | undefined): Page | undefined =>
    slug === undefined ? undefined : (pages.get(slug) ?? stubs.get(slug) ?? stubOf(slug, stubs))
  const slugs = each(sides, ({ order }) => new Set(order))
  const known = { sides, ids: each(sides, idsOf) }
  const added = new Map(
    [...(renames.added ?? [])].filter(([ours, theirs]) => slugs.ours.has(ours) && slugs.theirs.has(theirs)),
  )
  const addedThere = new Set(added.values())
  const toOurs = slugsOn({ base: slugs.base, side: slugs.ours, others: new Set(added.keys()) }, [
    ...(renames.ours ?? []),
    ...(await idMatches(known, 'ours')),
  ])
  const toTheirs = slugsOn({ base: slugs.base, side: slugs.theirs, others: addedThere }, [
    ...(renames.theirs ?? []),
    ...(await storedRenames(sides, toOurs, renames)),
    ...(await idMatches(known, 'theirs', renames.ids)),
  ])
  const matched: Three<string | undefined>[] = [...slugs.base].map((slug) => ({
    base: slug,
    ours: toOurs.get(slug),
    theirs: toTheirs.get(slug),
  }))
  const [usedHere, usedThere] = [new Set(toOurs.values()), new Set(toTheirs.values())]
  for (const slug of slugs.ours) {
    if (usedHere.has(slug)) continue
    const there = added.get(slug) ?? (addedThere.has(slug) ? undefined : slug)
    const isOnBoth = there !== undefined && slugs.theirs.has(there) && !usedThere.has(there)
    matched.push({ base: undefined, ours: slug, theirs: isOnBoth ? there : undefined })
    if (isOnBoth) usedThere.add(there)
  }
  for (const slug of slugs.theirs)
    if (!usedThere.has(slug)) matched.push({ base: undefined, ours: undefined, theirs: slug })
  return matched.map(({ base, ours, theirs }, at) => ({
    key: String(at),
    pages: {
      base: pageOf(sides.base, base),
      ours: pageOf(sides.ours, ours),
      theirs: pageOf(sides.theirs, theirs),
    },
  }))
}

/** Returns the slugs that pages of theirs have in ours, where they differ. */
export async function matchedSlugs(sides: Three<Side>, renames?: SideRenames): Promise<Renames> {
  const matched = await matchPages(sides, renames)
  return new Map(
    matched.flatMap(({ pages: { ours, theirs } }): [string, string][] =>
      ours && theirs && ours.slug !== theirs.slug ? [[theirs.slug, ours.slug]] : [],
    ),
  )
}

function stubOf(slug: string, stubs: Map<string, Page>): Page {
  const stub = { id: slug, slug, title: slug, updatedAt: '', blocks: [] }
  stubs.set(slug, stub)
  unlisted.add(stub)
  return stub
}

/**
 * Returns the slug of each page of the base on a side; `undefined` where it is gone. Of a page, the first
 * rename counts.
 */
function slugsOn(
  {
    base,
    side,
    others,
  }: Record<'base' | 'side', ReadonlySet<string>> & {
    /** The slugs of pages of the side that the base lacks. */
    readonly others: ReadonlySet<string>
  },
  renames: readonly (readonly [from: string, to: string])[],
): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>()
  const used = new Set(others)
  const match = (from: string, to: string) => {
    if (!base.has(from) || found.has(from) || used.has(to)) return
    found.set(from, side.has(to) ? to : undefined)
    used.add(to)
  }
  for (const [from, to] of renames) match(from, to)
  for (const slug of base) if (side.has(slug) && !found.has(slug)) match(slug, slug)
  return found
}

/**
 * Returns the renames that theirs has stored without an answer: at the new slug is the page of ours or the
 * one that was sent, and at the slug of the base none, or another one of these.
 */
async function storedRenames(
  { base, ours, theirs }: Three<Side>,
  toOurs: ReadonlyMap<string, string | undefined>,
  { theirs: known, sent = [] }: SideRenames,
): Promise<Renames> {
  const wanted = [...toOurs].flatMap(([from, to]): [string, Page][] => {
    const page = to === undefined || to === from ? undefined : ours.pages.get(to)
    return page ? [[from, page]] : []
  })
  const found = new Map<string, string>()
  const freed = new Set<string>()
  // A sent page that both sides have agreed on since is another page in the base.
  const open = sent.filter(([, page]) => !samePage(base.pages.get(page.slug), page))
  for (const [from, page] of [...wanted, ...open]) {
    if (known?.has(from) || found.has(from) || freed.has(page.slug)) continue
    await pace()
    const there = theirs.pages.get(page.slug)
    if (!there || !samePage(page, there)) continue
    found.set(from, page.slug)
    freed.add(page.slug)
  }
  const there = new Set(theirs.order)
  const others = new Set([...found.keys()].filter((from) => there.has(from) && !freed.has(from)))
  // A set yields what is added while it is read.
  for (const from of others) {
    const to = found.get(from)
    found.delete(from)
    if (to !== undefined && found.has(to) && there.has(to)) others.add(to)
  }
  return found
}

/** The slugs by page ids that occur once; without pages that no side lists. */
function idsOf({ pages }: Side): ReadonlyMap<string, string | undefined> {
  const slugs = new Map<string, string | undefined>()
  for (const { id, slug } of pages.values()) slugs.set(id, slugs.has(id) ? undefined : slug)
  return slugs
}

async function idMatches(
  { sides, ids }: { readonly sides: Three<Side>; readonly ids: Three<ReturnType<typeof idsOf>> },
  name: 'ours' | 'theirs',
  later?: SideRenames['ids'],
): Promise<readonly (readonly [from: string, to: string])[]> {
  const side = ids[name]
  const pageOn = (id: string): Page | undefined => sides[name].pages.get(side.get(id) ?? '')
  const isUnique = (id: string) =>
    [ids.base, ids.ours, ids.theirs].every((slugs) => !slugs.has(id) || slugs.get(id))
  const matches: { readonly from: string; readonly to: string; readonly shared: number }[] = []
  for (const [id, from] of ids.base) {
    const page = sides.base.pages.get(from ?? '')
    if (!page) continue
    await pace()
    const here = sides[name].pages.get(page.slug)
    if (here === page && side.get(id) === page.slug && isUnique(id)) {
      // Nothing is more like a page than itself; its blocks may be read on use.
      matches.push({ from: page.slug, to: page.slug, shared: Infinity })
      continue
    }
    for (const { page: there, shared } of laterPages({ id, page }, pageOn, later)) {
      // Another page has its id, as after a swap that was swapped back.
      if (shared === 0 && sharedBlocks(page, here) > 0) continue
      const isOther = there.id !== id && ids.base.has(there.id) && shared <= sharedBlocks(page, pageOn(id))
      if (!isOther && isUnique(there.id)) matches.push({ from: page.slug, to: there.slug, shared })
    }
  }
  // Two pages may have had one id in turn: the one with more of the blocks first.
  return matches.toSorted((a, b) => b.shared - a.shared).map(({ from, to }) => [from, to])
}

/** Returns how many blocks of a page another one has: they keep their ids when pages are renamed. */
export function sharedBlocks(page: Page | undefined, other: Page | undefined): number {
  const own = new Set(page?.blocks.map(({ id }) => id))
  return (other?.blocks ?? []).filter(({ id }) => own.has(id)).length
}

/**
 * The most ids of one page that are followed: pages that take each other's slugs have one chain of all ids.
 */
const mostIds = 100

/**
 * Returns the pages of a side that one with this id may be after some renames, the likeliest first. A publish
 * may have given its id, or a later one, to another page, as in a swap: the page has the most of its blocks,
 * of several the earliest.
 */
export function laterPages(
  { id, page }: { readonly id: string; readonly page: Page | undefined },
  pageOn: (id: string) => Page | undefined,
  later: SideRenames['ids'] = new Map(),
): readonly { readonly page: Page; readonly shared: number }[] {
  const passed = new Set([id])
  const found: { readonly page: Page; readonly shared: number }[] = []
  // A set yields what is added while it is read.
  for (const each of passed) {
    const there = pageOn(each)
    const shared = sharedBlocks(page, there)
    if (there) found.push({ page: there, shared })
    // No later page has more of its blocks.
    if ((there && shared === (page?.blocks.length ?? 0)) || passed.size > mostIds) break
    const next = later.get(each)
    if (next !== undefined) passed.add(next)
  }
  return found.toSorted((a, b) => b.shared - a.shared)
}

/** An id that a page had until a version of its draft: a rename gives another one. */
export interface FormerId {
  readonly id: string
  readonly until: number
}

/**
 * The ids that renamed pages had, oldest first, by their slugs. Of pages that the site lacks: others have a
 * base.
 */
export type FormerIds = ReadonlyMap<string, readonly FormerId[]>

/**
 * Returns the slugs that renamed pages have in content of an earlier version of their draft, by their present
 * slugs.
 */
export function slugsThen(
  former: FormerIds,
  { version, pages }: { readonly version: number; readonly pages: Iterable<Page> },
): Renames {
  const slugs = new Map([...pages].map(({ id, slug }) => [id, slug]))
  const then = [...former].flatMap(([slug, ids]) => {
    const found = ids.find(({ until }) => until > version)
    return found ? [{ slug, ...found }] : []
  })
  const found = new Map<string, string>()
  // A page that was created later may have got the id that another one had then.
  for (const { slug, id } of then.toSorted((a, b) => a.until - b.until)) {
    const there = slugs.get(id)
    if (there === undefined) continue
    found.set(slug, there)
    slugs.delete(id)
  }
  return found
}
