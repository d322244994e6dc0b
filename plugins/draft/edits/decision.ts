import {
  type Conflict,
  fingerprint,
  keyOfPlace,
  merge,
  type Merged,
  type MergeRequest,
  type Winner,
} from '../../content/merge/index.ts'
import { sameJson } from '../../content/plain-object.ts'
import type { EditOf } from '../change-set.ts'
import { datedConflicts } from '../conflicts.ts'
import { decisionLabel } from '../label.ts'
import type { DraftTransaction } from '../transaction.ts'

/** What is left of what both sides have changed. */
export type Decided = Awaited<ReturnType<typeof settle>>

/** Decides what both sides of a merge have changed as an edit says, and notes what stays open. */
export async function settle(
  draft: DraftTransaction,
  edit: EditOf<'follow'>,
  { open, request }: { readonly open: Merged; readonly request: MergeRequest },
  now: Date,
) {
  const notes = await draft.conflictNotes()
  const given = decisionsIn(open.conflicts, edit)
  const decided = edit.isDecision && given.length === 0 ? undefined : edit.decided
  const { isSettled, settled } = settledIn(open.conflicts, decided, notes.settled, request.lasting)
  const merged = decided ? await merge({ ...request, decided }) : open
  const authors = draft.context.site.authorsOf(draft.id.siteId)
  const authorsOf = (some: readonly Conflict[]) => authors.ofConflicts(draft.tx, some, request)
  const left = merged.conflicts.filter(({ id }) => !isSettled.has(id))
  const openIds = new Set(merged.conflicts.map(({ id }) => id))
  const after = await datedConflicts(left, { ...notes, settled }, now, authorsOf)
  return {
    merged,
    conflicts: after.conflicts,
    noted: sameJson(notes, after.notes) ? undefined : after.notes,
    // A page whose address is taken stays as it was.
    decisions: given.filter(({ id }) => !openIds.has(id)),
    /** Whether others stay decided than before. */
    isOther: !sameJson(settled, notes.settled),
  }
}

/**
 * Returns those of all conflicts that a caller decides, with the chosen sides; none for any other edit, or if
 * the site has another value than one that the caller has seen.
 */
function decisionsIn(
  conflicts: readonly Conflict[],
  { isDecision, decided, seen }: Pick<EditOf<'follow'>, 'isDecision' | 'decided' | 'seen'>,
) {
  if (!isDecision) return []
  const isOther = conflicts.some(
    ({ id, theirsVersion }) => decided?.has(id) && (seen?.get(id) ?? theirsVersion) !== theirsVersion,
  )
  if (isOther) return []
  return conflicts.flatMap((conflict) => {
    const winner = decided?.get(conflict.id)
    return winner ? [{ ...conflict, winner }] : []
  })
}

/** Returns the label of a decision, with the names that pages and blocks have on either side. */
export function labelOfDecision(decisions: Decided['decisions'], { ours, theirs, manifest }: MergeRequest) {
  const pages = new Map(
    decisions.map(({ slug }) => [slug, { before: theirs.pages.get(slug), after: ours.pages.get(slug) }]),
  )
  return decisionLabel(decisions, { pages, manifest })
}

/** The base of each conflict that is decided for the draft while the site's value is volatile, by place. */
type SettledBases = Readonly<Record<string, string>> | undefined

/** Returns which of all conflicts stay decided for the draft, by id, and which do from now on. */
function settledIn(
  conflicts: readonly Conflict[],
  chosen: ReadonlyMap<string, Winner> | undefined,
  before: SettledBases,
  lasting: MergeRequest['lasting'],
): { readonly isSettled: ReadonlySet<string>; readonly settled: SettledBases } {
  const isSettled = new Set<string>()
  if (!lasting || (!chosen && !before)) return { isSettled, settled: before }
  const settled: Record<string, string> = { ...before }
  for (const conflict of conflicts) {
    const { id, base, theirs } = conflict
    if (base === undefined || !sameJson(lasting(base), lasting(theirs))) continue
    const place = keyOfPlace(conflict)
    // The undo of a decision brings back an earlier base.
    if (before?.[place] === fingerprint({ base })) isSettled.add(id)
    if (chosen?.get(id) === 'ours') settled[place] = fingerprint({ base: theirs })
  }
  return { isSettled, settled: Object.keys(settled).length > 0 ? settled : undefined }
}
