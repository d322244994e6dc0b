import { pace, paced } from '../../../kernel/index.ts'
import { ingestPage } from '../../content/ingest.ts'
import { withLocksOf } from '../../content/locked.ts'
import { placedBehind, samePage } from '../../content/merge/index.ts'
import type { PageChange } from '../../content/model.ts'
import type { Page, SiteConfig } from '../../content/page.ts'
import { sameJson } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { home } from '../../content/slugs.ts'
import { boundedStamp } from '../../content/stamp.ts'
import { type Base, pageBase } from '../collections.ts'
import type { DraftTransaction } from '../transaction.ts'
import {
  unchanged,
  type ChangedPages,
  type ChangeSet,
  type EditOf,
  type Unchanged,
  type Ranks,
  restamped,
} from '../change-set.ts'
import { movesIn, slugsBefore } from '../renames.ts'
import { renamedIn } from './stored-bases.ts'
import { skippedAfterPages } from './skipped.ts'
import { ranksInOrder } from '../rank.ts'
import { pushLabel } from '../label.ts'
import { pushedChanges } from './copies.ts'
import { ranksFor, ranksOfOrder } from './ranks.ts'

/** Plans the replacement or removal of pages by a bootstrap, a snapshot or the published baseline. */
export async function planPages(
  draft: DraftTransaction,
  edit: EditOf<'pages'>,
  now: Date,
): Promise<ChangeSet | Unchanged> {
  const { siteConfig, source, manifest } = edit
  const types = { registry: builtinRegistry, manifest }
  const [isFill, isPush, isRestore] = [source === 'fill', source === 'push', source === 'restore']
  const logged = source === 'fill' || source === 'push' ? 'bootstrap' : source
  const { order } = await draft.pages.order()
  const pushed = isPush && draft.agrees ? await pushedChanges(draft, edit, now) : undefined
  const { pages: wanted = edit.pages, refused } = pushed ?? {}
  const all = isRestore
    ? new Map<string, Page | undefined>([...order.map((slug) => [slug, undefined] as const), ...wanted])
    : wanted
  const pages = new Map<string, PageChange>()
  for await (const [slug, page] of paced(all)) {
    const before = await draft.pages.get(slug)
    await pace()
    const given = page && ingestPage(page, types)
    const read = given && isRestore ? withLocksOf(given, before) : given
    const updatedAt = page && boundedStamp(page.updatedAt, now)
    // A page with its stamp stays itself: its blocks may be read on use.
    const after =
      read && updatedAt !== undefined && read.updatedAt !== updatedAt ? { ...read, updatedAt } : read
    await pace()
    if (before?.id === after?.id && samePage(before, after)) continue
    const since = before ?? (logged === 'bootstrap' ? undefined : after)
    if (before || after) pages.set(slug, since ? restamped(before, after, now) : { before, after })
  }
  const ranks = isRestore ? await ranksOfOrder(draft, [...wanted.keys()]) : await appended(draft, pages, edit)
  const own = await draft.config()
  const given = pushed ? pushed.siteConfig : siteConfig && configWith(own, siteConfig)
  const config = given && sameJson(own, given) ? undefined : given
  const isOther = draft.head.site.isFilled && !draft.agrees
  const filled = isFill && !isOther && (await basesOfFill(draft, siteConfig?.values))
  const agreed = edit.agreedAt && draft.agrees && (await basesAgreedAt(draft, edit.agreedAt, pages))
  const bases = filled || agreed
  const before = draft.head.site.leftOut
  const after = skippedAfterPages(before, edit)
  const leftOut = sameJson(before, after) ? undefined : after
  const isSame = pages.size === 0 && ranks.size === 0 && !config && !leftOut
  // A restore without changes must still protect the draft from the next bootstrap.
  if (isSame && !(isRestore && draft.head.version === 0))
    return { ...unchanged, refused, ...(isRestore && { marksRestored: true }) }
  const isUndoable = (slug: string) => !isPush || pages.get(slug)?.before || pushed?.returned.has(slug)
  const recorded = new Set(isFill ? [] : [...pages.keys(), ...ranks.keys()].filter(isUndoable))
  const [slug = home] = pages.has(home) ? [home] : [...recorded, ...pages.keys()]
  const label = pushed && pushLabel({ pages, config }, types)
  return {
    pages,
    ranks,
    config,
    ...(siteConfig && { siteConfig: isFill && isOther ? siteConfig.values : {} }),
    stacks: { push: [...recorded], drop: [...pages.keys()].filter((slug) => !recorded.has(slug)) },
    ...(edit.renames && { renames: slugsBefore(movesIn(edit.renames)) }),
    log: { source: logged, slug, summary: label ?? edit.summary, ops: edit.renames },
    slug,
    refused,
    ...(isRestore && { marksRestored: true }),
    ...(leftOut && { leftOut }),
    ...(bases && { bases, ...(agreed && { hasOtherBases: true }) }),
  }
}

