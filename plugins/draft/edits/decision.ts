import {
  type Conflict,
  fingerprint,
  keyOfPlace,
  type MergeRequest,
  type Winner,
} from '../../content/merge/index.ts'
import type { Page } from '../../content/page.ts'
import { sameJson } from '../../content/plain-object.ts'
import type { EditOf } from '../change-set.ts'
import { decisionLabel } from '../label.ts'

/**
 * Returns those of all conflicts that a caller decides, with the chosen sides; none for any other edit, or if
 * the site has another value than one that the caller has seen.
 */
export function decisionsIn(
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
export function labelOfDecision(
  decisions: ReturnType<typeof decisionsIn>,
  { ours, theirs, manifest }: MergeRequest,
) {
  const pages = new Map<string, { readonly before: Page | undefined; readonly after: Page | undefined }>()
  for (const { slug } of decisions)
    pages.set(slug, { before: theirs.pages.get(slug), after: ours.pages.get(slug) })
  return decisionLabel(decisions, { pages, manifest })
}

/** The base of each conflict that is decided for the draft while the site's value is volatile, by place. */
type SettledBases = Readonly<Record<string, string>> | undefined

/** Returns which of all conflicts stay decided for the draft, by id, and which do from now on. */
export function settledIn(
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
