import * as v from 'valibot'
import { failedDeployment } from './log.ts'
import { home } from '../content/slugs.ts'
import { settingsSlug, unpublishedChanges } from '../content/unpublished.ts'
import type { LogEntry } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Compared } from './comparison.ts'
import type { DiffOverview } from './draft-diff.ts'
import type { PublishParts } from './parts.ts'
import type { PublishFacts, PublishOutcome } from './port.ts'
import { Edit, type LogRow, mostEdits, type Tracker } from './schemas.ts'
import { settledBy } from './status.ts'
import { countOf } from './outcome.ts'

/** What a publish compared, as far as people see it. */
export type Shown = Pick<Compared, 'diff' | 'draft' | 'baseline' | 'version'>

/** Returns the part of a log row that says how a publish went. */
export function resultOf(
  { ok, body, status: outcome, tracker, logged: stored }: PublishOutcome,
  compared: Shown,
  logged: LoggedChanges,
) {
  const { diff, draft } = compared
  const pageCount = draft.pages.length
  const { deploymentId, deploymentUrl, inspectUrl, vercelState } = tracker
  const status: LogRow['status'] = ok ? (settledBy(vercelState ?? outcome) ?? 'triggered') : 'failed'
  const failure = ok ? undefined : (stored ?? whyFailed(body))
  return {
    status,
    summary: failure ?? summaryOf(diff, pageCount, pageName),
    pageCount,
    deploymentId,
    deploymentUrl,
    inspectUrl,
    error: failure ?? (status === 'failed' ? failedDeployment(vercelState) : undefined),
    diffSummary: countsOf(diff),
    changes: ok ? broughtBy(compared, logged) : undefined,
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
const whyFailed = ({ error, code, reason }: PublishFacts): string =>
  (reason === code ? error : reason) ?? error ?? reason ?? 'The publish failed.'

/** Adds what a publish brought to the answer of a target that has no sentence of its own. */
export function withMessage(outcome: PublishOutcome, compared: Shown): PublishOutcome {
  const { ok, status, body } = outcome
  if (!ok || status !== 'ready' || body.message !== undefined) return outcome
  const sentence = summaryOf(compared.diff, compared.draft.pages.length, titlesIn(compared))
  return { ...outcome, body: { ...body, message: `${sentence}.` } }
}

/** Returns one sentence about a successful publish. */
export function summaryOf(diff: DiffOverview, pageCount: number, toName: (slug: string) => string): string {
  if (!diff.baselineAvailable)
    return `Published the draft with ${countOf(pageCount)}; what that changes is not known`
  const [added = [], modified = [], removed = []] = slugsIn(diff).map((slugs) => slugs.map(toName))
  const removedNames = removed.length === 1 ? removed[0] : countOf(removed.length)
  const parts = [
    added.length > 0 && `added ${listed(added)}`,
    modified.length > 0 && `updated ${listed(modified)}`,
    removed.length > 0 && `removed ${removedNames}`,
    diff.siteConfig.fieldDiffs.length > 0 && 'updated the site settings',
  ].filter((part) => part !== false)
  return parts.length > 0 ? `Published: ${parts.join('; ')}` : 'Republished with no content changes'
}

/** Returns the number of pages that a publish changed, if known. */
function countsOf({ baselineAvailable, summary }: DiffOverview): LogRow['diffSummary'] {
  if (!baselineAvailable) return undefined
  return { added: summary.pagesAdded, removed: summary.pagesRemoved, changed: summary.pagesModified }
}

/** Returns what a publish brings, if that is known; `logged` is what the logs have of its draft. */
export function broughtBy(compared: Shown, logged: LoggedChanges): LogRow['changes'] {
  const { diff } = compared
  if (!diff.baselineAvailable) return undefined
  const [added = [], modified = [], removed = []] = slugsIn(diff)
  const toTitle = titlesIn(compared)
  return {
    added,
    modified,
    removed,
    titles: Object.fromEntries([...added, ...modified, ...removed].map((slug) => [slug, toTitle(slug)])),
    fields: diff.summary.totalChangedFields,
    siteConfigFields: diff.summary.siteConfigChangedFields,
    ...editsIn(compared, [...added, ...modified, ...removed], logged),
  }
}

/** What the logs have of a draft, the newest changes first. */
export interface LoggedChanges {
  readonly changes: readonly LogEntry[]
  readonly publishes: readonly LogRow[]
}

/** Reads what a publish row keeps of the logs. */
export async function readLogged(id: DraftId, { drafts, publishLog }: PublishParts): Promise<LoggedChanges> {
  const [changes, publishes] = await Promise.all([
    drafts.log(id, { limit: searched }),
    publishLog.list(id, searched),
  ])
  return { changes: changes.toReversed(), publishes }
}
const searched = 100

/** Returns what a site had on its own since the last publish of a draft, for the log. */
export async function followedSince(
  { drafts }: Pick<PublishParts, 'drafts'>,
  id: DraftId,
  { taken }: Pick<Compared, 'taken'>,
  { publishes }: Pick<LoggedChanges, 'publishes'>,
): Promise<LogRow['followed']> {
  if (taken) return listOf(taken.map(({ slug }) => slug))
  const last = publishes.findLast(({ status }) => status !== 'failed')
  const version = last ? last.version : 0
  const changes = version === undefined ? [] : ((await drafts.changesAfter(id, version)) ?? [])
  const ofSite = changes.filter(({ source }) => source === 'site')
  return listOf(
    ofSite.flatMap(({ slugs, removedSlugs = [], configChanged = false }) => [
      ...slugs,
      ...removedSlugs,
      ...(configChanged ? [settingsSlug] : []),
    ]),
  )
}

function listOf(slugs: readonly string[]): LogRow['followed'] {
  const all = new Set(slugs)
  const siteConfig = all.delete(settingsSlug)
  return all.size > 0 || siteConfig ? { pages: [...all], siteConfig } : undefined
}

/** Returns the changes of the draft that a publish brings. */
function editsIn(
  { diff, version = Infinity }: Shown,
  slugs: readonly string[],
  { changes, publishes }: LoggedChanges,
): Pick<NonNullable<LogRow['changes']>, 'edits' | 'editCount'> {
  const names = diff.siteConfig.fieldDiffs.length > 0 ? [...slugs, settingsSlug] : slugs
  const before = changes.filter((change) => change.version <= version)
  const edits = unpublishedChanges(names, before, publishes)
  return { editCount: edits.length, edits: edits.slice(0, mostEdits).map((each) => v.parse(Edit, each)) }
}

/** The slugs of the added, the modified and the removed pages. */
const slugsIn = ({ shown }: DiffOverview): string[][] =>
  ['added', 'modified', 'removed'].map((status) =>
    shown.flatMap((page) => (page.status === status ? [page.slug] : [])),
  )

/** The titles of pages, as they are in the draft; of removed pages, as they were. */
export function titlesIn({ draft, baseline }: Shown): (slug: string) => string {
  const pages = [...(baseline?.pages ?? []), ...draft.pages]
  const titles = new Map(pages.map(({ slug, title }) => [slug, title]))
  return (slug) => titles.get(slug) ?? pageName(slug)
}

/** The name of a page in a sentence. */
const pageName = (slug: string): string => (slug === home ? 'Home' : slug.replace(/^\//, ''))

/** Joins names, as in `A, B and 3 more`. `Intl.ListFormat` would cost memory at the start. */
function listed([first = '', second, third, ...more]: readonly string[]): string {
  if (second === undefined) return first
  if (third === undefined) return `${first} and ${second}`
  return `${first}, ${second} and ${more.length === 0 ? third : `${1 + more.length} more`}`
}
