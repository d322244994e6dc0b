import type { DraftId } from '../scope/port.ts'
import type { createDiffs } from './diffs.ts'
import { conflictChanged, unknownConflict } from './refusals.ts'
import type { DecideBody, Followed } from './schemas.ts'
import type { FollowOptions } from './site/following.ts'
import type { createShown } from './site/shown.ts'

/**
 * Creates the function that decides conflicts: of each the value that the caller has `seen`, else the one
 * that was shown last. Refuses unknown ones with 409 `unknown_conflict`, and those of which the site has
 * another value with 409 `conflict_changed`; nothing is decided then.
 */
export function createDecide({
  followSite,
  versionsShown,
  note,
}: Pick<ReturnType<typeof createDiffs>, 'followSite'> &
  Pick<ReturnType<typeof createShown>, 'versionsShown' | 'note'>) {
  return async (
    id: DraftId,
    { decide, siteOrigin, baseVersion }: DecideBody,
    by: Pick<FollowOptions, 'actor' | 'channel'>,
  ): Promise<Followed> => {
    const now = await followSite(id, { siteOrigin, baseVersion })
    const open = new Map(now.conflicts.map((conflict) => [conflict.id, conflict]))
    const unknown = decide.filter((each) => !open.has(each.id)).map((each) => each.id)
    if (unknown.length > 0) throw unknownConflict(unknown)
    const shown = await versionsShown(id, now.conflicts)
    const seen = new Map(
      decide.map((each) => [
        each.id,
        each.seen ?? shown.get(each.id) ?? open.get(each.id)?.theirsVersion ?? '',
      ]),
    )
    const refuseOthers = async ({ conflicts, version }: Followed): Promise<void> => {
      const others = conflicts.filter(
        (each) => (seen.get(each.id) ?? each.theirsVersion) !== each.theirsVersion,
      )
      if (others.length === 0) return
      // The refusal shows them.
      const ids = new Set(others.map((each) => each.id))
      await note(id, { conflicts, version }, (each) => ids.has(each.id))
      throw conflictChanged(others)
    }
    await refuseOthers(now)
    const decided = new Map(decide.map((each) => [each.id, each.take]))
    const after = await followSite(id, { siteOrigin }, { ...by, decided, seen, isDecision: true })
    await refuseOthers(after)
    return after
  }
}
