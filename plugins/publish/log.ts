import * as v from 'valibot'
import type { SiteContent } from '../content/adapter.ts'
import { home } from '../content/slugs.ts'
import { settingsSlug, unpublishedChanges } from '../content/unpublished.ts'
import type { Drafts, LogEntry } from '../draft/port.ts'
import type { FollowResult } from '../follow/port.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import { defineCollection, trusted, type Store, type Transaction } from '../store/port.ts'
import type { DiffOverview } from './draft-diff.ts'
import type { PublishFacts, PublishOutcome, PublishParticipant } from './port.ts'
import { Edit, type LogRow, mostEdits, type Tracker } from './schemas.ts'

/** The latest publish of a draft. */
export interface Latest {
  /** The number of the publish of the draft, from 1; part of the key of its row. */
  readonly number: number
  readonly tracker: Tracker
  /** A version of the draft; the published content is at least as new. Absent for a rollback. */
  readonly version?: number | undefined
}

export const rows = defineCollection('publish_log', trusted<LogRow>(), { columns: {} })
/** Under (site id, session). */
export const latest = defineCollection('publish_latest', trusted<Latest>(), { columns: {} })

const maxRows = 200
/** Returns the key of a row; keys sort by time of the publish. */
const paddedNumber = (number: number): string => String(number).padStart(12, '0')

/** Creates the log of publishes, with the status of the latest publish of each draft. */
export function createPublishLog(store: Store, participants: readonly PublishParticipant[] = []) {
  const announce = async (
    tx: Transaction,
    id: DraftId,
    { id: publishId, status, target, slugs, changes, updatedAt: at, scheduledId }: LogRow,
    version: number | undefined,
  ) => {
    const publish = { id, publishId, status, version, target, slugs, changes, at, scheduledId }
    for (const write of participants) await write(tx, publish)
  }
  return {
    /** Writes a row with the new tracker and what `also` writes; a draft keeps its newest 200 rows. */
    async add(
      id: DraftId,
      row: LogRow,
      current: Omit<Latest, 'number'>,
      also?: (tx: Transaction) => Promise<void> | undefined,
    ): Promise<void> {
      await store.transaction(async (tx) => {
        const before = await tx.of(latest).get(id.siteId, id.session)
        const number = (before?.body.number ?? 0) + 1
        await tx.of(rows).put(draftKey(id), paddedNumber(number), { body: row, columns: {} })
        if (number > maxRows)
          await tx.of(rows).clear(draftKey(id), { before: paddedNumber(number - maxRows + 1) })
        await tx.of(latest).put(id.siteId, id.session, { body: { number, ...current }, columns: {} })
        await announce(tx, id, row, current.version)
        await also?.(tx)
      })
    },
    /** Returns the newest rows, oldest first. */
    async list(id: DraftId, limit: number): Promise<readonly LogRow[]> {
      const newest = await store.of(rows).list(draftKey(id), { descending: true, limit })
      return newest.map(({ body }) => body).toReversed()
    },
    /** Replaces the notes of a row; does nothing if the log has it no more. */
    async note(id: DraftId, publishId: string, notes: LogRow['notes']): Promise<void> {
      await store.transaction(async (tx) => {
        const found = (await tx.of(rows).list(draftKey(id))).find(({ body }) => body.id === publishId)
        if (found)
          await tx.of(rows).put(draftKey(id), found.key, { body: { ...found.body, notes }, columns: {} })
      })
    },
    async latest(id: DraftId): Promise<Latest | undefined> {
      return (await store.of(latest).get(id.siteId, id.session))?.body
    },
    /**
     * Stores the status of a publish, and settles its row once the result is known; of a settled row only
     * the notes change. Does nothing after a newer publish.
     */
    async follow(id: DraftId, current: Latest, settled: 'success' | 'failed' | undefined): Promise<void> {
      const { number, tracker, version } = current
      await store.transaction(async (tx) => {
        if ((await tx.of(latest).get(id.siteId, id.session))?.body.number !== number) return
        await tx.of(latest).put(id.siteId, id.session, { body: current, columns: {} })
        const row = settled && (await tx.of(rows).get(draftKey(id), paddedNumber(number)))?.body
        if (!row || row.status !== 'triggered') return
        const error = settled === 'failed' ? failedDeployment(tracker.vercelState) : undefined
        const body: LogRow = { ...row, status: settled, updatedAt: tracker.updatedAt, error }
        await tx.of(rows).put(draftKey(id), paddedNumber(number), { body, columns: {} })
        if (settled === 'failed') await announce(tx, id, body, version)
      })
    },
  }
}

export type PublishLog = ReturnType<typeof createPublishLog>

/** Returns one sentence about a deployment that began and then failed. */
export function failedDeployment(state: string | undefined): string {
  const remedy = 'Look at it where the site is hosted, then publish again.'
  return `The deployment ended as ${state ?? 'failed'}. ${remedy}`
}

/** What a publish compared, as far as people see it. */
export interface Shown {
  readonly diff: DiffOverview
  readonly draft: SiteContent
  readonly baseline: SiteContent | undefined
  readonly version: number | undefined
}

const countOf = (pages: number): string => `${pages} ${pages === 1 ? 'page' : 'pages'}`

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
export async function readLogged(
  id: DraftId,
  { drafts, publishLog }: { readonly drafts: Pick<Drafts, 'log'>; readonly publishLog: PublishLog },
): Promise<LoggedChanges> {
  const [changes, publishes] = await Promise.all([
    drafts.log(id, { limit: searched }),
    publishLog.list(id, searched),
  ])
  return { changes: changes.toReversed(), publishes }
}
const searched = 100

/** Returns what a site had on its own since the last publish of a draft, for the log. */
export async function followedSince(
  { drafts }: { readonly drafts: Pick<Drafts, 'changesAfter'> },
  id: DraftId,
  { taken }: { readonly taken?: FollowResult['taken'] | undefined },
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

const succeeded = new Set(['READY', 'SUCCEEDED'])
const failed = new Set(['ERROR', 'FAILED', 'CANCELED'])
/** Returns the result of a publish by the state of its deployment; `undefined` until the state is final. */
export function settledBy(state: string | undefined): 'success' | 'failed' | undefined {
  const normalized = state?.toUpperCase() ?? ''
  return succeeded.has(normalized) ? 'success' : failed.has(normalized) ? 'failed' : undefined
}
