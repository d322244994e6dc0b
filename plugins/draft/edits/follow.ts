import { pace } from '../../../kernel/index.ts'
import {
  laterPages,
  matchedSlugs,
  merge,
  type Merged,
  type MergeRequest,
  refresh,
  type Side,
  slugsThen,
  type Three,
} from '../../content/merge/index.ts'
import { ingestPage } from '../../content/ingest.ts'
import type { AvailableTypes, PageChange } from '../../content/model.ts'
import type { Page } from '../../content/page.ts'
import { withAddressesOf, withoutQueriesOf } from '../../content/addresses.ts'
import { pageSize } from '../../content/page-bytes.ts'
import { picked, sameJson } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { home } from '../../content/slugs.ts'
import { baseRecords } from '../base-records.ts'
import { type ChangeSet, type EditOf, restamped, type Unchanged } from '../change-set.ts'
import type { Base } from '../collections.ts'
import type { SiteState } from '../change.ts'
import type { Unreadable } from '../../content/read-pages.ts'
import { skippedOfSite, tooLarge } from './skipped.ts'
import { firstBases } from './first-bases.ts'
import { siteLabel } from '../label.ts'
import { removedSince, withEarlierMoves } from '../redirects.ts'
import type { DraftTransaction } from '../transaction.ts'
import { labelOfDecision, settle, type Decided } from './decision.ts'
import { isOpen } from '../runs.ts'
import { ranksOfOrder } from './ranks.ts'
import { baseOf, type Bases, basesAfter, formerIdsIn, pagesIn, renamedIn } from './stored-bases.ts'

/**
 * Plans what a draft takes over from its site. The base moves to the site, except for values that both have
 * changed: they stay as they are until a side is chosen.
 */
export async function planFollow(
  draft: DraftTransaction,
  edit: EditOf<'follow'>,
  now: Date,
): Promise<ChangeSet | Unchanged> {
  const { site, manifest } = edit
  const { request, stored, own, former, refreshed: fresh, omitted } = await sidesOf(draft, edit)
  const { ours, theirs, renames } = request
  const open = await merge(request)
  const isMet = open.conflicts.length > 0 || draft.head.site.conflicts !== undefined
  const settled: Partial<Decided> = isMet ? await settle(draft, edit, { open, request }, now) : {}
  const { merged: chosen = open, conflicts = [], noted, isOther: isOtherwise = false } = settled
  const { ours: here, since } = chosen.base.renames
  const merged = here.size + since.size > 0 ? await withEarlierMoves(draft, chosen) : chosen
  const bases = await basesAfter(stored, ours, merged)
  const { taken, moved } = merged
  const refreshed = new Map([...fresh].filter(([slug]) => !merged.pages.has(slug)))
  const result = { taken, moved, former, conflicts, renames: merged.base.renames }
  const followed = { ...result, ...(refreshed.size > 0 && { refreshed }) }
  const pages = await pagesAfter(draft, ours, merged, now)
  const ranks =
    merged.order === ours.order ? new Map<string, string>() : await ranksOfOrder(draft, merged.order)
  const config = merged.siteConfig === ours.siteConfig ? undefined : merged.siteConfig
  const isRefreshed = !config && ours.siteConfig !== own.siteConfig
  const refreshedConfig = isRefreshed
    ? withAddressesOf(await draft.config(), theirs.siteConfig, edit.volatile ?? new Set())
    : undefined
  const before = draft.head.site.leftOut
  const isComplete = before.length + omitted.length + (site.unreadable?.length ?? 0) === 0
  const leftOut = isComplete ? before : skippedOfSite(before, site, omitted, pages)
  const isOther = !sameJson(before, leftOut)
  const state = { refreshed, refreshedConfig, followed, leftOut, ...(noted && { noted }) }
  const isTaking = pages.size > 0 || ranks.size > 0 || config !== undefined
  const { decisions = [] } = isTaking || bases.size > 0 || isOtherwise ? settled : {}
  if (isTaking && edit.waits && draft.agrees && isOpen(await draft.newest(), now)) {
    const all = new Map([...refreshed, ...merged.pages])
    const ahead = { pages: all, order: merged.order, siteConfig: config, renames: renames?.ours ?? new Map() }
    const waiting = { ...followed, taken: [], ahead }
    return { isUnchanged: true, followed: waiting, leftOut, noted, ...(isOther && { bases: new Map() }) }
  }
  if (!isTaking && decisions.length === 0)
    return {
      isUnchanged: true,
      ...state,
      ...((bases.size > 0 || refreshed.size > 0 || refreshedConfig || isOther || !draft.agrees) && { bases }),
    }
  const changeSet = {
    pages,
    ranks,
    config,
    renames: new Map([...merged.moved].map(([from, to]) => [to, from])),
    ...(config && { siteConfig: {} }),
    stacks: { set: new Map() },
    bases,
    ...state,
  }
  const [slug = home] = pages.has(home) ? [home] : [...pages.keys(), ...decisions.map((each) => each.slug)]
  const log = { source: 'site', slug: slug || home } as const
  if (decisions.length > 0)
    return {
      ...changeSet,
      baseRecords: recordsOfDecision(request, merged, { before: stored, after: bases }),
      log: { ...log, summary: labelOfDecision(decisions, request) },
    }
  const changed = [...pages.keys(), ...(config ? [''] : [])]
  const actor = await draft.context.site.authorsOf(draft.id.siteId).ofPages(draft.tx, changed, request)
  return { ...changeSet, log: { ...log, actor, summary: siteLabel(taken, { pages, manifest }) } }
}

