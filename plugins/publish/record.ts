import { failedDeployment } from './log.ts'
import { home } from '../content/slugs.ts'
import type { Actor } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { DiffOverview } from './comparison.ts'
import type { PublishFacts, PublishOutcome } from './port.ts'
import type { LogRow, Tracker } from './schemas.ts'
import { settledBy } from './status.ts'
import { countOf } from './targets/outcome.ts'

/** A finished publish. */
export interface Ended {
  readonly id: DraftId
  /** The name of the draft for clients. */
  readonly key: string
  readonly target: string
  readonly actor: Actor
  readonly outcome: PublishOutcome
  readonly slugs: readonly string[]
  readonly pageCount: number
  readonly diff: DiffOverview
  /** The id of the published content. */
  readonly commit: string | undefined
  readonly startedAt: string
  readonly endedAt: string
}

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

/** Returns the publish for `GET /publish/status`. */
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

/** Returns the sentence for people: some sites have a code in `error`, and git has one in `reason`. */
function whyFailed({ error, code, reason }: PublishFacts): string {
  return (reason === code ? error : reason) ?? error ?? reason ?? 'The publish failed.'
}

/** Returns one sentence about a successful publish. */
function summaryOf(diff: DiffOverview, pageCount: number): string {
  if (!diff.baselineAvailable) return `Published ${countOf(pageCount)}`
  const changed = [...namesOf(diff, 'added'), ...namesOf(diff, 'modified')]
  const removed = namesOf(diff, 'removed')
  const removedNames = removed.length === 1 ? removed[0] : countOf(removed.length)
  const parts = [
    changed.length > 0 && `updated ${listed(changed)}`,
    removed.length > 0 && `removed ${removedNames}`,
  ].filter((part) => part !== false)
  if (parts.length > 0) return `Published: ${parts.join('; ')}`
  const sameSettings = diff.siteConfig.fieldDiffs.length === 0
  return sameSettings ? 'Republished with no content changes' : 'Published: updated the site settings'
}

/** Returns the number of pages that a publish changed, if known. */
function countsOf({ baselineAvailable, summary }: DiffOverview): LogRow['diffSummary'] {
  if (!baselineAvailable) return undefined
  return { added: summary.pagesAdded, removed: summary.pagesRemoved, changed: summary.pagesModified }
}

function namesOf({ pages }: DiffOverview, status: DiffOverview['pages'][number]['status']): readonly string[] {
  return pages.filter((page) => page.status === status).map(({ slug }) => nameOf(slug))
}

/** The name of a page in a sentence. */
const nameOf = (slug: string): string => (slug === home ? 'Home' : slug.replace(/^\//, ''))

/** Joins names, as in `A, B and 3 more`. */
const listed = (names: readonly string[]): string =>
  inEnglish.format(names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names)

const inEnglish = new Intl.ListFormat('en-GB')
