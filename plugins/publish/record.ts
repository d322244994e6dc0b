import { failedDeployment } from './log.ts'
import { home } from '../content/slugs.ts'
import type { DiffOverview } from './draft-diff.ts'
import type { PublishFacts, PublishOutcome } from './port.ts'
import type { LogRow, Tracker } from './schemas.ts'
import { settledBy } from './status.ts'
import { countOf } from './targets/outcome.ts'

/** Returns the part of a log row that says how a publish went. */
export function resultOf(
  { ok, body, status: outcome, tracker }: PublishOutcome,
  diff: DiffOverview,
  pageCount: number,
) {
  const { deploymentId, deploymentUrl, inspectUrl, vercelState } = tracker
  const status: LogRow['status'] = ok ? (settledBy(vercelState ?? outcome) ?? 'triggered') : 'failed'
  const failure = ok ? undefined : whyFailed(body)
  return {
    status,
    summary: failure ?? summaryOf(diff, pageCount),
    pageCount,
    deploymentId,
    deploymentUrl,
    inspectUrl,
    error: failure ?? (status === 'failed' ? failedDeployment(vercelState) : undefined),
    diffSummary: countsOf(diff),
    changes: ok ? broughtBy(diff) : undefined,
  }
}

/** Returns the publish for `GET /publish/status`. */
export function toTracker({ ok, status, tracker }: PublishOutcome, row: LogRow, session: string): Tracker {
  return {
    ...tracker,
    vercelState: tracker.vercelState?.toUpperCase(),
    session,
    status: ok ? status : 'failed',
    startedAt: row.at,
    updatedAt: row.updatedAt,
    slugs: row.slugs,
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

/** Returns what a publish brought, if that is known. */
function broughtBy({ baselineAvailable, summary, pages }: DiffOverview): LogRow['changes'] {
  if (!baselineAvailable) return undefined
  const slugsOf = (status: DiffOverview['pages'][number]['status']) =>
    pages.filter((page) => page.status === status).map(({ slug }) => slug)
  return {
    added: slugsOf('added'),
    modified: slugsOf('modified'),
    removed: slugsOf('removed'),
    fields: summary.totalChangedFields,
    siteConfigFields: summary.siteConfigChangedFields,
  }
}

function namesOf(
  { pages }: DiffOverview,
  status: DiffOverview['pages'][number]['status'],
): readonly string[] {
  return pages.filter((page) => page.status === status).map(({ slug }) => nameOf(slug))
}

/** The name of a page in a sentence. */
const nameOf = (slug: string): string => (slug === home ? 'Home' : slug.replace(/^\//, ''))

/** Joins names, as in `A, B and 3 more`. `Intl.ListFormat` would cost memory at the start. */
function listed([first = '', second, third, ...more]: readonly string[]): string {
  if (second === undefined) return first
  if (third === undefined) return `${first} and ${second}`
  return `${first}, ${second} and ${more.length === 0 ? third : `${1 + more.length} more`}`
}
