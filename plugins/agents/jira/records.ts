import { hash } from 'node:crypto'
import type { Clock, Ids } from '../../../kernel/index.ts'
import type { ToolCallRecord } from '../loop/port.ts'
import { defineCollection, type Store, type Transaction, trusted } from '../../store/port.ts'
import type { Columns, Range, Writer } from '../../store/port.ts'
import type { Mode, Result } from './schemas.ts'

/** The record of one run. */
export interface RunRecord extends Result {
  readonly timestamp: string
  /** The time of the request. */
  readonly queuedAt: string
  readonly mode: Mode
  readonly siteId?: string
  readonly session?: string
  readonly provider?: string
  readonly reviewDecision?: 'proceed' | 'questions' | 'cap'
  readonly toolCalls: readonly ReturnType<typeof toRecordedCall>[]
  readonly toolCallCount: number
  readonly touchedSlugs: readonly string[]
  readonly published: boolean
  /** The statuses to which the ticket was moved. */
  readonly transitions: readonly string[]
  /** The text of the ticket, only with JIRA_TRACE_INSTRUCTIONS. */
  readonly instruction?: string
}

export const records = defineCollection('jira_runs', trusted<RunRecord>(), { columns: {} })
const scope = 'run'
const most = 500

/** Stores the records of the newest 500 runs of all tickets. */
export function createRecords({
  store,
  clock,
  ids,
}: {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
}) {
  return {
    add: (record: RunRecord): Promise<void> =>
      store.transaction(async (tx) => {
        const writer = tx.of(records)
        const key = `${clock.now().getTime().toString(36).padStart(9, '0')}_${ids.uuid()}`
        await writer.put(scope, key, { body: record, columns: {} })
        await removeOldest(writer, scope, most)
      }),
    /** Returns the newest records first. */
    async newest(limit: number): Promise<readonly RunRecord[]> {
      const newest = await store.of(records).list(scope, { descending: true, limit })
      return newest.map(({ body }) => body)
    },
  }
}
export type Records = ReturnType<typeof createRecords>

/** Removes the first documents of a range, and keeps `most`. */
export async function removeOldest<Body, C extends Columns>(
  writer: Writer<Body, C>,
  scope: string,
  most: number,
  range: Pick<Range<C>, 'where' | 'orderBy'> = {},
): Promise<void> {
  const limit = (await writer.count(scope, range.where)) - most
  const oldest = limit > 0 ? await writer.rows(scope, { ...range, limit }) : []
  for (const { key } of oldest) await writer.remove(scope, key)
}

const longest = 400

/** Converts a tool call to its record: shortened, and without the secrets of Jira. */
export function toRecordedCall(call: ToolCallRecord, redact: (text: string) => string) {
  const input = redact(JSON.stringify(call.input) ?? '').slice(0, longest)
  return { ...call, input, resultExcerpt: redact(call.resultExcerpt) }
}

/** Accepted deliveries, by the hashes of their identifier and their body. */
export const deliveries = defineCollection('jira_deliveries', trusted<Readonly<Record<never, never>>>(), {
  columns: { at: 'integer' },
  indexes: ['at'],
})

/** Milliseconds for which deliveries are stored; older ones are refused. */
export const retentionMs = 24 * 60 * 60 * 1000
const mostDeliveries = 1_000
const webhookScope = 'webhook'

/** Returns the keys of a delivery. Jira repeats the identifier; a signature covers the body, but not the identifier. */
export const deliveryKeys = (identifier: string | undefined, body: Uint8Array): readonly string[] => [
  hash('sha256', body),
  ...(identifier ? [hash('sha256', `identifier ${identifier}`)] : []),
]

/** Stores a delivery for 24 hours, among the newest 1,000; returns false if one of its keys is known. */
export async function remember(tx: Transaction, keys: readonly string[], now: number): Promise<boolean> {
  const writer = tx.of(deliveries)
  let isNew = true
  for (const key of keys) {
    const before = await writer.get(webhookScope, key)
    if (before && before.columns.at > now - retentionMs) isNew = false
    else await writer.put(webhookScope, key, { body: {}, columns: { at: now } })
  }
  await removeOldest(writer, webhookScope, 2 * mostDeliveries, { orderBy: 'at' })
  return isNew
}
