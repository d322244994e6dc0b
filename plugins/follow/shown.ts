import { paced } from '../../kernel/index.ts'
import {
  changedSettings,
  type Conflict,
  type ConflictPlace,
  fingerprint,
  keyOfPlace,
  mergePage,
} from '../content/merge/index.ts'
import { keysOfPath } from '../content/nested-places.ts'
import type { AvailableTypes } from '../content/model.ts'
import { pushTo, sameJson } from '../content/plain-object.ts'
import { builtinRegistry } from '../content/registry.ts'
import { type ChangeEvent, type Drafts, slugsBefore } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import { defineCollection, trusted, type Store } from '../store/port.ts'
import type { Follow, FollowResult, TypesOf } from './following.ts'

/** The conflicts of a draft that were shown last: the version then, and versions of the values by place. */
interface Shown {
  readonly version: number
  /** Versions of the site's values by the ids of conflicts, of which a place may have two. */
  readonly theirs?: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, ShownValue>>
}

type ShownValue = Readonly<Record<'base' | 'ours' | 'theirs', string>>

export const shownPublishes = defineCollection('publish_shown', trusted<Shown>(), { columns: {} })

/** Creates what needs the conflicts that people were shown last. */
export function createShown(context: {
  readonly store: Store
  readonly drafts: Pick<Drafts, 'changesBack' | 'changesAfter'>
  readonly typesOf: TypesOf
  readonly follow: Follow
}) {
  const { store, drafts, typesOf, follow } = context
  /** Returns when conflicts were shown last, and with which values, also of pages that were renamed since. */
  const shownOf = async (id: DraftId, conflicts: readonly Conflict[]) => {
    if (conflicts.length === 0) return undefined
    const shown = (await store.of(shownPublishes).get(id.siteId, id.session))?.body
    if (!shown || Object.keys(shown.values).length === 0) return undefined
    const { version, values } = shown
    const valueAt = (conflict: Conflict, slug = conflict.slug) => values[keyOfPlace({ ...conflict, slug })]
    const isSame = conflicts.every((each) => isSameConflict(each, valueAt(each)))
    const slugs = isSame
      ? new Map<string, string>()
      : slugsBeforeAll((await drafts.changesAfter(id, version)) ?? [])
    return { version, valueOf: (each: Conflict) => valueAt(each, slugs.get(each.slug)) }
  }

  const decidedIn = async (id: DraftId, conflicts: readonly Conflict[]) => {
    const shown = await shownOf(id, conflicts)
    const edited = conflicts.filter((conflict) => {
      const then = shown?.valueOf(conflict)
      return then?.ours !== hashOf(conflict.ours) && isShownValue(conflict, then)
    })
    if (!shown || edited.length === 0) return new Map<string, 'ours'>()
    const since = { id, since: shown.version, manifest: await typesOf(id) }
    const typed = await typedOf(drafts, since, edited)
    return new Map([...typed].map((each) => [each, 'ours'] as const))
  }

  const note = async (
    id: DraftId,
    { conflicts, version }: Pick<FollowResult, 'version'> & { readonly conflicts: readonly Conflict[] },
    /** Those that people see; by default all. */
    named: readonly Pick<Conflict, 'id'>[] = conflicts,
  ): Promise<void> => {
    const ids = new Set(named.map((each) => each.id))
    const isShown = (each: Conflict): boolean => ids.has(each.id)
    const { siteId, session } = id
    const stored = await store.of(shownPublishes).get(siteId, session)
    const former = await shownOf(
      id,
      conflicts.filter((each) => !isShown(each)),
    )
    const theirs: Record<string, string> = {}
    const values: Record<string, ShownValue> = {}
    for await (const each of paced(conflicts)) {
      const isNew = isShown(each)
      const seen = isNew ? each.theirsVersion : stored?.body.theirs?.[each.id]
      const value = isNew
        ? { base: hashOf(each.base), ours: hashOf(each.ours), theirs: each.theirsVersion }
        : former?.valueOf(each)
      if (seen !== undefined) theirs[each.id] = seen
      if (value) values[keyOfPlace(each)] = value
    }
    const { values: before = {}, theirs: seen = {} } = stored?.body ?? {}
    if (sameJson(before, values) && sameJson(seen, theirs)) return
    await store.transaction((tx) =>
      tx.of(shownPublishes).put(siteId, session, { body: { version, values, theirs }, columns: {} }),
    )
  }

  /**
   * Follows for a comparison that is shown to a person. An edit of a value that was shown as a conflict
   * decides it for the draft: editors without a view of conflicts show the sentence, and the person types the
   * value again.
   */
  const followShown: Follow = async (id, site, version, options = {}) => {
    const followed = await follow(id, site, version, options)
    if (followed.isOutdated) return followed
    const decided = await decidedIn(id, followed.conflicts)
    const result = decided.size > 0 ? await follow(id, site, version, { ...options, decided }) : followed
    // What was decided is decided again after the run that the draft waits for.
    if (!result.ahead || decided.size === 0)
      await note(id, result, options.isShown === false ? [] : result.conflicts)
    return { ...result, changed: followed.changed || result.changed, moved: followed.moved }
  }

  /** Returns the versions of the site's values that were shown last, by the ids of conflicts. */
  const versionsShown = async ({ siteId, session }: DraftId) =>
    (await store.of(shownPublishes).get(siteId, session))?.body.theirs ?? {}

  return { followShown, shownOf, versionsShown, note }
}

