import { paced } from '../../../kernel/index.ts'
import { withAddressesOf } from '../addresses.ts'
import { freePageIds } from '../block-ids.ts'
import type { Page, SiteConfig } from '../model.ts'
import { sameJson } from '../plain-object.ts'
import { redirectsOf } from '../redirects.ts'
import { withArrived } from './arrived.ts'
import { mergeConfig } from './config.ts'
import { type Conflict, createLedger, type Taken } from './conflict.ts'
import { isUnlisted, type SideRenames, matchPages, type Renames, type Side } from './match.ts'
import { mergeOrder } from './order.ts'
import { isAgreed, type PageRules, samePage } from './page.ts'
import { mergePages, type Settled } from './pages.ts'
import { each, same, type Three } from './sides.ts'

/** The merge of two states of a site that have a common base. */

export {
  fingerprint,
  keyOfPlace,
  type Conflict,
  type ConflictPlace,
  type Decisions,
  type Taken,
  type Winner,
} from './conflict.ts'
export type { FormerId, FormerIds, SideRenames, Renames, Side } from './match.ts'
export {
  laterPages,
  matchedSlugs,
  matchPages,
  sharedBlocks,
  sideOf,
  slugsThen,
  togetherWith,
} from './match.ts'
export { isSameOrder, mergeWholeOrder, placed, placedBehind } from './order.ts'
export { comparable, mergePage, sameAsRead, samePage } from './page.ts'
export type { SentContent, Three } from './sides.ts'
export { changedSettings, placeOfRedirect } from './config.ts'
export { pageWithout } from './undo.ts'

export interface MergeRequest extends PageRules, Three<Side> {
  /** The slugs that pages of the base have now, where a rename is known. */
  readonly renames?: SideRenames | undefined
}

/** The slugs that pages have elsewhere, where they differ. */
export interface MergedRenames {
  /** From the new base to the merged content. */
  readonly ours: Renames
  /** Those of `ours` from other slugs than the former base had for these pages. */
  readonly since: Renames
  /** From the new base to theirs. */
  readonly theirs: Renames
  /** From theirs to the merged content, also where only theirs has renamed a page and that is not taken. */
  readonly between: Renames
}

export const noRenames: MergedRenames = {
  ours: new Map(),
  since: new Map(),
  theirs: new Map(),
  between: new Map(),
}

export interface Merged {
  /** The merged pages that differ from ours, by slug; `undefined` for a page that goes. */
  readonly pages: ReadonlyMap<string, Page | undefined>
  readonly order: readonly string[]
  /** The slugs that pages of ours have now, where they differ. */
  readonly moved: Renames
  /** The same object as ours if it is unchanged. */
  readonly siteConfig: SiteConfig | undefined
  readonly taken: readonly Taken[]
  /** The conflicts that nothing decided; the merged content has ours. */
  readonly conflicts: readonly Conflict[]
  /**
   * The state in which both sides agree now: that of theirs, but the former base where a conflict is open.
   */
  readonly base: {
    /**
     * By slug in the base, where it differs from the merged content; `undefined` where only that has a page.
     */
    readonly pages: ReadonlyMap<string, Page | undefined>
    readonly order: readonly string[]
    readonly siteConfig: SiteConfig | undefined
    readonly renames: MergedRenames
  }
}

/**
 * Merges what changed between `base` and `theirs` into `ours`, value by value: the side that changed wins.
 * What both changed to different values is a conflict, which keeps ours unless it is decided.
 *
 * Pure, and asynchronous only because it yields to the event loop. With the new base, the same merge again
 * gives the merged content with the same open conflicts. A page that theirs adds gets another id if a page of
 * ours has its id. Throws an Error if a page is needed that no side lists.
 */
export async function merge(request: MergeRequest): Promise<Merged> {
  const few = listedOnly(request)
  if (!few) return mergeAll(request)
  const { order, siteConfig } = request.ours
  const pages = await changedAlone({ ...request, ...few })
  const agreed = { order, siteConfig: request.base.siteConfig, renames: noRenames }
  if (pages) return { ...nothingTaken, order, siteConfig, base: { ...agreed, pages } }
  const done = await mergeAll({ ...request, ...few }, order)
  const isInPlace = same(done.order, few.ours.order) && same(done.base.order, few.ours.order)
  return isInPlace ? { ...done, order, base: { ...done.base, order } } : mergeAll(request)
}

const nothingTaken = { pages: new Map(), moved: new Map(), taken: [], conflicts: [] }

/** Merges site configs alone. */
export function mergeSettings(configs: Three<SiteConfig | undefined>, rules: PageRules) {
  const ledger = createLedger(rules)
  const { merged } = mergeConfig(configs, { ledger, draft: rules.draft ?? 'ours' })
  return { siteConfig: merged, conflicts: ledger.conflicts }
}

/**
 * Returns sides without the pages that no side lists, where all have the same order: others cost nothing
 * then.
 */
