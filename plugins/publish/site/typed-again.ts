import * as v from 'valibot'
import type { Conflict, ConflictPlace } from '../../content/merge/index.ts'
import type { Drafts, LinkedSite } from '../../draft/port.ts'
import type { DraftId } from '../../scope/port.ts'
import type { Store } from '../../store/port.ts'
import type { FollowOptions } from './following.ts'
import { isShownValue, isPart, type ShownOf, shownPublishes, slugsBeforeAll } from './shown.ts'

/**
 * Creates the decision of shown conflicts whose value was typed again: one change of the draft, that can be
 * undone.
 */
export function createTypedAgain({
  store,
  drafts,
  shownOf,
  followSite,
}: {
  readonly store: Store
  readonly drafts: Pick<Drafts, 'log' | 'changesAfter'>
  readonly shownOf: ShownOf
  readonly followSite: (
    id: DraftId,
    request: object,
    options?: FollowOptions,
  ) => Promise<{ readonly version: number; readonly conflicts: readonly Conflict[] }>
}): LinkedSite['decideTyped'] {
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
