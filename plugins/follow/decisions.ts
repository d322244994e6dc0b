import * as v from 'valibot'
import type { ConflictPlace } from '../content/merge/index.ts'
import type { Drafts, LinkedSite } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Store } from '../store/port.ts'
import type { FollowOptions } from './following.ts'
import { conflictChanged, unknownConflict } from './refusals.ts'
import type { DecideBody, FollowBody, Followed } from './schemas.ts'
import { type createShown, isPart, isShownValue, shownPublishes, slugsBeforeAll } from './shown.ts'

/** What decisions need: a follow of the site, and what was shown of its conflicts. */
interface DecisionContext extends Pick<ReturnType<typeof createShown>, 'versionsShown' | 'shownOf' | 'note'> {
  readonly store: Store
  readonly drafts: Pick<Drafts, 'log' | 'changesAfter'>
  readonly followSite: (
    id: DraftId,
    request: Pick<DecideBody, 'siteOrigin' | 'baseVersion'> & Pick<FollowBody, 'confirm'>,
    options?: FollowOptions,
  ) => Promise<Followed>
}

/**
 * Creates the function that decides conflicts: of each the value that the caller has `seen`, else the one
 * that was shown last. Refuses unknown ones with 409 `unknown_conflict`, and those of which the site has
 * another value with 409 `conflict_changed`; nothing is decided then.
 */
export function createDecide({ followSite, versionsShown, note }: DecisionContext) {
  return async (
    id: DraftId,
    { decide, siteOrigin, baseVersion }: DecideBody,
    by: Pick<FollowOptions, 'actor' | 'channel'>,
  ): Promise<Followed> => {
    const now = await followSite(id, { siteOrigin, baseVersion })
    const open = new Map(now.conflicts.map((conflict) => [conflict.id, conflict]))
    const unknown = decide.filter((each) => !open.has(each.id)).map((each) => each.id)
    if (unknown.length > 0) throw unknownConflict(unknown)
    const shown = await versionsShown(id)
    const seen = new Map(
      decide.map((each) => [each.id, each.seen ?? shown[each.id] ?? open.get(each.id)?.theirsVersion ?? '']),
    )
    const refuseOthers = async ({ conflicts, version }: Followed): Promise<void> => {
      const others = conflicts.filter(
        (each) => (seen.get(each.id) ?? each.theirsVersion) !== each.theirsVersion,
      )
      if (others.length === 0) return
      // The refusal shows them.
      await note(id, { conflicts, version }, others)
      throw conflictChanged(others)
    }
    await refuseOthers(now)
    const decided = new Map(decide.map((each) => [each.id, each.take]))
    const after = await followSite(id, { siteOrigin }, { ...by, decided, seen, isDecision: true })
    await refuseOthers(after)
    return after
  }
}

/**
 * Creates the decision of shown conflicts whose value was typed again: one change of the draft, that can be
 * undone.
 */
export function createTypedAgain(context: DecisionContext): LinkedSite['decideTyped'] {
  const { store, drafts, shownOf, followSite } = context
  return async ({ id, actor, channel, places }) => {
    const shown = (await store.of(shownPublishes).get(id.siteId, id.session))?.body
    if (!shown) return undefined
    const known = Object.keys(shown.values).map(placeOfKey)
    const isAnyShown = (slugs: ReadonlyMap<string, string>): boolean =>
      places.some((place) => {
        const then = { ...place, slug: slugs.get(place.slug) ?? place.slug }
        return known.some((each) => isAt(each, then))
      })
    // The site is read only where something was shown, maybe before the page was renamed.
    if (known.length === 0) return undefined
    const renamed = async () => slugsBeforeAll((await drafts.changesAfter(id, shown.version)) ?? [])
    if (!isAnyShown(new Map()) && !isAnyShown(await renamed())) return undefined
    const { conflicts } = await followSite(id, {})
    const there = conflicts.filter((conflict) => places.some((place) => isAt(conflict, place)))
    const then = await shownOf(id, there)
    const typed = there.filter((conflict) => isShownValue(conflict, then?.valueOf(conflict)))
    if (typed.length === 0) return undefined
    const decided = new Map(typed.map((conflict) => [conflict.id, 'ours'] as const))
    const seen = new Map(typed.map((conflict) => [conflict.id, conflict.theirsVersion] as const))
    const { version } = await followSite(id, {}, { actor, channel, decided, seen, isDecision: true })
    const [entry] = await drafts.log(id, { limit: 1 })
    return { version, label: entry?.summary ?? '' }
  }
}

const Key = v.tuple([v.string(), v.nullable(v.string()), v.nullable(v.string())])

function placeOfKey(key: string): ConflictPlace {
  const [slug, blockId, path] = v.parse(Key, JSON.parse(key))
  return { slug, ...(blockId !== null && { blockId }), ...(path !== null && { path }) }
}

function isAt(conflict: ConflictPlace, typed: ConflictPlace): boolean {
  const [a = '', b = ''] = [conflict.path, typed.path]
  return conflict.slug === typed.slug && conflict.blockId === typed.blockId && (isPart(a, b) || isPart(b, a))
}
