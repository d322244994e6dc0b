import { pageIdFromSlug } from '../../content/block-ids.ts'
import { withLocksOf } from '../../content/locked.ts'
import { noMoves, rewriteLinks, withLinksFrom } from '../../content/links.ts'
import type { Page } from '../../content/model.ts'
import { sameJson } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { staysSame } from '../../content/stamp.ts'
import { addressNow, asOf, loggedChange } from '../log.ts'
import { metadataOf, type StoredChange } from '../collections.ts'
import { restoreLabel } from '../label.ts'
import { slugAfter } from '../renames.ts'
import type { DraftTransaction } from '../transaction.ts'
import { unchanged, type EditOf, type Unchanged, type ChangeSet, restamped } from '../change-set.ts'
import { withSettings } from '../config-records.ts'
import { noSuchVersion, notRestorable } from '../refusals.ts'
import { formerRanks, ranksFor } from './ranks.ts'

/**
 * Plans the restore of the page of a logged change, or of the site config, to the state after the change.
 *
 * A page that was renamed since gets that state at its address of now, with its links to itself. One that is
 * gone returns to its address of then, or to its last one where another page has that.
 */
export async function planRestore(
  draft: DraftTransaction,
  edit: EditOf<'restore'>,
  now: Date,
): Promise<ChangeSet | Unchanged> {
  const { version } = edit
  const target = await loggedChange(draft.log, version)
  if (!target) throw noSuchVersion(version)
  const { slug: logged, slugs, summary, renamed = [], removed = [] } = metadataOf(target)
  // A deletion is logged where the person went on.
  const named = slugs.length === 0 ? (removed[0] ?? logged) : logged
  // A change that moved the page away, such as the undo of its rename, names where it was.
  const then = removed.includes(named) ? slugAfter(renamed, named) : named
  const last = await addressNow(draft.log, version, then)
  const isThere = async (each: string) => (await draft.pages.get(each)) !== undefined
  // Where the page has left, another one may be now.
  const slug = (await isThere(last)) || (await isThere(then)) ? last : then
  const log = {
    source: 'restore' as const,
    slug,
    summary: restoreLabel(version, summary),
    label: summary,
    restored: version,
  }
  if (target.body.pages.length === 0) return restoreConfig(draft, target, log)

  const before = await draft.pages.get(slug)
  const today = slug === then ? before : await draft.pages.get(then)
  const { page: former, rank } = await asOf(draft.log, version, { slug: then, today })
  if (!before && !former) {
    if (target.body.pages.some((each) => each.slug === slug)) return { ...unchanged, slug }
    throw notRestorable(version)
  }
  const moved = former && slug !== then ? await movedTo(draft, { slug, id: before?.id }, former) : former
  const page = moved && withLocksOf(moved, before)
  if (page && staysSame(before, page)) return { ...unchanged, slug }
  const pages = new Map([[slug, restamped(before, page, now)]])
  const placesOfReturn = async () =>
    rank === undefined
      ? ranksFor(draft, [...(await draft.pages.order()).order, slug], [slug])
      : formerRanks(draft, new Map([[slug, rank]]), pages)
  return {
    pages,
    ranks: page && !before ? await placesOfReturn() : new Map(),
    stacks: { push: [slug] },
    log,
    slug,
    navigateToSlug: slug,
    ...(slug !== then && {
      notes: [`${then} was renamed since: it is restored at its address now, ${slug}.`],
    }),
  }
}

const types = { registry: builtinRegistry }

/** Returns a former page at another address, with its links to itself and the id that is there. */
async function movedTo(
  draft: DraftTransaction,
  now: { readonly slug: string; readonly id: string | undefined },
  former: Page,
): Promise<Page> {
  const reads = { pages: new Set<string>(), order: true, config: false, blockIds: false, pageIds: true }
  const { order, hasPageId } = await draft.pages.view(reads)
  const id = now.id ?? pageIdFromSlug(now.slug, hasPageId)
  const slugs = new Set(order)
  const moves = noMoves()
  moves.add({ from: former.slug, to: now.slug, isOther: (slug) => slugs.has(slug) })
  const moved = withLinksFrom({ ...former, id, slug: now.slug }, former.slug, types)
  return rewriteLinks(
    moved,
    moves.rewriterSince(0, () => undefined),
    types,
  )
}

async function restoreConfig(
  draft: DraftTransaction,
  target: StoredChange,
  log: ChangeSet['log'],
): Promise<ChangeSet | Unchanged> {
  const { key, body } = target
  if (body.config.length === 0) throw notRestorable(Number(key))
  const before = await draft.config()
  const config = withSettings(before, body.config, 'after')
  if (sameJson(before, config)) return { ...unchanged, slug: log.slug }
  return {
    pages: new Map(),
    ranks: new Map(),
    config,
    stacks: { push: [] },
    log,
    slug: log.slug,
    navigateToSlug: log.slug,
  }
}
