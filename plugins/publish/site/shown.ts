import { createHash } from 'node:crypto'
import type { Conflict } from '../../content/merge/index.ts'
import { sameJson } from '../../content/plain-object.ts'
import type { Drafts, SiteState } from '../../draft/port.ts'
import type { DraftId } from '../../scope/port.ts'
import { defineCollection, trusted, type Store } from '../../store/port.ts'
import type { Follow, FollowOptions } from './following.ts'

/** The conflicts of a draft that were shown last: the version then, and hashes of the values by place. */
interface Shown {
  readonly version: number
  readonly values: Readonly<Record<string, { readonly [side in 'base' | 'ours' | 'theirs']: string }>>
}

const collection = defineCollection('publish_shown', trusted<Shown>(), { columns: {} })

/**
 * Creates a `follow` for comparisons that are shown to a person. An edit of a value that was shown as a conflict decides
 * it for the draft: editors without a view of conflicts show the sentence, and the person types the value again.
 */
export function createShownFollow({
  store,
  drafts,
  follow,
}: {
  readonly store: Store
  readonly drafts: Pick<Drafts, 'changesAfter'>
  readonly follow: Follow
}): Follow {
  const decidedIn = async (id: DraftId, conflicts: readonly Conflict[]) => {
    if (conflicts.length === 0) return new Map<string, 'ours'>()
    const shown = (await store.of(collection).get(id.siteId, id.session))?.body
    const edited = conflicts.filter((conflict) => {
      const then = shown?.values[placeOf(conflict)]
      // On another base it is another conflict, although the site has the same value again.
      const isSame = then?.theirs === hashOf(conflict.theirs) && then.base === hashOf(conflict.base)
      const isChanged = isSame && then.ours !== hashOf(conflict.ours)
      // An edit inside a page, block or row that the site has removed says nothing about that.
      return isChanged && conflict.kind === 'changed' && conflict.path !== undefined
    })
    if (!shown || edited.length === 0) return new Map<string, 'ours'>()
    const later = (await drafts.changesAfter(id, shown.version)) ?? []
    const touched = new Set(
      later.flatMap(({ source, slugs, configChanged }) =>
        source === 'direct' ? [...slugs, ...(configChanged ? [siteSettings] : [])] : [],
      ),
    )
    return new Map(edited.flatMap((each) => (touched.has(each.slug) ? [[each.id, 'ours'] as const] : [])))
  }

  const note = async ({ siteId, session }: DraftId, conflicts: readonly Conflict[], version: number) => {
    const values = Object.fromEntries(
      conflicts.map((each) => {
        const { base, ours, theirs } = each
        return [placeOf(each), { base: hashOf(base), ours: hashOf(ours), theirs: hashOf(theirs) }]
      }),
    )
    const known = await store.of(collection).get(siteId, session)
    if (sameJson(known?.body.values ?? {}, values)) return
    await store.transaction((tx) =>
      tx.of(collection).put(siteId, session, { body: { version, values }, columns: {} }),
    )
  }

  return async (id: DraftId, site: SiteState, version: string | undefined, options: FollowOptions = {}) => {
    const followed = await follow(id, site, version, options)
    if (followed.isOutdated) return followed
    const decided = await decidedIn(id, followed.conflicts)
    const result = decided.size > 0 ? await follow(id, site, version, { ...options, decided }) : followed
    // What was decided is decided again after the run that the draft waits for.
    if (!result.ahead || decided.size === 0) await note(id, result.conflicts, result.version)
    return { ...result, changed: followed.changed || result.changed }
  }
}

/** The slug of a conflict about the site config. */
const siteSettings = ''
const placeOf = ({ slug, blockId, path }: Conflict): string => JSON.stringify([slug, blockId, path])
const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex')
    .slice(0, 32)