/** Returns the pages that a merge has changed, each with what the draft has. */
async function pagesAfter(
  draft: DraftTransaction,
  ours: Side,
  merged: Merged,
  now: Date,
): Promise<ReadonlyMap<string, PageChange>> {
  const pages = new Map<string, PageChange>()
  for (const [slug, page] of merged.pages) {
    await pace()
    const before = ours.pages.get(slug) ?? (await draft.pages.get(slug))
    pages.set(slug, before ? restamped(before, page, now) : { before, after: page })
  }
  return pages
}

/** Returns the bases that a decision has changed, for its undo. */
function recordsOfDecision(
  { base, ours }: Three<Side>,
  merged: Merged,
  bases: { readonly before: Bases; readonly after: ReadonlyMap<string, Base | undefined> },
) {
  const before = { bases: bases.before, pages: ours.pages, config: base.siteConfig }
  const pages = new Map([...ours.pages, ...merged.pages])
  const isOther = (slug: string, page: Page | undefined) => !page || ours.pages.get(slug)?.id !== page.id
  const moved = [...merged.pages].flatMap(([slug, page]) => (isOther(slug, page) ? [slug] : []))
  return baseRecords(before, { bases: bases.after, pages, config: merged.base.siteConfig }, moved)
}

/** Returns the slugs of pages of a site, with those that they have in the draft, where these differ. */
export async function slugsInDraft(draft: DraftTransaction, site: SiteState) {
  const { request } = await sidesOf(draft, { site })
  return matchedSlugs(request, request.renames)
}