function listedOnly({ base, ours, theirs, renames }: MergeRequest): Three<Side> | undefined {
  const isSameOrder = same(base.order, ours.order) && same(ours.order, theirs.order)
  if (renames?.ours?.size || renames?.theirs?.size || !isSameOrder) return undefined
  const listed = new Set([base, ours, theirs].flatMap(({ pages }) => [...pages.keys()]))
  const order = ours.order.filter((slug) => listed.has(slug))
  return each({ base, ours, theirs }, (side) => ({ ...side, order }))
}

/**
 * Returns the pages of the base that ours has changed, if there is nothing to take: theirs has each page as the
 * base or ours has it, under the same id, and the settings of the base. Redirects may end with pages that stay.
 */
async function changedAlone({ base, ours, theirs, renames = {} }: MergeRequest) {
  if (Object.values(renames).some((known) => known && [...known].length > 0)) return undefined
  const redirects = [ours, theirs].flatMap(({ siteConfig }) => Object.keys(redirectsOf(siteConfig) ?? {}))
  const isSame = redirects.length === 0 && sameJson(base.siteConfig, theirs.siteConfig)
  if (theirs.siteConfig && !isSame) return undefined
  const changed = new Map<string, Page>()
  for await (const slug of paced(ours.order)) {
    const [was, here, there] = [base, ours, theirs].map(({ pages }) => pages.get(slug))
    if (!was || !here || !there || was.id !== there.id || here.id !== there.id) return undefined
    if (!samePage(here, there)) changed.set(slug, was)
    if (changed.has(slug) && !samePage(was, there)) return undefined
  }
  return changed
}

/** Merges sides; `slugs` are those of the merged pages if the sides do not list all. */
async function mergeAll(request: MergeRequest, slugs?: readonly string[]): Promise<Merged> {
  const { ours, theirs, renames, draft = 'ours' } = request
  let { base } = request
  let matched = await matchPages({ base, ours, theirs }, renames)
  for (const sent of renames?.unanswered ?? [])
    ({ matched, base } = withArrived(matched, { base, theirs }, sent, request))
  const { pages, conflicts } = await mergePages(matched, request)
  const ledger = createLedger(request)
  const settled = withUniqueIds(pages)
  const order = mergedOrder({ base, ours, theirs }, settled, draft)
  const config = mergeConfig(
    each({ base, ours, theirs }, ({ siteConfig }) => siteConfig),
    { ledger, draft },
    {
      slugs: slugs ?? order.merged.map(({ slug }) => slug),
      renames: settled.flatMap(({ merged, pages: { base, ours } }) =>
        merged && ours && ours.slug !== merged.slug
          ? [{ base: base?.slug, ours: ours.slug, theirs: merged.slug }]
          : [],
      ),
      theirs: new Set(theirs.order),
    },
  )
  for (const { slug } of order.moved) ledger.take({ slug }, 'moved')
  const slugsOf = settled.map(({ base, merged, pages: { theirs } }) => ({
    base: base?.slug,
    merged: merged?.slug,
    theirs: theirs?.slug,
  }))
  const ownRenames = renamesTo('merged', 'base', slugsOf)
  const rebased = new Set(
    settled.flatMap(({ base, pages }) => (base && base.slug !== pages.base?.slug ? [base.slug] : [])),
  )
  return {
    pages: changedPages(settled),
    moved: new Map(
      settled.flatMap(({ pages: { ours }, merged }): [string, string][] =>
        ours && merged && ours.slug !== merged.slug ? [[ours.slug, merged.slug]] : [],
      ),
    ),
    order: order.merged.map(({ slug }) => slug),
    siteConfig: config.merged,
    taken: [...settled.flatMap(({ taken }) => taken), ...ledger.taken],
    conflicts: [...settled.flatMap((page) => page.conflicts), ...conflicts, ...ledger.conflicts],
    base: {
      pages: differingBases(settled),
      order: order.base.map(({ slug }) => slug),
      siteConfig: config.base,
      renames: {
        ours: ownRenames,
        since: new Map([...ownRenames].filter(([from]) => rebased.has(from))),
        theirs: renamesTo('theirs', 'base', slugsOf),
        between: renamesTo('merged', 'theirs', slugsOf),
      },
    },
  }
}

/** Gives pages of theirs whose id another page has an id of their own. */
function withUniqueIds(pages: readonly Settled[]): readonly Settled[] {
  if (pages.every(({ merged, pages: { ours } }) => !merged || merged.id === ours?.id)) return pages
  // Pages that take over a swap have the ids of each other then.
  const stay = pages.filter(({ merged, pages: { ours } }) => merged && merged.id === ours?.id)
  const taken = new Set(stay.map(({ merged }) => merged?.id))
  const freeId = freePageIds((id) => taken.has(id))
  return pages.map((page) => {
    const { merged, pages: sides } = page
    if (!merged || merged.id === sides.ours?.id) return page
    const id = taken.has(merged.id) ? freeId(merged.slug) : merged.id
    taken.add(id)
    return id === merged.id ? page : { ...page, merged: { ...merged, id } }
  })
}

