import type { Clock, Ids } from '../../kernel/index.ts'
import { type Job, jobColumns, type Queue, unclaimed } from '../jobs/port.ts'
import { defineCollection, type Store, type Transaction, trusted } from '../store/port.ts'
import type { MessageContent } from './messages.ts'
import type { WebhookOptions } from './settings.ts'

/** One attempt: the status of the answer, or the reason for a failure. */
export interface Attempt {
  readonly at: string
  readonly milliseconds: number
  readonly status?: number
  readonly failure?: string
  /** The delay requested by the receiver. */
  readonly pauseMs?: number
}

/** A message for one endpoint. */
export interface Message extends MessageContent {
  readonly createdAt: string
  readonly attempts: number
  readonly last?: Attempt
}

interface EndedDelivery extends Message {
  readonly state: 'delivered' | 'failed'
  /** Attempts of which it is not known whether they arrived. */
  readonly interrupted?: number | undefined
}

/** A delivery in lists. */
interface Delivery extends Message {
  readonly id: string
  readonly endpoint: string
  readonly state: 'waiting' | EndedDelivery['state']
  readonly nextAttemptAt?: string
  readonly interrupted?: number | undefined
}

/** Pending deliveries by (endpoint, id). */
export const waiting = defineCollection('webhook_waiting', trusted<Message>(), {
  columns: jobColumns,
  indexes: ['due'],
})
/** The bytes of the pending messages of each endpoint. */
export const sizes = defineCollection('webhook_sizes', trusted<{ readonly bytes: number }>(), { columns: {} })
export const over = defineCollection('webhook_over', trusted<EndedDelivery>(), { columns: { state: 'text' } })

const sizeScope = 'waiting'
/** How many pending messages are read at once. */
const batch = 100

/** How long ended deliveries are stored. */
const retentionMs = 30 * 86_400_000
const gone = 410

/** Ids sort by creation time, and within one process by the order of events. */
const idAt = (time: number, rest = ''): string => `msg_${time.toString(36).padStart(9, '0')}${rest}`

/** Creates the store of deliveries. Deletes ended ones by age and number. */
export function createOutbox({
  store,
  clock,
  ids,
  options,
}: {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly options: WebhookOptions
}) {
  const now = (): number => clock.now().getTime()
  let newest = 0

  const end = async (
    tx: Transaction,
    endpoint: string,
    id: string,
    body: EndedDelivery,
  ): Promise<EndedDelivery['state']> => {
    const ended = tx.of(over)
    await resize(tx, endpoint, -bytesOf(body))
    await tx.of(waiting).remove(endpoint, id)
    await ended.put(endpoint, id, { body, columns: { state: body.state } })
    await ended.clear(endpoint, { before: idAt(now() - retentionMs) })
    const surplus = (await ended.count(endpoint)) - options.keptDeliveries
    const oldest = surplus > 0 ? await ended.rows(endpoint, { limit: surplus }) : []
    for (const { key } of oldest) await ended.remove(endpoint, key)
    return body.state
  }

  return {
    /** Adds a message in the transaction of its event; returns the ids of the oldest ones, which it drops beyond the limit. */
    async add(
      tx: Transaction,
      endpoint: string,
      { type, payload }: MessageContent,
    ): Promise<readonly string[]> {
      const at = clock.now()
      newest = Math.max(at.getTime(), newest + 1)
      const id = idAt(newest, `_${ids.uuid().replaceAll('-', '')}`)
      const message = { type, payload, createdAt: at.toISOString(), attempts: 0 }
      let bytes = await resize(tx, endpoint, bytesOf(message))
      await wait(tx, endpoint, id, message, at.getTime())
      let surplus = (await tx.of(waiting).count(endpoint)) - options.maxWaiting
      const dropped: string[] = []
      while (surplus > 0 || bytes > options.maxWaitingBytes) {
        const limit = Math.min(Math.max(surplus, 1), batch)
        for (const { key, body } of await tx.of(waiting).list(endpoint, { limit })) {
          if (key === id) return dropped
          bytes = await resize(tx, endpoint, -bytesOf(body))
          await tx.of(waiting).remove(endpoint, key)
          surplus--
          dropped.push(key)
        }
      }
      return dropped
    },
    /** Records an attempt and returns the delivery's state; `undefined` if another process took it over. */
    settle: (
      queue: Pick<Queue<Message>, 'settle'>,
      endpoint: string,
      job: Job<Message>,
      last: Attempt,
    ): Promise<Delivery['state'] | undefined> =>
      store.transaction(async (tx) => {
        const { key: id, body: message } = job
        const { status = 0 } = last
        const tried = { ...message, attempts: message.attempts + 1, last }
        const ended = { ...tried, interrupted: job.interrupted || undefined }
        // What has arrived is not sent again, even if the claim is lost.
        const isDelivered = status >= 200 && status < 300
        if (isDelivered && (await tx.of(waiting).get(endpoint, id)))
          return end(tx, endpoint, id, { ...ended, state: 'delivered' })
        const waitMs = options.retryAfterMs[message.attempts]
        const due = now() + Math.max(waitMs ?? 0, last.pauseMs ?? 0)
        if (isDelivered || !(await queue.settle(tx, job, { body: tried, columns: { due } }))) return undefined
        if (waitMs !== undefined && status !== gone) return 'waiting'
        return end(tx, endpoint, id, { ...ended, state: 'failed' })
      }),
    /** Schedules a delivery again under its id, unless it is being sent; returns whether it exists. */
    replay: (endpoint: string, id: string): Promise<boolean> =>
      store.transaction(async (tx) => {
        const pending = await tx.of(waiting).get(endpoint, id)
        if ((pending?.columns.until ?? 0) > now()) return true
        const message = pending?.body ?? (await tx.of(over).get(endpoint, id))?.body
        if (!message) return false
        const { type, payload, createdAt, last } = message
        await tx.of(over).remove(endpoint, id)
        if (!pending) await resize(tx, endpoint, bytesOf(message))
        await wait(tx, endpoint, id, { type, payload, createdAt, attempts: 0, ...(last && { last }) }, now())
        return true
      }),
    list: (endpoint: string, limit: number, state?: Delivery['state']) =>
      listNewest(store, endpoint, limit, state),
    /** Counts the pending deliveries of an endpoint. */
    waiting: (endpoint: string): Promise<number> => store.of(waiting).count(endpoint),
  }
}

