import * as v from 'valibot'
import type { SiteContent } from '../content/adapter.ts'
import { withShownText } from '../content/shown-text.ts'
import { slugsOf } from '../content/diff/index.ts'
import { home } from '../content/slugs.ts'
import { settingsSlug, unpublishedChanges } from '../content/unpublished.ts'
import type { Compared } from './comparison.ts'
import type { DiffOverview } from './diff/draft-diff.ts'
import { failedDeployment, type LoggedChanges, settledBy } from './log.ts'
import type { Publication, PublishResult } from './port.ts'
import type { PublishRequest } from './request.ts'
import {
  type DeploymentFacts,
  Edit,
  type LogRow,
  mostEdits,
  type PublishFacts,
  type PublishOutcome,
  type Tracker,
} from './schemas.ts'

/** What a publish compares: `own` is the draft, to which `draft` adds redirects of the site. */
export type Sent = Compared & { readonly own: SiteContent }

/** What a publish ended with: its row in the log, its status, and its answer are views of it. */
export interface Ended {
  readonly outcome: PublishOutcome
  readonly compared: Sent
  /** What the target got; absent if it was not called. */
  readonly publication?: Publication | undefined
  /** All conflicts of the draft, of which `compared` has those in what was published. */
  readonly open?: Compared['conflicts'] | undefined
}

export function succeeded(
  status: 'ready' | 'triggered',
  body: PublishFacts,
  tracker: DeploymentFacts,
): PublishOutcome {
  return { ok: true, httpStatus: 200, status, body, tracker }
}

/** The code of a refusal by a site whose content changed since it was read. */
export const siteChanged = 'site_changed'

/** Returns the outcome of a publish whose site was changed between its comparison and its write. */
export const changedMeanwhile = (): PublishOutcome =>
  refused(
    'The site was changed at the same time, several times in a row, so nothing was published. Publish again.',
    siteChanged,
  )

/** Returns the outcome of a failed publish; its sentence is in `error`, which editors show, and `reason`. */
export function failed(
  httpStatus: 200 | 400 | 500 | 502,
  reason: string,
  more: { readonly code?: string; readonly tracker?: DeploymentFacts; readonly facts?: PublishFacts } = {},
): PublishOutcome {
  const { code = 'publish_failed', tracker = { deployStatus: httpStatus }, facts = {} } = more
  const body = { error: reason, code, reason, ...facts }
  return { ok: false, httpStatus, status: 'failed', body, tracker }
}

/** Returns the outcome of a publish that is refused before its target is called. */
export function refused(reason: string, code = 'refused', facts: PublishFacts = {}): PublishOutcome {
  const body = { ok: false, error: 'refused', code, reason, ...facts }
  return { ok: false, httpStatus: 409, status: 'failed', body, tracker: { deployStatus: 409 } }
}

/** Returns the outcome of a publish that worked with more notes for people. */
export function withNotes(outcome: PublishOutcome, notes: readonly string[] = []): PublishOutcome {
  const { body } = outcome
  return notes.length === 0
    ? outcome
    : { ...outcome, body: { ...body, notes: [...(body.notes ?? []), ...notes] } }
}

/** Returns the row of a publish in the log; `logged` is what the logs had of its draft. */
export function rowOf(
  { outcome, compared, publication }: Ended,
  { id: { siteId }, target, actor, pinned }: PublishRequest,
  { snapshot, ...facts }: Pick<LogRow, 'id' | 'session' | 'at' | 'updatedAt' | 'snapshot' | 'followed'>,
  logged: LoggedChanges,
): LogRow {
  const { ok, tracker } = outcome
  const { deploymentId, deploymentUrl, inspectUrl, vercelState } = tracker
  const status = ok ? (settledBy(vercelState ?? outcome.status) ?? 'triggered') : 'failed'
  const failure = ok ? undefined : (outcome.logged ?? whyFailed(outcome.body))
  return {
    ...facts,
    siteId,
    target: target.name,
    slugs: outcome.slugs ?? compared.draft.pages.map(({ slug }) => slug),
    commit: outcome.commit ?? snapshot,
    snapshot,
    scheduledId: pinned?.scheduledId,
    rolledBackTo: pinned?.commit,
    version: compared.version,
    carried: publication?.carried.length || undefined,
    actor,
    status,
    summary: failure ?? summaryOf(compared, pageName),
    pageCount: compared.draft.pages.length,
    deploymentId,
    deploymentUrl,
    inspectUrl,
    error: failure ?? (status === 'failed' ? failedDeployment(vercelState) : undefined),
    diffSummary: countsOf(compared.diff),
    changes: ok ? broughtBy(compared, logged) : undefined,
  }
}

