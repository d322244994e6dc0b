import { fingerprint, keyOfPlace, merge, type MergeRequest, type Winner } from '../../content/merge/index.ts'
import { sameJson } from '../../content/plain-object.ts'

/**
 * The base of each conflict that is decided for the draft while the value of the site is volatile, by place.
 */
export type SettledBases = Readonly<Record<string, string>> | undefined

/** Returns the conflicts that stay decided for the draft, by id, and those that do from now on. */
export async function settledIn(
  request: MergeRequest,
  chosen: ReadonlyMap<string, Winner> | undefined,
  before: SettledBases,
): Promise<{ readonly isSettled: ReadonlySet<string>; readonly settled: SettledBases }> {
  const { lasting } = request
  const isSettled = new Set<string>()
  if (!lasting || (!chosen && !before)) return { isSettled, settled: before }
  const settled: Record<string, string> = { ...before }
  for (const conflict of (await merge(request)).conflicts) {
    const { id, base, theirs } = conflict
    if (base === undefined || !sameJson(lasting(base), lasting(theirs))) continue
    const place = keyOfPlace(conflict)
    // The undo of a decision brings back an earlier base.
    if (before?.[place] === fingerprint({ base })) isSettled.add(id)
    if (chosen?.get(id) === 'ours') settled[place] = fingerprint({ base: theirs })
  }
  return { isSettled, settled: Object.keys(settled).length > 0 ? settled : undefined }
}