export type Outbox = ReturnType<typeof createOutbox>

export const newestFirst = (deliveries: readonly Delivery[]): readonly Delivery[] =>
  deliveries.toSorted((a, b) => (a.id < b.id ? 1 : -1))

/** Stores a delivery that is due at a time, in milliseconds since 1970. */
const wait = (tx: Transaction, endpoint: string, id: string, body: Message, due: number): Promise<unknown> =>
  tx.of(waiting).put(endpoint, id, { body, columns: { ...unclaimed, due } })

const bytesOf = ({ payload }: MessageContent): number => Buffer.byteLength(payload)

/** Reads the bytes of the pending messages that were stored before they were counted. */
async function sizeOf(tx: Transaction, endpoint: string): Promise<number> {
  let bytes = 0
  let rows = await tx.of(waiting).list(endpoint, { limit: batch })
  while (rows.length > 0) {
    for (const { body } of rows) bytes += bytesOf(body)
    rows = await tx.of(waiting).list(endpoint, { limit: batch, after: rows.at(-1)?.key ?? '' })
  }
  return bytes
}

/** Changes the bytes of the pending messages of an endpoint; returns their number. */
async function resize(tx: Transaction, endpoint: string, change: number): Promise<number> {
  const stored = await tx.of(sizes).get(sizeScope, endpoint)
  const bytes = (stored?.body.bytes ?? (await sizeOf(tx, endpoint))) + change
  await tx.of(sizes).put(sizeScope, endpoint, { body: { bytes }, columns: {} })
  return bytes
}

/** Lists the newest deliveries of an endpoint, newest first. */
async function listNewest(
  store: Store,
  endpoint: string,
  limit: number,
  state?: Delivery['state'],
): Promise<readonly Delivery[]> {
  const query = { descending: true, limit }
  const pending =
    state === undefined || state === 'waiting' ? await store.of(waiting).list(endpoint, query) : []
  const ended =
    state === 'waiting'
      ? []
      : await store.of(over).list(endpoint, { ...query, ...(state && { where: { state } }) })
  const deliveries = [
    ...pending.map(({ key: id, body, columns }): Delivery => ({
      ...body,
      id,
      endpoint,
      state: 'waiting',
      nextAttemptAt: new Date(columns.due).toISOString(),
      interrupted: columns.interrupted || undefined,
    })),
    ...ended.map(({ key: id, body }): Delivery => ({ ...body, id, endpoint })),
  ]
  return newestFirst(deliveries).slice(0, limit)
}
