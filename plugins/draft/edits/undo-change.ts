import { pace, type Refusal } from '../../../kernel/index.ts'
import { pageWithout } from '../../content/merge/index.ts'
import { nestedPlaces } from '../../content/nested-places.ts'
import type { PageChange, Registry } from '../../content/model.ts'
import { type FieldPath, keysOfField, touchedPaths } from '../../content/touched-paths.ts'
import { sameJson } from '../../content/plain-object.ts'
import { touchedBases, withoutDecisions } from '../base-records.ts'
import { type ChangeSet, type EditOf, restamped } from '../change-set.ts'
import { metadataOf, type StoredChange } from '../collections.ts'
import { configEdit, pathOf } from '../config-records.ts'
import { stepOver } from '../label.ts'
import { changesAfter, newestEntries } from '../log.ts'
import { alreadyUndone, changedSince, type Dependent, notRestorable, noSuchVersion } from '../refusals.ts'
import type { DraftTransaction } from '../transaction.ts'
import { formerSlugsOver } from '../renames.ts'
import { formerRanks } from './ranks.ts'
import { whereToGo } from './undo.ts'

/**
 * Plans the undo of one logged change, which need not be the newest. What was changed again since is undone
 * with it if the caller wants that, newest first; all of it is one new change.
 */
export async function planUndoOfChange(
  draft: DraftTransaction,
  { version, withDependents }: EditOf<'undo-change'>,
  { registry, now }: { readonly registry: Registry; readonly now: Date },
  refuse: (version: number, dependents: readonly Dependent[]) => Refusal = changedSince,
): Promise<ChangeSet> {
  const target = await loggedChange(draft, version)
  const alone = await withoutChanges(draft, [target], registry)
  const dependents = alone ? [] : await dependentsOf(draft, target)
  const together = alone ?? (await withoutChanges(draft, [...dependents.toReversed(), target], registry))
  if (!together) throw changedSince(version, [])
  if (!alone && !withDependents) throw refuse(version, dependents.map(toDependent))
  const pages = new Map<string, PageChange>()
  for (const [slug, { before, after }] of together.pages)
    if (!sameJson(before, after)) pages.set(slug, restamped(before, after, now))
  const { bases, records } = together.decisions
  const isSame = pages.size === 0 && together.ranks.size === 0 && !together.config && records.length === 0
  if (isSame) throw alreadyUndone(version)
  const metadata = metadataOf(target)
  const { slug } = metadata
  const step = stepOver('undo', { version, ...metadata })
  const more = withMore(dependents.length)
  const of = step.source === 'undo' ? [...(step.of ?? []), ...plainVersions(dependents)] : step.of
  return {
    pages,
    renames: await formerSlugsOver(draft, { ...step, of }),
    ranks: await formerRanks(draft, together.ranks, pages),
    config: together.config,
    ...(records.length > 0 && { bases, hasOtherBases: true, baseRecords: records }),
    stacks: { push: [...new Set([...pages.keys(), ...together.ranks.keys()])] },
    log: { ...step, slug, of, summary: step.summary + more, label: step.label + more },
    slug,
    navigateToSlug: whereToGo(slug, pages),
  }
}

const withMore = (count: number): string =>
  count === 0 ? '' : `, with ${count} later ${count === 1 ? 'change' : 'changes'}`

/** The versions of changes that are no undo or redo themselves. */
const plainVersions = (changes: readonly StoredChange[]): readonly number[] =>
  changes.flatMap((each) => (metadataOf(each).of ? [] : [Number(each.key)]))

async function loggedChange(draft: DraftTransaction, version: number): Promise<StoredChange> {
  const entries = await newestEntries(draft.log)
  const change = entries.some((entry) => entry.version === version) ? await draft.change(version) : undefined
  if (!change) throw noSuchVersion(version)
  if (!canBeUndone(change)) throw notRestorable(version)
  return change
}

/** The pages that an undo may change: not those that a first import added. */
const undoablePages = ({ body }: StoredChange) => body.pages.filter(({ undo }) => undo !== false)

/** The changes of the site config that an undo may revert: not the values that a first import added. */
const undoableConfig = (change: StoredChange) =>
  metadataOf(change).source === 'bootstrap'
    ? change.body.config.filter(({ before }) => before !== undefined)
    : change.body.config

/** Whether a change has anything to undo. */
export const canBeUndone = (change: StoredChange): boolean => pathsOf(change).length > 0

const pathsOf = (change: StoredChange): readonly FieldPath[] => [
  ...undoablePages(change).flatMap(({ slug, delta, rank }) => [
    ...(delta ? touchedPaths(delta) : []),
    ...(rank ? [[slug, 'place']] : []),
  ]),
  ...undoableConfig(change).map((record) => ['site config', ...pathOf(record)]),
  ...(change.body.bases ?? []).flatMap(touchedBases),
]

/** Returns the later changes, oldest first, of what the change touched, or such a change in turn. */
async function dependentsOf(
  { log }: DraftTransaction,
  change: StoredChange,
): Promise<readonly StoredChange[]> {
  const touched = nestedPlaces<true>()
  const touch = (places: readonly FieldPath[]) =>
    places.forEach((place) => touched.add(keysOfField(place), true))
  touch(pathsOf(change))
  const dependents: StoredChange[] = []
  for await (const each of changesAfter(log, Number(change.key))) {
    const places = pathsOf(each)
    if (!places.some((place) => touched.find(keysOfField(place)))) continue
    touch(places)
    dependents.push(each)
  }
  return dependents
}

const toDependent = (change: StoredChange): Dependent => {
  const { slug, summary, source, label, restored, at, actor } = metadataOf(change)
  return { version: Number(change.key), slug, summary, source, label, restored, at, actor }
}

/** Returns the content without changes, given newest first; `undefined` if one was changed again. */
async function withoutChanges(draft: DraftTransaction, undone: readonly StoredChange[], registry: Registry) {
  const pages = new Map<string, PageChange>()
  const ranks = new Map<string, string>()
  const config = await draft.config()
  const edit = configEdit(config)
  for (const change of undone) {
    for (const { slug, delta, rank } of undoablePages(change)) {
      await pace()
      const current = await draft.pages.loaded(slug)
      const { before, after: now } = pages.get(slug) ?? { before: current?.page, after: current?.page }
      const result = delta ? pageWithout(now, delta, { registry }) : { page: now }
      if (!result) return undefined
      pages.set(slug, { before, after: result.page })
      const isInPlace = !now || (ranks.get(slug) ?? current?.rank) === rank?.after
      if (result.page && rank?.before !== undefined && isInPlace) ranks.set(slug, rank.before)
    }
    for (const record of undoableConfig(change)) {
      const now = edit.get(record)
      if (sameJson(now, record.before)) continue
      if (!sameJson(now, record.after)) return undefined
      edit.set(record, record.before)
    }
  }
  const configNow = edit.result()
  for (const [slug, { after }] of pages) if (!after) ranks.delete(slug)
  const records = undone.flatMap(({ body }) => body.bases ?? [])
  const decisions = await withoutDecisions(draft, records, { pages, config: configNow })
  return decisions && { pages, ranks, config: configNow === config ? undefined : configNow, decisions }
}
