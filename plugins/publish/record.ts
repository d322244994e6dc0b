import type { Actor } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { PublishFacts, PublishOutcome } from './port.ts'
import type { DiffOverview } from './comparison.ts'
import type { LogRow, Tracker } from './schemas.ts'
import { settledBy } from './status.ts'
import { countsOf, failedDeployment, summaryOf } from './summary.ts'

/** A publish that is over. */
export interface Ended {
  readonly id: DraftId
  /** The draft as clients name it. */
  readonly key: string
  readonly target: string
  readonly actor: Actor
  readonly outcome: PublishOutcome
  readonly slugs: readonly string[]
  readonly pageCount: number
  readonly diff: DiffOverview
  /** The id of what was published. */
  readonly commit: string | undefined
  readonly startedAt: string
  readonly endedAt: string
}

/** What the publish log keeps of a publish. */
export function toLogRow(ended: Ended, rowId: string): LogRow {
  const { id, key, target, actor, outcome, slugs, pageCount, diff, commit, startedAt, endedAt } = ended
  const { deploymentId, deploymentUrl, inspectUrl, vercelState } = outcome.tracker
  const status = outcome.ok ? (settledBy(vercelState) ?? 'triggered') : 'failed'
  const failure = outcome.ok ? undefined : whyFailed(outcome.body)
  return {
    id: rowId,
    session: key,
    siteId: id.siteId,
    target,
    status,
    at: startedAt,
    updatedAt: endedAt,
    summary: failure ?? summaryOf(diff, pageCount),
    pageCount,
    slugs: [...slugs],
    commit,
    deploymentId,
    deploymentUrl,
    inspectUrl,
    error: failure ?? (status === 'failed' ? failedDeployment(vercelState) : undefined),
    diffSummary: countsOf(diff),
    actor,
  }
}

/** What `GET /publish/status` shows of a publish. */
export function toTracker({ id, outcome, slugs, startedAt, endedAt }: Ended): Tracker {
  return {
    ...outcome.tracker,
    vercelState: outcome.tracker.vercelState?.toUpperCase(),
    session: id.session,
    status: outcome.ok ? 'triggered' : 'failed',
    startedAt,
    updatedAt: endedAt,
    slugs: [...slugs],
  }
}

/** The words for people: some sites state a verdict in `error`, and git states one in `reason`. */
function whyFailed({ error, code, reason }: PublishFacts): string {
  return (reason === code ? error : reason) ?? error ?? reason ?? 'The publish failed.'
}
