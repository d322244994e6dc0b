import * as v from 'valibot'
import type { DraftId } from '../scope/port.ts'
import { defineCollection, type Store } from '../store/port.ts'
import { LogRow, Tracker } from './schemas.ts'

const rows = defineCollection('publish_log', v.custom<LogRow>(() => true), { columns: { id: 'text', deploymentId: 'text', status: 'text' }, indexes: ['status'] })
const trackers = defineCollection('publish_trackers', v.custom<Tracker>(() => true), { columns: {} })

const keptRows = 200
const scopeOf = ({ siteId, session }: DraftId): string => JSON.stringify([siteId, session])
const columnsOf = ({ id, deploymentId = '', status }: LogRow) => ({ id, deploymentId, status })
/** Keys sort as the rows were written; the id keeps those of one millisecond apart. */
const keyOf = ({ at, id }: LogRow): string => `${at} ${id}`

/** The log of publishes, and how the latest one of each draft is going. */
export function createPublishLog(store: Store) {
  return {
    /** Writes a row and the new tracker together; the oldest rows of the draft go when there are more than 200. */
    async add(id: DraftId, row: LogRow, tracker: Tracker): Promise<void> {
      const scope = scopeOf(id)
      await store.transaction(async (tx) => {
        const writer = tx.of(rows)
        await writer.put(scope, keyOf(row), { body: row, columns: columnsOf(row) })
        const [oldestKept] = (await writer.rows(scope, { descending: true, limit: keptRows })).slice(keptRows - 1)
        if (oldestKept) await writer.clear(scope, { before: oldestKept.key })
        await tx.of(trackers).put(id.siteId, id.session, { body: tracker, columns: {} })
      })
    },
    /** The newest rows, oldest first. */
    async list(id: DraftId, limit: number): Promise<readonly LogRow[]> {
      return (await store.of(rows).list(scopeOf(id), { descending: true, limit })).map(({ body }) => body).toReversed()
    },
    async tracker(id: DraftId): Promise<Tracker | undefined> {
      return (await store.of(trackers).get(id.siteId, id.session))?.body
    },
    /**
     * Stores how a publish is going. Once that is settled the row of it is settled too: the one with the same deployment, else the newest
     * that is still open. A settled row never changes again.
     */
    async settle(id: DraftId, tracker: Tracker, settled: 'success' | 'failed' | undefined): Promise<void> {
      const scope = scopeOf(id)
      await store.transaction(async (tx) => {
        await tx.of(trackers).put(id.siteId, id.session, { body: tracker, columns: {} })
        if (settled === undefined) return
        const open = await tx.of(rows).list(scope, { where: { status: 'triggered' }, descending: true })
        const row = open.find(({ body }) => tracker.deploymentId !== undefined && body.deploymentId === tracker.deploymentId) ?? open[0]
        if (!row) return
        const body: LogRow = { ...row.body, status: settled, updatedAt: tracker.updatedAt }
        await tx.of(rows).put(scope, row.key, { body, columns: columnsOf(body) })
      })
    },
  }
}

export type PublishLog = ReturnType<typeof createPublishLog>
