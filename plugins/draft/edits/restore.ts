import { sameJson } from '../../content/plain-object.ts'
import { staysSame } from '../../content/stamp.ts'
import { asOf, newestEntries } from '../log.ts'
import { metadataOf, changes, type StoredChange } from '../collections.ts'
import { restoreLabel } from '../label.ts'
import type { DraftTransaction } from '../transaction.ts'
import { unchanged, type EditOf, type Unchanged, type ChangeSet, restamped } from '../change-set.ts'
import { withSettings } from '../config-records.ts'
import { noSuchVersion, notRestorable } from '../refusals.ts'
import { formerRanks, ranksFor } from './ranks.ts'

/** Plans the restore of the page of a logged change, or of the site config, to the state after the change. */
export async function planRestore(
  draft: DraftTransaction,
  edit: EditOf<'restore'>,
  now: Date,
): Promise<ChangeSet | Unchanged> {
  const { version } = edit
  const isLogged = (await newestEntries(draft.tx.of(changes), draft.scope)).some(
    (entry) => entry.version === version,
  )
  const target = isLogged ? await draft.change(version) : undefined
  if (!target) throw noSuchVersion(version)
  const { slug, summary } = metadataOf(target)
  const log = {
    source: 'restore' as const,
    slug,
    summary: restoreLabel(version, summary),
    label: summary,
    restored: version,
  }
  if (target.body.pages.length === 0) return restoreConfig(draft, target, log)

  const before = await draft.pages.get(slug)
  const { page, rank } = await asOf(draft.tx.of(changes), draft.scope, { slug, today: before, version })
  if (page && staysSame(before, page)) return { ...unchanged, slug }
  if (!before && !page) {
    if (target.body.pages.some((each) => each.slug === slug)) return { ...unchanged, slug }
    throw notRestorable(version)
  }
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
  }
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
