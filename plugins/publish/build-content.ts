import type { DraftId } from '../scope/port.ts'
import type { PublishParts } from './parts.ts'
import { unknownPublication } from './refusals.ts'
import type { Snapshot } from './snapshots.ts'

/** The number of publishes among which one that is under way is searched. */
const searched = 50

/**
 * Returns what a build of the site gets: what the named publish sent, else what the newest publish of the
 * draft sent that is under way; `undefined` for the draft itself. Refuses a publish whose content is not
 * stored with 404 `not_found`.
 */
export async function contentOfBuild(
  parts: PublishParts,
  id: DraftId,
  publication?: string,
): Promise<Snapshot | undefined> {
  if (publication === undefined) return underWay(parts, id)
  const sent = await parts.snapshots.sentBy(id.siteId, publication)
  if (!sent) throw unknownPublication(publication)
  return sent
}

async function underWay(
  { snapshots, publishLog, status, clock, deploymentMs }: PublishParts,
  id: DraftId,
): Promise<Snapshot | undefined> {
  const isOver = ({ at }: { readonly at: string }): boolean =>
    clock.now().getTime() - Date.parse(at) >= deploymentMs
  // A process that ends while it publishes leaves it behind.
  const ahead = await snapshots.ahead(id)
  if (ahead && !isOver({ at: ahead.committedAt })) return ahead
  await status(id)
  const rows = await publishLog.list(id, searched)
  const newest = rows.findLast((row) => row.status !== 'failed')
  if (newest?.status !== 'triggered') return undefined
  // Only the newest publish is followed to its end.
  return newest === rows.at(-1) || !isOver(newest) ? snapshots.sentBy(id.siteId, newest.id) : undefined
}
