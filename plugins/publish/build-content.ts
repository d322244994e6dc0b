import type { Clock } from '../../kernel/index.ts'
import type { DraftId } from '../scope/port.ts'
import { graceOf, type PublishEnvironment } from './environment.ts'
import type { PublishLog } from './log.ts'
import { unknownPublication } from './refusals.ts'
import type { Snapshots, StoredContent } from './snapshot.ts'
import type { createPublishStatus } from './status.ts'

/** The number of publishes among which one that is under way is searched. */
const searched = 50

/**
 * Creates the function that returns what a build of the site gets: what the named publish sent, else what the newest
 * publish of the draft sent that is under way; `undefined` for the draft itself.
 *
 * Refuses a publish whose content is not stored with 404 `not_found`.
 */
export function createBuildContent(context: {
  readonly snapshots: Snapshots
  readonly publishLog: Pick<PublishLog, 'list'>
  readonly status: ReturnType<typeof createPublishStatus>
  readonly clock: Clock
  readonly env: Pick<PublishEnvironment, 'PUBLISH_GRACE_SECONDS'>
}) {
  const { snapshots, publishLog, status, clock, env } = context
  const isOver = ({ at }: { readonly at: string }): boolean =>
    clock.now().getTime() - Date.parse(at) >= graceOf(env).deploymentMs

  const underWay = async (id: DraftId): Promise<StoredContent | undefined> => {
    // A process that ends while it publishes leaves it behind.
    const ahead = await snapshots.ahead(id)
    if (ahead && !isOver(ahead)) return ahead
    await status(id)
    const rows = await publishLog.list(id, searched)
    const newest = rows.findLast((row) => row.status !== 'failed')
    if (newest?.status !== 'triggered') return undefined
    // Only the newest publish is followed to its end.
    return newest === rows.at(-1) || !isOver(newest) ? snapshots.sentBy(id.siteId, newest.id) : undefined
  }

  return async (id: DraftId, publication?: string): Promise<StoredContent | undefined> => {
    if (publication === undefined) return underWay(id)
    const sent = await snapshots.sentBy(id.siteId, publication)
    if (!sent) throw unknownPublication(publication)
    return sent
  }
}
