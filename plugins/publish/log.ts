import { settingsSlug } from '../content/unpublished.ts'
import type { Drafts, LogEntry } from '../draft/port.ts'
import type { FollowResult } from '../follow/port.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import { defineCollection, trusted, type Store, type Transaction } from '../store/port.ts'
import type { PublishParticipant } from './port.ts'
import type { LogRow, Tracker } from './schemas.ts'

/** The latest publish of a draft, with the key of its row. */
export interface Latest {
  readonly key: string
  readonly tracker: Tracker
}

/** The row of a publish, with what is followed of it; the slugs are those of the row. */
type FollowedRow = LogRow & { readonly tracker?: Omit<Tracker, 'slugs'> | undefined }

/** What is read of many publishes, of which each has the slugs of a whole site. */
type LoggedPublish = Pick<LogRow, 'id' | 'status' | 'version' | 'snapshot' | 'rolledBackTo' | 'changes'>

/** Under (draft, number of the publish from 1), with the facts as JSON. */
export const rows = defineCollection('publish_log', trusted<FollowedRow>(), { columns: { facts: 'text' } })

function withFacts(body: FollowedRow) {
  const { id, status, version, snapshot, rolledBackTo, changes } = body
  const facts: LoggedPublish = { id, status, version, snapshot, rolledBackTo, changes }
  return { body, columns: { facts: JSON.stringify(facts) } }
}

const maxRows = 200
/** Returns the key of a row; keys sort by time of the publish. */
const paddedNumber = (number: number): string => String(number).padStart(12, '0')
const newest = { descending: true, limit: 1 } as const

/** Creates the log of publishes, with the status of the latest publish of each draft. */
export function createPublishLog(store: Store, participants: readonly PublishParticipant[] = []) {
  const announce = async (tx: Transaction, id: DraftId, row: LogRow) => {
    const { id: publishId, status, version, target, slugs, changes, updatedAt: at, scheduledId } = row
    const publish = { id, publishId, status, version, target, slugs, changes, at, scheduledId }
    for (const write of participants) await write(tx, publish)
  }
  const list = async (id: DraftId, limit: number): Promise<readonly LogRow[]> => {
    const found = await store.of(rows).list(draftKey(id), { descending: true, limit })
    return found.map(({ body }) => withoutTracker(body)).toReversed()
  }
  return {
    /** Writes a row with the new tracker and what `companion` writes; a draft keeps its newest 200 rows. */
    async add(
      id: DraftId,
      row: LogRow,
      tracker: Tracker,
      companion: (tx: Transaction) => Promise<void>,
    ): Promise<void> {
      await store.transaction(async (tx) => {
        const [last] = await tx.of(rows).rows(draftKey(id), newest)
        const number = Number(last?.key ?? 0) + 1
        const body = { ...row, tracker: withoutSlugs(tracker) }
        await tx.of(rows).put(draftKey(id), paddedNumber(number), withFacts(body))
        if (number > maxRows)
          await tx.of(rows).clear(draftKey(id), { before: paddedNumber(number - maxRows + 1) })
        await announce(tx, id, row)
        await companion(tx)
      })
    },
    /** Returns the newest rows, oldest first. */
    list,
    /** Returns the facts of the newest rows, oldest first. */
    async facts(id: DraftId, limit: number): Promise<readonly LoggedPublish[]> {
      const found = await store.of(rows).rows(draftKey(id), { descending: true, limit })
      const facts = found.map(({ columns }) => columns.facts)
      // Rows that were written before there were facts.
      if (facts.includes('')) return list(id, limit)
      return facts.map((json) => JSON.parse(json) as LoggedPublish).toReversed()
    },
    async latest(id: DraftId): Promise<Latest | undefined> {
      const [found] = await store.of(rows).list(draftKey(id), newest)
      if (!found?.body.tracker) return undefined
      return { key: found.key, tracker: { ...found.body.tracker, slugs: found.body.slugs } }
    },
    /**
     * Stores the status of a publish, and settles its row once the result is known. Does nothing after a
     * newer publish.
     */
    async follow(id: DraftId, current: Latest, settled: 'success' | 'failed' | undefined): Promise<void> {
      const { key, tracker } = current
      await store.transaction(async (tx) => {
        const [found] = await tx.of(rows).list(draftKey(id), newest)
        if (found?.key !== key) return
        const row = { ...found.body, tracker: withoutSlugs(tracker) }
        const isEnd = settled && row.status === 'triggered'
        const error = settled === 'failed' ? failedDeployment(tracker.vercelState) : undefined
        const body = isEnd ? { ...row, status: settled, updatedAt: tracker.updatedAt, error } : row
        await tx.of(rows).put(draftKey(id), key, withFacts(body))
        if (isEnd && settled === 'failed') await announce(tx, id, body)
      })
    },
  }
}

function withoutTracker(row: FollowedRow): LogRow {
  const { tracker: _tracker, ...rest } = row
  return rest
}

const withoutSlugs = ({ slugs: _slugs, ...rest }: Tracker): Omit<Tracker, 'slugs'> => rest

export type PublishLog = ReturnType<typeof createPublishLog>

/** Returns one sentence about a deployment that began and then failed. */
export function failedDeployment(state: string | undefined): string {
  const remedy = 'Look at it where the site is hosted, then publish again.'
  return `The deployment ended as ${state ?? 'failed'}. ${remedy}`
}

/** What the logs have of a draft, the newest changes first. */
export interface LoggedChanges {
  readonly changes: readonly LogEntry[]
  readonly publishes: readonly LoggedPublish[]
}

/** Reads what a publish row keeps of the logs. */
export async function readLogged(
  id: DraftId,
  { drafts, publishLog }: { readonly drafts: Pick<Drafts, 'log'>; readonly publishLog: PublishLog },
): Promise<LoggedChanges> {
  const [changes, publishes] = await Promise.all([
    drafts.log(id, { limit: searched }),
    publishLog.facts(id, searched),
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

const succeeded = new Set(['READY', 'SUCCEEDED'])
const failed = new Set(['ERROR', 'FAILED', 'CANCELED'])
/** Returns the result of a publish by the state of its deployment; `undefined` until the state is final. */
export function settledBy(state: string | undefined): 'success' | 'failed' | undefined {
  const normalized = state?.toUpperCase() ?? ''
  return succeeded.has(normalized) ? 'success' : failed.has(normalized) ? 'failed' : undefined
}