/** Returns the bases that change when the site fills the draft, or adds settings that the draft lacked. */
async function basesOfFill(
  draft: DraftTransaction,
  values: SiteConfig = {},
): Promise<ReadonlyMap<string, Base>> {
  const { isFilled } = draft.head.site
  const own = await draft.config()
  const before = (await draft.bases.get('config'))?.config ?? (isFilled ? undefined : {})
  const isOwn = before !== undefined && Object.keys(own).length > 0
  return new Map(isOwn ? [['config', { config: { ...values, ...before } }]] : [])
}

/**
 * Returns the bases that change when the draft agrees with its site at some slugs. The bases of these pages
 * are removed, also at the slugs from which they were renamed; one that another renamed page needs stays. If
 * the draft has another page at such a former slug, that page counts as added.
 */
async function basesAgreedAt(
  draft: DraftTransaction,
  slugs: Iterable<string>,
  pages: ChangedPages,
): Promise<ReadonlyMap<string, Base | undefined>> {
  const agreed = new Set(slugs)
  const stored = await draft.bases.all()
  const others = renamedIn(stored).filter(([, slug]) => !agreed.has(slug))
  const ofOthers = new Set(others.map(([from]) => from))
  const bases = new Map<string, Base | undefined>()
  for await (const slug of paced(agreed)) {
    const row = stored.get(pageBase(slug))
    const from = row?.from
    if (!ofOthers.has(slug)) bases.set(pageBase(slug), undefined)
    else if (row && from !== undefined) bases.set(pageBase(slug), { page: row.page })
    if (from === undefined || agreed.has(from) || ofOthers.has(from)) continue
    const there = pages.has(from) ? pages.get(from)?.after : await draft.pages.get(from)
    // One that was renamed to there still is.
    bases.set(pageBase(from), there && { ...stored.get(pageBase(from)), page: null })
  }
  return bases
}

/** Returns a site config with the given one. */
const configWith = (
  own: SiteConfig,
  { values, overwrite }: NonNullable<EditOf<'pages'>['siteConfig']>,
): SiteConfig => (overwrite ? { ...own, ...values } : { ...values, ...own })

/**
 * Returns places for new pages after all others, also for those at addresses that other pages leave. A page
 * that gets another address stays at its place, and one that the draft has removed comes back to that.
 */
async function appended(
  draft: DraftTransaction,
  pages: ChangedPages,
  { renames }: Pick<EditOf<'pages'>, 'renames'>,
): Promise<Ranks> {
  const { ranks: currentRanks, order } = await draft.pages.order()
  const former = slugsBefore(movesIn(renames))
  const moved = new Set([...former].flat())
  const added = [...pages]
    .filter(([slug, { before, after }]) => after && (!before || moved.has(slug)))
    .map(([slug]) => slug)
  const own = new Map(
    added.flatMap((slug): [string, string][] => {
      const rank = currentRanks.get(former.get(slug) ?? '')
      return rank === undefined ? [] : [[slug, rank]]
    }),
  )
  const agreed = new Set((await draft.bases.get('order'))?.order)
  const returning = new Set(added.filter((slug) => !own.has(slug) && agreed.has(slug)))
  const returned = await ranksFor(draft, placedBehind(order, [...agreed], returning), [...returning])
  const last = ranksInOrder(
    added.filter((slug) => !own.has(slug) && !returning.has(slug)),
    currentRanks.get(order.at(-1) ?? ''),
  )
  return new Map([...own, ...returned, ...last])
}