/**
 * Whether a conflict is about a value, and was shown with the value that the site has. An edit inside a page,
 * block or row that the site has removed says nothing about that. On another base it is another conflict.
 */
export function isShownValue(conflict: Conflict, then: ShownValue | undefined): boolean {
  const { kind, path } = conflict
  return isSameConflict(conflict, then) && kind === 'changed' && path !== undefined
}

const isSameConflict = ({ base, theirsVersion }: Conflict, then: ShownValue | undefined): boolean =>
  then?.theirs === theirsVersion && then.base === hashOf(base)

/** Returns the slugs that renamed pages had before some changes, by those after them. */
export function slugsBeforeAll(
  changes: readonly Pick<ChangeEvent, 'renamed' | 'removedSlugs'>[],
): ReadonlyMap<string, string> {
  const before = new Map<string, string>()
  for (const { renamed = [], removedSlugs = [] } of changes) {
    const come = [...slugsBefore(renamed)].map(([to, from]) => [to, before.get(from) ?? from] as const)
    for (const slug of removedSlugs) before.delete(slug)
    for (const [to, slug] of come) before.set(to, slug)
  }
  return before
}

/**
 * Returns the ids of conflicts whose place was touched last by an edit, and not by a push or an undo, say.
 */
async function typedOf(
  drafts: Pick<Drafts, 'changesBack'>,
  {
    id,
    since,
    manifest,
  }: { readonly id: DraftId; readonly since: number } & Pick<AvailableTypes, 'manifest'>,
  conflicts: readonly Conflict[],
): Promise<ReadonlySet<string>> {
  const open = new Set(conflicts.map((conflict) => conflict.id))
  const typed = new Set<string>()
  /** The open conflicts by the keys of their places, and of those around them. */
  const [at, inside] = [new Map<string, string[]>(), new Map<string, string[]>()]
  for (const conflict of conflicts) {
    const keys = keysOfPart(conflict)
    for (const key of keys) pushTo(inside, key, conflict.id)
    pushTo(at, keys.at(-1) ?? '', conflict.id)
  }
  const slugs = new Set(conflicts.map(({ slug }) => slug))
  slugs.delete(siteSettings)
  await drafts.changesBack(id, { since, slugs }, ({ isTyped, pages, config }) => {
    const places = [
      ...changedSettings(config.before, config.after),
      ...[...pages].flatMap(([slug, { before, after }]) =>
        mergePage({ base: before, ours: before, theirs: after }, { ...types, manifest }).taken.map(
          (each) => ({ ...each, slug }),
        ),
      ),
    ]
    for (const place of places) {
      const keys = keysOfPart(place)
      const own = keys.at(-1) ?? ''
      for (const each of [...keys.flatMap((key) => at.get(key) ?? []), ...(inside.get(own) ?? [])])
        if (open.delete(each) && isTyped) typed.add(each)
      for (const key of keys) at.delete(key)
      inside.delete(own)
    }
    return open.size === 0
  })
  return typed
}

/** Whether a path is in another one; the runs of a list are named by what is around them at the time. */
export function isPart(path: string, of: string): boolean {
  const [inner = '', outer = ''] = [path, of].map((each) => each.split('[after=', 1)[0])
  return inner === outer || (inner.startsWith(outer) && /^[.[]/.test(inner.slice(outer.length)))
}

/**
 * The keys of a place and those around it on its page; the runs of a list are named by what is around them at
 * the time.
 */
function keysOfPart({ slug, blockId, path = '' }: ConflictPlace): readonly string[] {
  const [list = ''] = path.split('[after=', 1)
  return keysOfPath(list).map((key) =>
    keyOfPlace({ slug, ...(blockId !== undefined && { blockId }), path: key }),
  )
}

const types = { registry: builtinRegistry }

/** The slug of a conflict about the site config. */
const siteSettings = ''
const hashOf = (value: unknown): string => fingerprint({ value })
