import { type Clock, type Ids, type Logger, Refusal } from '../../../kernel/index.ts'
import type { SiteContent } from '../../content/adapter.ts'
import { type Actor, inParts, pagesInParts, putParts } from '../../draft/port.ts'
import { freed, jobColumns, type Jobs, type Queue, unclaimed, type Work } from '../../jobs/port.ts'
import type { DraftId, Scope } from '../../scope/port.ts'
import { defineCollection, type Document, type Store, type Transaction, trusted } from '../../store/port.ts'
import { alreadyPublishing, noSuchScheduled, tooManyScheduled } from '../refusals.ts'
import type { Scheduled } from './schemas.ts'
import type { Pinned } from './pin.ts'

/** What a scheduled publish does at its time. */
export interface Planned extends Pick<Scheduled, 'target' | 'slugs' | 'version' | 'commit' | 'changes'> {
  readonly id: DraftId
  readonly siteOrigin: string | undefined
  readonly allowDelete: boolean
  readonly actor: Actor
}

export interface ScheduledRecord extends Planned {
  readonly createdAt: string
  readonly error?: string | undefined
  readonly decided?: Pinned['decided']
}

/** What a scheduled publish sends, and where. */
export interface ScheduledPin extends Pick<Planned, 'siteOrigin'> {
  readonly pinned: Pinned
}

/** A scheduled publish that this process alone carries out, as long as it holds the claim. */
export interface Claimed extends Planned, ScheduledPin, Pick<ScheduledRecord, 'createdAt'> {
  /** Aborts when another process may have taken over. */
  readonly signal: AbortSignal
  /** Ends the claim: the publish is done, has failed with an error, or waits for the next start. */
  end(tx: Transaction, how: 'done' | 'later' | { readonly error: string }): Promise<void>
}

const columns = { siteId: 'text', session: 'text', ...jobColumns } as const
export const records = defineCollection('publish_scheduled', trusted<ScheduledRecord>(), {
  columns,
  indexes: ['due', 'siteId'],
})
/** Pinned content, whose pages are in parts; earlier rows have the pages. */
type StoredPin = Pick<SiteContent, 'siteConfig'> &
  Pick<Pinned, 'base'> &
  ({ readonly parts: readonly string[] } | Pick<SiteContent, 'pages'>)
export const pinned = defineCollection('publish_pinned', trusted<StoredPin>(), { columns: {} })

export type ScheduledDocument = Pick<Document<ScheduledRecord, typeof columns>, 'key' | 'body' | 'columns'>

/** All share a scope, because processes look for the next one of any draft. */
export const scheduledScope = 'scheduled'
const maxPerDraft = 20
/** The maximum number of sites published to at the same time by this process. */
const parallel = 100
const brokenInside = { error: 'The publish failed inside the service. Its log says why.' }

interface ScheduledContext {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly scope: Pick<Scope, 'key'>
  readonly jobs: Jobs
  readonly log: Logger
}

/** Returns the function that returns a scheduled publish as clients see it. */
export const scheduledOf =
  ({ clock, scope }: Pick<ScheduledContext, 'clock' | 'scope'>) =>
  ({ key, body, columns }: ScheduledDocument): Scheduled => {
    const { id, siteOrigin: _, allowDelete: __, decided: ___, ...facts } = body
    const { due, until, failed, interrupted } = columns
    const status = failed === 1 ? 'failed' : until > clock.now().getTime() ? 'publishing' : 'scheduled'
    const details = { id: key, status, session: scope.key(id), siteId: id.siteId } as const
    return { ...facts, ...details, at: new Date(due).toISOString(), ...(interrupted > 0 && { interrupted }) }
  }

export function createScheduled(context: ScheduledContext) {
  const { store, clock, ids } = context
  const toScheduled = scheduledOf(context)

  return {
    /** Stores a publish with its content. Refuses the 21st of a draft with 409 `too_many_scheduled`. */
    add: (planned: Planned, pin: Pick<Pinned, 'content' | 'base'>, at: Date): Promise<Scheduled> =>
      store.transaction(async (tx) => {
        const { siteId, session } = planned.id
        if ((await tx.of(records).count(scheduledScope, { siteId, session })) >= maxPerDraft)
          throw tooManyScheduled(maxPerDraft)
        const key = ids.uuid()
        const body = { ...planned, createdAt: clock.now().toISOString() }
        const row = { key, body, columns: { siteId, session, ...unclaimed, due: at.getTime() } }
        await tx.of(records).put(scheduledScope, key, row)
        await putPin(tx, row, pin)
        return toScheduled(row)
      }),
    /** Lists those of a draft, the next one first. */
    async list({ siteId, session }: DraftId): Promise<Scheduled[]> {
      const found = await store
        .of(records)
        .list(scheduledScope, { where: { siteId, session }, orderBy: 'due' })
      return found.map(toScheduled)
    },
    /** Sets another time, and adds decisions; a failed one is tried again then, or if it `isSettled`. */
    change: (
      id: DraftId,
      key: string,
      {
        at,
        decided = [],
        isSettled = false,
      }: Pick<ScheduledRecord, 'decided'> & { readonly at?: Date | undefined; readonly isSettled?: boolean },
    ): Promise<Scheduled> =>
      store.transaction(async (tx) => {
        const found = await freeRow(tx, id, key, clock.now().getTime())
        const { error, decided: before = [], ...rest } = found.body
        const again = at !== undefined || (isSettled && found.columns.failed === 1)
        const ids = new Set(decided.map((each) => each.id))
        const all = [...before.filter((each) => !ids.has(each.id)), ...decided]
        const body = { ...rest, ...(all.length > 0 && { decided: all }), ...(!again && { error }) }
        const due = at?.getTime() ?? found.columns.due
        const columns = again ? { ...freed(found.columns), due, failed: 0 } : found.columns
        await tx.of(records).put(scheduledScope, key, { body, columns })
        return toScheduled({ key, body, columns })
      }),
    cancel: (id: DraftId, key: string): Promise<void> =>
      store.transaction(async (tx) => {
        await freeRow(tx, id, key, clock.now().getTime())
        await tx.of(records).remove(scheduledScope, key)
        await tx.of(pinned).remove(scheduledScope, key)
      }),
  }
}

