import { memberPath } from '../../content/diff/fields.ts'
import { type Conflict, fingerprint, keyOfPlace, mergePage } from '../../content/merge/index.ts'
import { sameJson } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import type { ChangeEvent, Drafts } from '../../draft/port.ts'
import type { DraftId } from '../../scope/port.ts'
import { defineCollection, trusted, type Store } from '../../store/port.ts'
import type { Follow, FollowOptions, FollowResult } from './following.ts'

/** The conflicts of a draft that were shown last: the version then, and versions of the values by place. */
interface Shown {
  readonly version: number
  readonly values: Readonly<Record<string, { readonly [side in 'base' | 'ours' | 'theirs']: string }>>
}

export const shownPublishes = defineCollection('publish_shown', trusted<Shown>(), { columns: {} })

/** Creates what needs the conflicts that people were shown last. */
export function createShown({
  store,
  drafts,
  follow,
}: {
  readonly store: Store
  readonly drafts: Pick<Drafts, 'changesAfter' | 'pageAt'>
  readonly follow: Follow
}) {
  const decidedIn = async (id: DraftId, conflicts: readonly Conflict[]) => {
    if (conflicts.length === 0) return new Map<string, 'ours'>()
    const shown = (await store.of(shownPublishes).get(id.siteId, id.session))?.body
    const edited = conflicts.filter((conflict) => {
      const then = shown?.values[keyOfPlace(conflict)]
      return then?.ours !== hashOf(conflict.ours) && isShownValue(conflict, then)
    })
    if (!shown || edited.length === 0) return new Map<string, 'ours'>()
    const later = (await drafts.changesAfter(id, shown.version)) ?? []
    const decided = new Map<string, 'ours'>()
    for (const each of edited) if (await isTyped(drafts, { id, later }, each)) decided.set(each.id, 'ours')
    return decided
  }

  const note = async (
    { siteId, session }: DraftId,
    { conflicts, version }: Pick<FollowResult, 'version'> & { readonly conflicts: readonly Conflict[] },
    isShown: NonNullable<FollowOptions['isShown']> = () => true,
  ): Promise<void> => {
    const stored = await store.of(shownPublishes).get(siteId, session)
    const values = Object.fromEntries(
      conflicts.flatMap((each) => {
        const { base, ours, theirsVersion: theirs } = each
        const key = keyOfPlace(each)
        const before = stored?.body.values[key]
        if (!isShown(each)) return before ? [[key, before]] : []
        return [[key, { base: hashOf(base), ours: hashOf(ours), theirs }]]
      }),
    )
    if (sameJson(stored?.body.values ?? {}, values)) return
    await store.transaction((tx) =>
      tx.of(shownPublishes).put(siteId, session, { body: { version, values }, columns: {} }),
    )
  }

  /**
   * Follows for a comparison that is shown to a person. An edit of a value that was shown as a conflict decides it for the
   * draft: editors without a view of conflicts show the sentence, and the person types the value again.
   */
  const followShown: Follow = async (id, site, version, options = {}) => {
    const followed = await follow(id, site, version, options)
    if (followed.isOutdated) return followed
    const decided = await decidedIn(id, followed.conflicts)
    const result = decided.size > 0 ? await follow(id, site, version, { ...options, decided }) : followed
    // What was decided is decided again after the run that the draft waits for.
    if (!result.ahead || decided.size === 0) await note(id, result, options.isShown)
    return { ...result, changed: followed.changed || result.changed }
  }

  /** Returns the version of the site's value that was shown last, by the ids of conflicts. */
  const versionsShown = async (
    { siteId, session }: DraftId,
    conflicts: readonly Conflict[],
  ): Promise<ReadonlyMap<string, string>> => {
    const values = (await store.of(shownPublishes).get(siteId, session))?.body.values
    return new Map(
      conflicts.flatMap((each) => {
        const then = values?.[keyOfPlace(each)]
        return then ? [[each.id, then.theirs]] : []
      }),
    )
  }

  return { followShown, versionsShown, note }
}

/**
 * Whether a conflict is about a value, and was shown with the value that the site has. An edit inside a page, block or row
 * that the site has removed says nothing about that. On another base it is another conflict.
 */
export function isShownValue(
  { kind, path, base, theirsVersion }: Conflict,
  then: Shown['values'][string] | undefined,
): boolean {
  const isSame = then?.theirs === theirsVersion && then.base === hashOf(base)
  return isSame && kind === 'changed' && path !== undefined
}

/** Whether the newest of some changes that touched the place of a conflict was an edit, and not a push or an undo, say. */
async function isTyped(
  drafts: Pick<Drafts, 'pageAt'>,
  { id, later }: { readonly id: DraftId; readonly later: readonly ChangeEvent[] },
  { slug, blockId, path = '' }: Conflict,
): Promise<boolean> {
  for (const { source, slugs, configChanged, previewVersion } of later.toReversed()) {
    if (slug === siteSettings ? !configChanged : !slugs.includes(slug)) continue
    const at = await drafts.pageAt(id, slug, previewVersion)
    const settings = slug === siteSettings ? Object.keys({ ...at?.config.before, ...at?.config.after }) : []
    if (settings.some((key) => isPart(path, memberPath('', key)))) return source === 'direct'
    const sides = { base: at?.before, ours: at?.before, theirs: at?.page }
    const { taken } = mergePage(sides, { registry: builtinRegistry })
    const isTouched = taken.some(
      (place) =>
        place.blockId === blockId && (isPart(path, place.path ?? '') || isPart(place.path ?? '', path)),
    )
    if (isTouched) return source === 'direct'
  }
  return false
}

/** Whether a path is in another one; the runs of a list are named by what is around them at the time. */
export function isPart(path: string, of: string): boolean {
  const [inner = '', outer = ''] = [path, of].map((each) => each.split('[after=', 1)[0])
  return inner === outer || (inner.startsWith(outer) && /^[.[]/.test(inner.slice(outer.length)))
}

/** The slug of a conflict about the site config. */
const siteSettings = ''
const hashOf = (value: unknown): string => fingerprint({ value })