/** Returns the draft, its base and its site as the sides of a merge. */
async function sidesOf(draft: DraftTransaction, edit: Omit<EditOf<'follow'>, 'kind'>) {
  const { site: linked, limits } = draft.context
  const { maxPageBytes } = limits
  const { site, manifest } = edit
  const stored = await draft.bases.all()
  const { order } = await draft.pages.order()
  const isSameOrder = sameJson(order, site.order)
  const alone = isSameOrder ? [] : new Set(order).symmetricDifference(new Set(site.order))
  const slugs = [...new Set([...site.differing, ...alone, ...pagesIn(stored).keys()])]
  const own = await oursOf(draft, slugs, { stored, site })
  const types = { registry: builtinRegistry, manifest }
  const { theirs, omitted } = await theirsOf(site, own, { ...types, slugs, maxPageBytes })
  const first =
    edit.first && !draft.agrees
      ? await firstBases(draft, edit.first, { slugs, ours: own, theirs })
      : undefined
  const config = stored.get('config')?.config ?? own.siteConfig
  const isAdding = edit.published && edit.published.added.size > 0
  const removed = isAdding ? removedSince(edit.published, { base: config, ours: own, theirs }) : []
  const agreed = { ...own, ...first, pages: new Map([...own.pages, ...removed, ...(first?.pages ?? [])]) }
  const moved = new Map([
    ...(first?.renames ?? []),
    ...renamedIn(stored).filter(([, slug]) => own.pages.has(slug)),
  ])
  const agreedBase = baseOf(stored, own, agreed)
  const there = new Map([...theirs.pages.values()].map((page) => [page.id, page]))
  // Pages that swap their addresses may have the ids of each other then.
  const isAsBefore = (page: Page): boolean =>
    there.get(page.id) === page ||
    laterPages({ id: page.id, page }, (id) => there.get(id))[0]?.shared === page.blocks.length
  const isAnyOther = ![...agreedBase.pages.values()].every(isAsBefore)
  // What was just published is agreed on as it is.
  const unanswered = edit.published ? [] : await linked.unansweredOf(draft.id, draft.tx)
  const isAsked = isAnyOther || moved.size > 0 || unanswered.length > 0
  const known = isAsked ? await linked.renamesOn(draft.id.siteId, draft.tx) : undefined
  const former = formerIdsIn(stored, own)
  const renames = {
    ...known,
    unanswered,
    ours: moved,
    theirs: edit.renames,
    added: slugsThen(former, { version: edit.published?.version ?? Infinity, pages: theirs.pages.values() }),
  }
  const { volatile } = edit
  const three = { base: agreedBase, ours: own, theirs }
  const { refreshed, ...sides } = await refresh(three, volatile, { renames })
  const lasting = volatile && ((value: unknown) => withoutQueriesOf(value, volatile))
  const request: MergeRequest = { ...sides, ...types, renames, lasting }
  return { request, stored, own, former, refreshed, omitted }
}

/** The site as a side; of a page that is too large for a draft, the draft keeps what it has. */
async function theirsOf(
  { order, siteConfig, pages: published }: SiteState,
  ours: Side,
  { slugs, maxPageBytes, ...types }: { slugs: readonly string[]; maxPageBytes: number } & AvailableTypes,
): Promise<{ readonly theirs: Side; readonly omitted: readonly Unreadable[] }> {
  const pages = new Map<string, Page>()
  const omitted = new Map<string, Unreadable>()
  for (const slug of slugs) {
    await pace()
    const page = published.get(slug)
    const fits = page && pageSize(page) <= maxPageBytes
    const taken = fits ? ingestPage(page, types) : page && ours.pages.get(slug)
    if (taken) pages.set(slug, taken)
    else if (page) omitted.set(slug, tooLarge(page, maxPageBytes))
  }
  const slugsOf = omitted.size === 0 ? order : order.filter((slug) => !omitted.has(slug))
  return { theirs: { order: slugsOf, pages, siteConfig }, omitted: [...omitted.values()] }
}

/** The draft as a side; without complete settings it has the site's for keys that it never had. */
async function oursOf(
  draft: DraftTransaction,
  slugs: readonly string[],
  { stored, site }: { readonly stored: Bases; readonly site: SiteState },
): Promise<Side> {
  const pages = new Map<string, Page>()
  for (const slug of slugs) {
    await pace()
    const page = await draft.pages.get(slug)
    if (page) pages.set(slug, page)
  }
  const { order } = await draft.pages.order()
  const own = await draft.config()
  const agreed = stored.get('config')?.config ?? {}
  const never = picked(site.siteConfig ?? {}, (_value, key) => !(key in agreed))
  const siteConfig = draft.head.site.hasWholeConfig ? own : { ...never, ...own }
  return { order, pages, siteConfig: site.siteConfig && siteConfig }
}