/** Finds one of a draft that is not being published. */
async function freeRow(
  tx: Transaction,
  { siteId, session }: DraftId,
  key: string,
  nowMs: number,
): Promise<ScheduledDocument> {
  const found = await tx.of(records).get(scheduledScope, key)
  if (found?.columns.siteId !== siteId || found.columns.session !== session) throw noSuchScheduled(key)
  if (found.columns.until > nowMs) throw alreadyPublishing()
  return found
}

/** Publishes what is due, of each site the earliest; `publish` ends the claim together with the log. */
export function queueOf(
  { store, jobs, log }: ScheduledContext,
  publish: (claim: Claimed) => Promise<unknown>,
  pollMs: number,
): Queue<ScheduledRecord> {
  const work: Work<ScheduledRecord> = async (job, signal) => {
    const { key, body } = job
    const content = await pinnedOf(store, job)
    const end: Claimed['end'] = async (tx, how) => {
      if (how === 'later') await queue.settle(tx, job, {})
      else if (how !== 'done')
        await queue.settle(tx, job, { body: { ...body, ...how }, columns: { failed: 1 } })
      else if (await queue.settle(tx, job, how)) await tx.of(pinned).remove(scheduledScope, key)
    }
    // It was canceled after it was claimed: what was stored for it is gone.
    if (!content) return store.transaction((tx) => end(tx, 'done'))
    await publish({ ...body, pinned: content, signal, end }).catch(async (err: unknown) => {
      // Its turn came after another process had taken over, or while this one stops.
      if (signal.aborted && err === signal.reason) return store.transaction((tx) => end(tx, 'later'))
      // While a part of the service is away nothing counts as failed.
      if (err instanceof Refusal && err.status === 503) throw err
      log.error({ err, scheduled: key }, 'a scheduled publish failed')
      await store.transaction((tx) => end(tx, brokenInside))
    })
  }
  const options = { name: 'publish', rows: records, scope: scheduledScope, lane: 'siteId', parallel } as const
  const queue: Queue<ScheduledRecord> = jobs.queue({ ...options, pollMs, work, log })
  return queue
}

/** Returns what a scheduled publish sends; `undefined` if it is gone. */
export async function pinnedOf(
  reader: Store | Transaction,
  { key, body: { id, decided, version, commit } }: Pick<ScheduledDocument, 'key' | 'body'>,
): Promise<Pinned | undefined> {
  const found = await reader.of(pinned).get(scheduledScope, key)
  if (!found) return undefined
  const { base, siteConfig } = found.body
  const pages =
    'pages' in found.body ? found.body.pages : await pagesInParts(reader, id.siteId, found.body.parts)
  return { content: { pages: [...pages], siteConfig }, base, decided, version, commit, scheduledId: key }
}

/** Stores what a scheduled publish sends. */
export async function putPin(
  tx: Transaction,
  { key, body: { id, createdAt } }: Pick<ScheduledDocument, 'key' | 'body'>,
  { content: { pages, siteConfig }, base }: Pick<Pinned, 'content' | 'base'>,
): Promise<void> {
  const parts = await inParts(pages)
  await putParts(tx, id.siteId, parts, createdAt)
  const body = { parts: parts.map((part) => part.key), siteConfig, ...(base && { base }) }
  await tx.of(pinned).put(scheduledScope, key, { body, columns: {} })
}

/** Returns the parts of what is scheduled for a site. */
export async function partsOfPins(tx: Transaction, siteId: string): Promise<readonly string[]> {
  const rows = await tx.of(records).rows(scheduledScope, { where: { siteId } })
  const pins = await Promise.all(rows.map(({ key }) => tx.of(pinned).get(scheduledScope, key)))
  return pins.flatMap((pin) => (pin && 'parts' in pin.body ? pin.body.parts : []))
}
