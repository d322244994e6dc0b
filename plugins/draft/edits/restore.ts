import { applyDelta } from '../../content/delta.ts'
import type { Page } from '../../content/page.ts'
import { sameJson } from '../../content/same-json.ts'
import { stampAfter } from '../../content/stamp.ts'
import { aboutOf, changes, versionKey, type StoredChange } from '../collections.ts'
import { newestEntries } from '../log.ts'
import type { OpenDraft } from '../open-draft.ts'
import { nothing, type Nothing, type Planned } from '../planned.ts'
import { noSuchVersion, notRestorable } from '../refusals.ts'
import type { Edit } from '../port.ts'
import { placesAgain, placesFor } from './places.ts'

/**
 * Plans putting the page of a logged change back as it was after that change, whether that changed it or another one.
 *
 * No copies are kept for this: the later changes of the page are taken back from today's page, newest first.
 */
export async function planRestore(
  draft: OpenDraft,
  { version }: Extract<Edit, { kind: 'restore' }>,
  now: Date,
): Promise<Planned | Nothing> {
  const isLogged = (await newestEntries(draft.tx.of(changes), draft.scope)).some((entry) => entry.version === version)
  const target = isLogged ? await draft.record(version) : undefined
  if (!target) throw noSuchVersion(version)
  const { slug, summary } = aboutOf(target)
  const log = { source: 'restore' as const, slug, summary: `Restored version ${version}: ${summary}` }
  if (target.body.pages.length === 0) return restoreConfig(draft, target, log)

  const before = await draft.page(slug)
  const { page, rank } = await asOf(draft, slug, before, version)
  if (before && page && sameJson({ ...before, updatedAt: '' }, { ...page, updatedAt: '' }))
    return { ...nothing, slug }
  if (!before && !page) {
    if (target.body.pages.some((each) => each.slug === slug)) return { ...nothing, slug }
    throw notRestorable(version)
  }
  const after = page && { ...page, updatedAt: stampAfter((before ?? page).updatedAt, now) }
  const { order } = await draft.places()
  const returns = after && !before
  const ranks = returns
    ? rank === undefined
      ? await placesFor(draft, [...order, slug], [slug])
      : await placesAgain(draft, new Map([[slug, rank]]), new Set())
    : new Map<string, string>()
  return {
    pages: new Map([[slug, { before, after }]]),
    ranks,
    stacks: { push: [slug] },
    log,
    slug,
    navigateToSlug: slug,
  }
}

/** A page as it stood right after a version, with the place it had if it has none now. */
async function asOf(
  draft: OpenDraft,
  slug: string,
  today: Page | undefined,
  version: number,
): Promise<{ readonly page: Page | undefined; readonly rank: string | undefined }> {
  const later = await draft.tx.of(changes).list(draft.scope, { after: versionKey(version) })
  let page = today
  let rank: string | undefined
  for (const { body } of later.toReversed()) {
    const record = body.pages.find((each) => each.slug === slug)
    if (record?.delta) page = applyDelta(page, record.delta, 'backward')
    rank = record?.rank?.before ?? rank
  }
  return { page, rank }
}

async function restoreConfig(
  draft: OpenDraft,
  { key, body }: StoredChange,
  log: Planned['log'],
): Promise<Planned | Nothing> {
  if (body.config.length === 0) throw notRestorable(Number(key))
  const before = await draft.config()
  const config: Record<string, unknown> = { ...before }
  for (const { key, after } of body.config) {
    if (after === undefined) delete config[key]
    else config[key] = after
  }
  if (sameJson(before, config)) return { ...nothing, slug: log.slug }
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