function mergedOrder(sides: Three<Side>, pages: readonly Settled[], draft: 'ours' | 'theirs') {
  const keysOf = (side: 'base' | 'ours' | 'theirs') => {
    const keys = new Map(pages.map(({ key, pages }) => [pages[side]?.slug, key]))
    return sides[side].order.flatMap((slug) => keys.get(slug) ?? [])
  }
  const after = (state: 'merged' | 'base') =>
    new Map(pages.flatMap((page): [string, Page][] => (page[state] ? [[page.key, page[state]]] : [])))
  const members = { merged: after('merged'), base: after('base') }
  const orders = { base: keysOf('base'), ours: keysOf('ours'), theirs: keysOf('theirs') }
  const { merged, base, moved } = mergeOrder(orders, members, draft)
  const pagesOf = (keys: readonly string[], state: ReadonlyMap<string, Page>) =>
    keys.flatMap((key) => state.get(key) ?? [])
  return {
    merged: pagesOf(merged, members.merged),
    base: pagesOf(base, members.base),
    moved: pagesOf(moved, members.merged),
  }
}

function changedPages(pages: readonly Settled[]): ReadonlyMap<string, Page | undefined> {
  const changed = new Map<string, Page | undefined>()
  const differing = pages.filter(({ merged, pages: { ours } }) => merged !== ours)
  for (const { merged, pages } of differing)
    if (pages.ours && pages.ours.slug !== merged?.slug) changed.set(pages.ours.slug, undefined)
  for (const { merged } of differing) if (merged) changed.set(merged.slug, listed(merged))
  return changed
}

function differingBases(pages: readonly Settled[]): ReadonlyMap<string, Page | undefined> {
  const contents = new Map(pages.map(({ merged }) => [merged?.slug, merged]))
  const bases = new Map(pages.map(({ base }) => [base?.slug, base]))
  const differing = new Map<string, Page | undefined>()
  for (const { base, merged, pages: sides } of pages) {
    if (base && !isUnlisted(base) && !isAgreed(base, contents.get(base.slug), sides.theirs))
      differing.set(base.slug, base)
    if (merged && !bases.has(merged.slug)) differing.set(merged.slug, undefined)
  }
  return differing
}

type State = 'merged' | 'base' | 'theirs'
/**
 * Returns the renames to a state from another one; an empty slug for a page that is gone where another has
 * its slug.
 */
function renamesTo(
  state: State,
  before: State,
  pages: readonly Readonly<Record<State, string | undefined>>[],
): Renames {
  const used = new Set(pages.map((page) => page[state]))
  return new Map(
    pages.flatMap(({ [before]: from, [state]: to }): [string, string][] => {
      if (from === undefined || from === to) return []
      return to !== undefined || used.has(from) ? [[from, to ?? '']] : []
    }),
  )
}

function listed(page: Page): Page {
  if (isUnlisted(page)) throw new Error(`The merge takes page '${page.slug}', which no side lists.`)
  return page
}

/**
 * Gives ours and base the addresses that theirs has now, where it has them otherwise at every read: of the
 * addresses in `volatile`, what is behind the `?` differs. `refreshed` are the pages of ours that change.
 *
 * Where ours has another value, the base stays: that is a conflict, until it is decided. `isDecided` says
 * that all are.
 */
export async function refresh(
  sides: Three<Side>,
  volatile: ReadonlySet<string> = new Set(),
  { renames, isDecided = false }: { readonly renames?: SideRenames; readonly isDecided?: boolean } = {},
): Promise<Three<Side> & { readonly refreshed: ReadonlyMap<string, Page> }> {
  const refreshed = new Map<string, Page>()
  if (volatile.size === 0) return { ...sides, refreshed }
  const bases = new Map(sides.base.pages)
  for (const { pages } of await matchPages(sides, renames)) {
    const { base, ours, theirs } = each(pages, (page) => (page && isUnlisted(page) ? undefined : page))
    const after = ours && withAddressesOf(ours, theirs, volatile)
    if (after && after !== ours) refreshed.set(after.slug, after)
    const own = isDecided ? undefined : ours
    if (base)
      bases.set(base.slug, base === ours ? (after ?? base) : withAddressesOf(base, theirs, volatile, own))
  }
  const { siteConfig } = sides.theirs
  const own = isDecided ? undefined : sides.ours.siteConfig
  return {
    base: {
      ...sides.base,
      pages: bases,
      siteConfig: withAddressesOf(sides.base.siteConfig, siteConfig, volatile, own),
    },
    ours: {
      ...sides.ours,
      pages: new Map([...sides.ours.pages, ...refreshed]),
      siteConfig: withAddressesOf(sides.ours.siteConfig, siteConfig, volatile),
    },
    theirs: sides.theirs,
    refreshed,
  }
}