/** Returns the publish for `GET /publish/status`. */
export function trackerOf({ ok, status, tracker }: PublishOutcome, row: LogRow, session: string): Tracker {
  const { at: startedAt, updatedAt, slugs } = row
  const vercelState = tracker.vercelState?.toUpperCase()
  return { ...tracker, vercelState, session, status: ok ? status : 'failed', startedAt, updatedAt, slugs }
}

/** Returns the answer: that of the target, with a sentence if it has none, and more notes for people. */
export function answerOf(
  { outcome, compared }: Ended,
  session: string,
  slugs = [...slugsOf(compared.draft)],
  notes: readonly string[] = [],
): PublishResult {
  const { ok, httpStatus, status, body } = withNotes(outcome, notes)
  const sentence = ok && status === 'ready' ? `${summaryOf(compared)}.` : undefined
  const message = body.message ?? sentence
  return {
    httpStatus,
    body: withShownText({ ...body, ...(message !== undefined && { message }), status, session, slugs }),
  }
}

/** Returns the sentence for people: some sites have a code in `error`, and git has one in `reason`. */
const whyFailed = ({ error, code, reason }: PublishFacts): string =>
  (reason === code ? error : reason) ?? error ?? reason ?? 'The publish failed.'

const countOf = (pages: number): string => `${pages} ${pages === 1 ? 'page' : 'pages'}`

/** Returns one sentence about a successful publish. */
function summaryOf(compared: Compared, toName = titlesIn(compared)): string {
  const { diff, draft } = compared
  if (!diff.baselineAvailable)
    return `Published the draft with ${countOf(draft.pages.length)}; what that changes is not known`
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

const longestSubject = 72
/** Returns the message of a commit: the pages, each change of the draft, and the names of who made them. */
export function commitMessageOf(compared: Compared, logged: LoggedChanges): string {
  const { edits = [] } = broughtBy(compared, logged) ?? {}
  const subject = oneLine(summaryOf(compared).replace(/^Published: /, 'content: '))
  const changes = edits.toReversed().map(({ summary }) => `- ${oneLine(summary)}`)
  const names = edits.toReversed().flatMap(({ actor: { name, browser } }) => name ?? browser?.name ?? [])
  const people = [...new Set(names.map(nameOf))].map((name) => `Co-authored-by: ${name} <>`)
  const short = subject.length > longestSubject ? `${subject.slice(0, longestSubject - 1)}…` : subject
  return [short, changes.join('\n'), people.join('\n')].filter((part) => part !== '').join('\n\n')
}

/** What people write begins no trailer and no line of its own. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
const nameOf = (name: string): string => oneLine(name.replaceAll(/[<>]/g, ''))

/** Returns the number of pages that a publish changed, if known. */
function countsOf({ baselineAvailable, summary }: DiffOverview): LogRow['diffSummary'] {
  if (!baselineAvailable) return undefined
  return { added: summary.pagesAdded, removed: summary.pagesRemoved, changed: summary.pagesModified }
}

/** Returns what a publish brings, if that is known; `logged` is what the logs have of its draft. */
export function broughtBy(compared: Compared, logged: LoggedChanges): LogRow['changes'] {
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

/** Returns the changes of the draft that a publish brings. */
function editsIn(
  { diff, version = Infinity }: Compared,
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
function titlesIn({ draft, baseline }: Compared): (slug: string) => string {
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
