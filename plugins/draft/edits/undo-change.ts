import type { Refusal } from '../../../kernel/index.ts'
import { nestedPlaces } from '../../content/nested-places.ts'
import { type FieldPath, keysOfField } from '../../content/touched-paths.ts'
import type { ChangeSet, EditOf } from '../change-set.ts'
import { metadataOf, type StoredChange } from '../collections.ts'
import { stepOver } from '../label.ts'
import { changesAfter, loggedChange } from '../log.ts'
import { placesOf } from '../page-records.ts'
import { alreadyUndone, changedSince, type Dependent, notRestorable, noSuchVersion } from '../refusals.ts'
import type { DraftTransaction } from '../transaction.ts'
import { formerSlugsOver, hasEffect, whereToGo, withoutChanges } from './without-changes.ts'

/**
 * Plans the undo of one logged change, which need not be the newest. What was changed again since is undone
 * with it if the caller wants that, newest first; all of it is one new change.
 */
export async function planUndoOfChange(
  draft: DraftTransaction,
  { version, withDependents, manifest }: EditOf<'undo-change'>,
  now: Date,
  refuse: (version: number, dependents: readonly Dependent[]) => Refusal = changedSince,
): Promise<ChangeSet> {
  const target = await loggedChange(draft.log, version)
  if (!target) throw noSuchVersion(version)
  if (!canBeUndone(target)) throw notRestorable(version)
  const alone = await withoutChanges(draft, [undoable(target)], { now, manifest })
  const isAlone = !('changedAgain' in alone)
  const dependents = isAlone ? [] : await dependentsOf(draft, target)
  const all = [...dependents.toReversed(), target].map(undoable)
  const undone = isAlone ? alone : await withoutChanges(draft, all, { now, manifest })
  if ('changedAgain' in undone) throw changedSince(version, [])
  if (!isAlone && !withDependents) throw refuse(version, dependents.map(toDependent))
  if (!hasEffect(undone)) throw alreadyUndone(version)
  const metadata = metadataOf(target)
  const { slug } = metadata
  const step = stepOver('undo', { version, ...metadata })
  const more = withMore(dependents.length)
  const of = step.source === 'undo' ? [...(step.of ?? []), ...plainVersions(dependents)] : step.of
  return {
    ...undone,
    renames: await formerSlugsOver(draft, { ...step, of }),
    stacks: { push: [...new Set([...undone.pages.keys(), ...undone.ranks.keys()])] },
    log: { ...step, slug, of, summary: step.summary + more, label: step.label + more },
    slug,
    navigateToSlug: whereToGo(slug, undone.pages),
  }
}

const withMore = (count: number): string =>
  count === 0 ? '' : `, with ${count} later ${count === 1 ? 'change' : 'changes'}`

/** The versions of changes that are no undo or redo themselves. */
const plainVersions = (changes: readonly StoredChange[]): readonly number[] =>
  changes.flatMap((each) => (metadataOf(each).of ? [] : [Number(each.key)]))

/** What an undo may revert: neither the pages nor the values of the site config that a first import added. */
function undoable({ body: { pages, config, base }, ...change }: StoredChange) {
  const isImport = metadataOf(change).source === 'bootstrap'
  return {
    pages: pages.filter(({ undo }) => undo !== false),
    config: isImport ? config.filter(({ before }) => before !== undefined) : config,
    base,
  }
}

/** Whether a change has anything to undo. */
export const canBeUndone = (change: StoredChange): boolean => pathsOf(change).length > 0

function pathsOf(change: StoredChange): readonly FieldPath[] {
  const { base, ...content } = undoable(change)
  return [...placesOf(content), ...(base ? placesOf(base).map((place) => ['base', ...place]) : [])]
}

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
