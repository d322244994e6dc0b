import { pace, paced } from '../../../kernel/index.ts'
import { withAddressesOf } from '../../content/addresses.ts'
import { ingestPage } from '../../content/ingest.ts'
import { mergePage, mergeSettings, samePage, sharedBlocks } from '../../content/merge/index.ts'
import type { AvailableTypes } from '../../content/model.ts'
import type { Page, SiteConfig } from '../../content/page.ts'
import { sameJson } from '../../content/plain-object.ts'
import { secondAt, type Unreadable } from '../../content/read-pages.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { beforeFollows, formerAddresses } from './before-follows.ts'
import type { LaterIds } from '../change.ts'
import type { EditOf } from '../change-set.ts'
import { pageBase } from '../collections.ts'
import { removedSlugs } from '../log.ts'
import { type Bases, renamedIn } from './stored-bases.ts'
import type { DraftTransaction } from '../transaction.ts'

/** What a client's copy of a site changes in a draft. */
export interface Pushed {
  /** The pages that change, by their slugs in the draft. */
  readonly pages: ReadonlyMap<string, Page>
  /** The slugs of those that the draft lacks and had, or the site has. */
  readonly returned: ReadonlySet<string>
  /** The pages whose slugs other pages of the copy have in the draft: they stay out of it. */
  readonly refused: readonly Unreadable[]
  /** The complete site config, if the copy brings one. */
  readonly siteConfig: SiteConfig | undefined
}

/** A page of a copy, with the page that the draft has for it. */
interface Copied {
  readonly page: Page
  readonly ours: Page | undefined
  /** The slugs that the page has in the draft, and in the base, and another one that it has in the copy. */
  readonly slugs: { readonly now: string; readonly base: string; readonly copy?: string }
}

type Known = ReturnType<typeof knownOf>

/** Returns what a copy is compared with; what costs a read is read once, if it is needed. */
function knownOf(
  draft: DraftTransaction,
  { pages, site }: Pick<EditOf<'pages'>, 'pages' | 'site'>,
  bases: Bases,
  now: Date,
) {
  /** The slugs in the draft of renamed pages, by those in the base. */
  const renames = new Map(renamedIn(bases))
  const laterIds = once(async (): Promise<LaterIds> => (await site?.laterIds(draft.tx)) ?? new Map())
  const removed = once(() => removedSlugs(draft.log))
  return {
    bases,
    renames,
    pages,
    site,
    laterIds,
    /** Where the draft has pages that it had elsewhere within the last day. */
    addresses: once(() => formerAddresses(draft, now)),
    /** Where the site has pages, by their ids. */
    onSite: once(async () => (await site?.slugsById()) ?? new Map<string, string>()),
    /** The slugs of the copy at which the draft has a page, by the ids of its blocks that no other one has. */
    slugsByBlock: once(() => slugsByBlockIn(draft, pages.keys())),
    /** What the draft had before it followed its site. */
    earlier: once(async () => {
      const slugs = [...pages.keys()].flatMap((slug) => [slug, renames.get(slug) ?? slug])
      const later = [...(await laterIds()).values()].flatMap(({ slug }) => slug ?? [])
      return beforeFollows(draft, new Set([...slugs, ...(await draft.pages.order()).order, ...later]), now)
    }),
    /** Whether the draft may have had a page at a slug that it lacks now. */
    async mayHaveHad(slug: string): Promise<boolean> {
      return draft.head.sizes.oldest > 1 || (await removed()).has(slug)
    },
  }
}

/** Returns a function that makes a value at its first call. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/**
 * Compares a client's copy of a site with a draft that has a base, value by value. What equals the base, the
 * site as known, or what the draft had before it followed its site within the last day, is not a change;
 * anything else is an edit, also a page that the draft lacks and never had, as a site is pushed in parts. A
 * page at the former slug of a renamed page is that page, also after its publish. An address that the site
 * has otherwise at every read is as it was signed at another time.
 */
