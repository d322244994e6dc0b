import { sameJson } from '../../content/same-json.ts'
import { asOf, newestEntries } from '../log.ts'
import { aboutOf, changes, type StoredChange } from '../collections.ts'
import type { OpenDraft } from '../open-draft.ts'
import { nothing, type EditOf, type Plan, type Planned, restamped, withKeys } from '../planned.ts'
import { noSuchVersion, notRestorable } from '../refusals.ts'
import { placesAgain, placesFor } from './places.ts'

/** Plans the restore of the page of a logged change, or of the site config, to the state after the change. */
export async function planRestore(draft: OpenDraft, edit: EditOf<'restore'>, now: Date): Promise<Plan> {
  const { version } = edit
  const isLogged = (await newestEntries(draft.tx.of(changes), draft.scope)).some((entry) => entry.version === version)
  const target = isLogged ? await draft.record(version) : undefined
  if (!target) throw noSuchVersion(version)
  const { slug, summary } = aboutOf(target)
  const log = { source: 'restore' as const, slug, summary: `Restored version ${version}: ${summary}` }
  if (target.body.pages.length === 0) return restoreConfig(draft, target, log)

  const before = await draft.page(slug)
  const { page, rank } = await asOf(draft.tx.of(changes), draft.scope, { slug, today: before, version })
  const isSame = before && page && sameJson({ ...before, updatedAt: '' }, { ...page, updatedAt: '' })
  if (isSame) return { ...nothing, slug }
  if (!before && !page) {
    if (target.body.pages.some((each) => each.slug === slug)) return { ...nothing, slug }
    throw notRestorable(version)
  }
  const pages = new Map([[slug, restamped(before, page, now)]])
  const placesOfReturn = async () => (rank === undefined
    ? placesFor(draft, [...(await draft.places()).order, slug], [slug])
    : placesAgain(draft, new Map([[slug, rank]]), pages))
  return {
    pages,
    ranks: page && !before ? await placesOfReturn() : new Map(),
    stacks: { push: [slug] },
    log,
    slug,
    navigateToSlug: slug,
  }
}

async function restoreConfig(draft: OpenDraft, target: StoredChange, log: Planned['log']): Promise<Plan> {
  const { key, body } = target
  if (body.config.length === 0) throw notRestorable(Number(key))
  const before = await draft.config()
  const config = withKeys(before, body.config.map(({ key, after }) => [key, after]))
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