export async function pushedChanges(
  draft: DraftTransaction,
  edit: EditOf<'pages'>,
  now: Date,
): Promise<Pushed> {
  const types = { registry: builtinRegistry, manifest: edit.manifest }
  const bases = await draft.bases.all()
  const known = knownOf(draft, edit, bases, now)
  const changed = new Map<string, Page>()
  const returned = new Set<string>()
  const copies: Copied[] = []
  for await (const page of paced(edit.pages.values()))
    if (page) copies.push(await inDraft(draft, ingestPage(page, types), known))
  const refused = displaced(copies)
  for await (const copied of paced(copies)) {
    if (refused.has(copied)) continue
    const { after, isKnown } = await withoutCopies(copied, await baseOf(draft, bases, copied), known, types)
    if (!after || after === copied.ours) continue
    changed.set(after.slug, after)
    if (!copied.ours && isKnown) returned.add(after.slug)
  }
  const config = edit.siteConfig && (await pushedConfig(draft, edit.siteConfig, known, types))
  const second = [...refused].map(({ page }) => secondAt(page.slug))
  return { pages: changed, returned, refused: second, siteConfig: config }
}

/** Returns the pages of a copy whose slugs in the draft are those of other pages of the copy. */
function displaced(copies: readonly Copied[]): ReadonlySet<Copied> {
  const likeness = ({ page, ours }: Copied) => sharedBlocks(page, ours) + (page.id === ours?.id ? 0.5 : 0)
  const isBySlug = ({ page, slugs }: Copied) => slugs.copy === undefined && page.slug === slugs.now
  const together = [...Map.groupBy(copies, ({ slugs }) => slugs.now).values()].filter(
    ({ length }) => length > 1,
  )
  return new Set(
    together.flatMap((same) => {
      const most = Math.max(...same.map(likeness))
      return same.filter((each) => isBySlug(each) && likeness(each) < most)
    }),
  )
}

/** Returns a page of a copy with what the draft has in place of each value that equals a known one. */
async function withoutCopies(
  { page, ours, slugs }: Copied,
  base: Page | undefined,
  { site, earlier, mayHaveHad }: Known,
  types: AvailableTypes,
): Promise<{ readonly after: Page | undefined; readonly isKnown: boolean }> {
  if (!ours && !(await mayHaveHad(page.slug))) return { after: page, isKnown: false }
  const volatile = site?.volatile ?? new Set<string>()
  let after: Page | undefined = page
  let isKnown = false
  const isDone = () => samePage(after, ours)
  const keepOwn = async (states: readonly Page[]): Promise<void> => {
    for (const state of states) {
      if (isDone()) return
      await pace()
      const sides = { base: ingestPage(state, types), ours, theirs: withAddressesOf(after, state, volatile) }
      after = mergePage(sides, { ...types, wins: 'theirs' }).merged
      isKnown = true
    }
  }
  // Where the draft has none, a page with an id of its own is another one than the site had there.
  const known = (site?.pagesAt(slugs.base) ?? []).filter(({ id }) => ours || id === page.id)
  await keepOwn([...(base ? [base] : []), ...known])
  if (!isDone()) await keepOwn((await earlier()).pagesAt([...new Set(Object.values(slugs))]))
  return { after: isDone() ? ours : after, isKnown }
}

async function slugsByBlockIn(draft: DraftTransaction, slugs: Iterable<string>) {
  const found = new Map<string, string | undefined>()
  for await (const slug of paced(slugs)) {
    for (const { id } of (await draft.pages.get(slug))?.blocks ?? [])
      found.set(id, found.has(id) ? undefined : slug)
  }
  return found
}

/** Finds the page of the draft for one of a copy: of those that it may be, the one with most of its blocks. */
async function inDraft(draft: DraftTransaction, page: Page, known: Known): Promise<Copied> {
  const { slug, blocks } = page
  let found: Copied = { page, ours: undefined, slugs: { now: slug, base: slug } }
  let most = -1
  for await (const each of candidates(draft, page, known)) {
    const shared = sharedBlocks(page, each.ours)
    if (shared > most) found = each
    most = Math.max(most, shared)
    if (most === blocks.length) break
  }
  return found
}

/**
 * Returns the pages of the draft that a page of a copy may be, the likeliest first: by its id at its slug, by
 * a rename of the draft, by one of the site, by where the draft had it within the last day, by its slug
 * alone, or by its blocks at another slug of the copy, as pages that have swapped their slugs may have
 * swapped their ids too.
 */
async function* candidates(draft: DraftTransaction, page: Page, known: Known): AsyncGenerator<Copied> {
  const { bases, renames, pages } = known
  const { slug } = page
  const there = await draft.pages.get(slug)
  if (there?.id === page.id) yield { page, ours: there, slugs: { now: slug, base: slugInBase(bases, slug) } }
  const to = renames.get(slug)
  const moved = to === undefined ? undefined : await draft.pages.get(to)
  if (moved && pages.get(moved.slug)?.id !== moved.id)
    yield { page, ours: moved, slugs: { now: moved.slug, base: slug } }
  yield* movedOnSite(draft, page, known)
  const elsewhere = async (now: string | undefined): Promise<Copied | undefined> => {
    const ours = now === undefined ? undefined : await draft.pages.get(now)
    if (!ours) return undefined
    const own = slugInBase(bases, ours.slug)
    return { page: { ...page, slug: own }, ours, slugs: { now: ours.slug, base: own, copy: slug } }
  }
  const former = await elsewhere((await known.addresses())(page))
  if (former && !pages.has(former.slugs.base) && !pages.has(former.slugs.now)) yield former
  if (!there) return
  yield { page, ours: there, slugs: { now: slug, base: slug } }
  const byBlock = await known.slugsByBlock()
  const swapped = await elsewhere(page.blocks.map(({ id }) => byBlock.get(id)).find((at) => at !== undefined))
  if (swapped) yield swapped
}

/** Returns the slug in the base of a page of the draft. */
const slugInBase = (bases: Bases, slug: string): string => bases.get(pageBase(slug))?.from ?? slug

/**
 * Returns the pages of the draft for one whose address a publish, or the site, has changed: by where the site
 * has its id, or a later one. Where both have renamed it alike, the draft has given it another id.
 */
async function* movedOnSite(
  draft: DraftTransaction,
  copy: Page,
  { bases, renames, pages, laterIds, onSite }: Known,
): AsyncGenerator<Copied> {
  const slugs = await onSite()
  for await (const [id, given] of paced(idsSince(copy.id, await laterIds()))) {
    const shared = slugs.get(id)
    const slug = shared ?? given
    if (slug === undefined) continue
    const to = renames.get(slug)
    const now = to ?? slug
    const ours = await draft.pages.get(now)
    const isAdded = bases.get(pageBase(now))?.page === null
    // Of a page that the draft has renamed since, the base has this id.
    const isIt = to !== undefined || ours?.id === id || (shared !== undefined && !isAdded)
    const others = [pages.get(slug), pages.get(now)].filter((each) => each !== undefined)
    const isInCopy = others.some((each) => sharedBlocks(each, ours) >= sharedBlocks(copy, ours))
    if (ours && isIt && !isInCopy)
      yield { page: { ...copy, slug }, ours, slugs: { now, base: slug, copy: copy.slug } }
  }
}

/** Returns the ids of a page since it had this one, each with the slug that it got then. */
function idsSince(id: string, later: LaterIds): ReadonlyMap<string, string | undefined> {
  const ids = new Map<string, string | undefined>([[id, undefined]])
  for (let next = later.get(id); next && !ids.has(next.id); next = later.get(next.id))
    ids.set(next.id, next.slug)
  return ids
}

/** Returns the page on which draft and site agreed; `undefined` if one of them lacked it. */
async function baseOf(draft: DraftTransaction, bases: Bases, { slugs }: Copied): Promise<Page | undefined> {
  const base = bases.get(pageBase(slugs.base))
  return base ? (base.page ?? undefined) : draft.pages.get(slugs.base)
}

/** Returns the site config of a draft with what a copy changes in it. */
async function pushedConfig(
  draft: DraftTransaction,
  { values, overwrite }: NonNullable<EditOf<'pages'>['siteConfig']>,
  { bases, site, earlier }: Known,
  types: AvailableTypes,
): Promise<SiteConfig> {
  const own = await draft.config()
  // A config that was never completed with that of the site has removed nothing.
  const ours = draft.head.site.hasWholeConfig ? own : { ...values, ...own }
  const pushed = overwrite ? { ...ours, ...values } : { ...values, ...ours }
  const base = bases.get('config')?.config ?? own
  const volatile = site?.volatile ?? new Set<string>()
  const without = (copy: SiteConfig, states: readonly SiteConfig[]): SiteConfig =>
    states.reduce((after, state) => {
      const sides = { base: state, ours, theirs: withAddressesOf(after, state, volatile) }
      return mergeSettings(sides, { ...types, wins: 'theirs' }).siteConfig ?? ours
    }, copy)
  const after = without(pushed, [base, ...(site?.siteConfigs ?? [])])
  return sameJson(after, ours) ? after : without(after, (await earlier()).siteConfigs)
}
