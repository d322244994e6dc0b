import type { Clock, Ids } from '../../kernel/index.ts'
import type { ChangeEvent } from '../draft/port.ts'
import type { LoggedPublish } from '../publish/port.ts'
import { defineCollection, trusted, type Store, type Transaction } from '../store/port.ts'
import type { EventType, WebhookOptions } from './settings.ts'

/** What became of one attempt: the status of the answer, or why there was none. */
export interface Attempt {
  readonly at: string
  readonly milliseconds: number
  readonly status?: number
  readonly failure?: string
  /** Milliseconds that the receiver asks to be left alone. */
  readonly pause?: number
}

/** A message for one endpoint. */
export interface Message {
  readonly type: EventType
  /** JSON, sent as it is. */
  readonly payload: string
  readonly createdAt: string
  readonly attempts: number
  readonly last?: Attempt
}

/** What a message says. */
export type Content = Pick<Message, 'type' | 'payload'>

interface Waiting extends Message {
  /** While it is being sent, by this process or another one: when others may take it over. */
  readonly claimedUntil?: number
}

interface Over extends Message {
  readonly state: 'delivered' | 'failed'
}

/** A delivery as lists show it. */
export interface Delivery extends Message {
  readonly id: string
  readonly endpoint: string
  readonly state: 'waiting' | Over['state']
  readonly nextAttemptAt?: string
}

/** A delivery that this process may send until its time is over. */
export interface Claimed {
  readonly id: string
  readonly message: Message
  /** The version of its row; another one says that somebody else took it over. */
  readonly version: number
}

/** Under (endpoint, id): what is to be sent, with the time in milliseconds from which on it may be. */
const waiting = defineCollection('webhook_waiting', trusted<Waiting>(), { columns: { due: 'integer' }, indexes: ['due'] })
const over = defineCollection('webhook_over', trusted<Over>(), { columns: { state: 'text' } })

const millisecondsADay = 24 * 60 * 60 * 1000
const gone = 410

/** Ids sort by the time at which they were made, and those of one process by the order of what they tell. */
const idAt = (time: number, rest = ''): string => `msg_${time.toString(36).padStart(9, '0')}${rest}`

/** What an endpoint was or is to be sent. Deliveries that are over go after a time, and beyond a number. */
export function createOutbox({ store, clock, ids, options }: { readonly store: Store; readonly clock: Clock; readonly ids: Ids; readonly options: WebhookOptions }) {
  const now = (): number => clock.now().getTime()
  /** An attempt has as long again to be written down before others take it over. */
  const lease = 2 * options.timeoutMs
  let newest = 0

  const end = async (tx: Transaction, endpoint: string, id: string, body: Over): Promise<Over['state']> => {
    const kept = tx.of(over)
    await tx.of(waiting).remove(endpoint, id)
    await kept.put(endpoint, id, { body, columns: { state: body.state } })
    await kept.clear(endpoint, { before: idAt(now() - options.keptDays * millisecondsADay) })
    const surplus = (await kept.count(endpoint)) - options.keptDeliveries
    if (surplus > 0) for (const { key } of await kept.rows(endpoint, { limit: surplus })) await kept.remove(endpoint, key)
    return body.state
  }

  return {
    /** Adds a message in the transaction of what it tells. */
    async add(tx: Transaction, endpoint: string, { type, payload }: Content): Promise<void> {
      const at = clock.now()
      newest = Math.max(at.getTime(), newest + 1)
      const id = idAt(newest, `_${ids.uuid().replaceAll('-', '')}`)
      await tx.of(waiting).put(endpoint, id, { body: { type, payload, createdAt: at.toISOString(), attempts: 0 }, columns: { due: at.getTime() } })
    },
    /** Takes what is due, as much as is wanted; `next` is when the first of the others will be. All of it is durable then. */
    claim: (endpoint: string, limit: number): Promise<{ readonly claimed: readonly Claimed[]; readonly next: number | undefined }> =>
      store.transaction(async (tx) => {
        const time = now()
        const rows = await tx.of(waiting).list(endpoint, { orderBy: 'due', limit: limit + 1 })
        const due = rows.slice(0, limit).filter(({ columns }) => columns.due <= time)
        const claimed: Claimed[] = []
        for (const { key: id, body: message } of due) {
          const until = time + lease
          const version = await tx.of(waiting).put(endpoint, id, { body: { ...message, claimedUntil: until }, columns: { due: until } })
          claimed.push({ id, message, version })
        }
        return { claimed, next: rows[due.length]?.columns.due }
      }),
    /** Writes down what became of an attempt, and gives the state of its delivery; `undefined` where somebody else has it. */
    settle: (endpoint: string, { id, message, version }: Claimed, last: Attempt): Promise<Delivery['state'] | undefined> =>
      store.transaction(async (tx) => {
        const row = await tx.of(waiting).get(endpoint, id)
        if (!row) return undefined
        const { status = 0 } = last
        const tried = { ...message, attempts: message.attempts + 1, last }
        if (status >= 200 && status < 300) return end(tx, endpoint, id, { ...tried, state: 'delivered' })
        if (row.version !== version) return undefined
        const wait = options.retryAfterMs[message.attempts]
        if (wait === undefined || status === gone) return end(tx, endpoint, id, { ...tried, state: 'failed' })
        await tx.of(waiting).put(endpoint, id, { body: tried, columns: { due: now() + Math.max(wait, last.pause ?? 0) } })
        return 'waiting'
      }),
    /** Gives back what was not sent after all. */
    release: (endpoint: string, { id, message, version }: Claimed): Promise<void> =>
      store.transaction(async (tx) => {
        if ((await tx.of(waiting).get(endpoint, id))?.version !== version) return
        await tx.of(waiting).put(endpoint, id, { body: message, columns: { due: now() } })
      }),
    /** Lets a delivery be sent again under its id, as soon as can be; says whether it is there. What is being sent stays as it is. */
    replay: (endpoint: string, id: string): Promise<boolean> =>
      store.transaction(async (tx) => {
        const pending = await tx.of(waiting).get(endpoint, id)
        if ((pending?.body.claimedUntil ?? 0) > now()) return true
        const message = pending?.body ?? (await tx.of(over).get(endpoint, id))?.body
        if (!message) return false
        const { type, payload, createdAt, last } = message
        await tx.of(over).remove(endpoint, id)
        await tx.of(waiting).put(endpoint, id, { body: { type, payload, createdAt, attempts: 0, ...(last && { last }) }, columns: { due: now() } })
        return true
      }),
    /** The newest deliveries of an endpoint, newest first. */
    async list(endpoint: string, limit: number, state?: Delivery['state']): Promise<readonly Delivery[]> {
      const newest = { descending: true, limit }
      const pending = state === undefined || state === 'waiting' ? await store.of(waiting).list(endpoint, newest) : []
      const ended = state === 'waiting' ? [] : await store.of(over).list(endpoint, { ...newest, ...(state && { where: { state } }) })
      const deliveries = [
        ...pending.map(({ key: id, body, columns }): Delivery => ({ ...body, id, endpoint, state: 'waiting', nextAttemptAt: new Date(columns.due).toISOString() })),
        ...ended.map(({ key: id, body }): Delivery => ({ ...body, id, endpoint })),
      ]
      return newestFirst(deliveries).slice(0, limit)
    },
    /** How many wait for an endpoint. */
    waiting: (endpoint: string): Promise<number> => store.of(waiting).count(endpoint),
  }
}

export type Outbox = ReturnType<typeof createOutbox>

export const newestFirst = (deliveries: readonly Delivery[]): readonly Delivery[] => deliveries.toSorted((a, b) => (a.id < b.id ? 1 : -1))

/** A change of a large draft names so many of its pages, and tells how many there are. */
const mostSlugs = 500

const toMessage = (type: Content['type'], timestamp: string, data: object): Content => ({ type, payload: JSON.stringify({ type, timestamp, data }) })

/** The message about a change: where it happened and which pages, never their content. */
export function changeMessage({ siteId, session, previewVersion: version, source, channel, slugs, removedSlugs = [], configChanged = false, at }: ChangeEvent): Content {
  const pages = { slugs: slugs.slice(0, mostSlugs), removedSlugs: removedSlugs.slice(0, mostSlugs), pageCount: slugs.length + removedSlugs.length }
  return toMessage('draft.changed', at, { siteId, session, version, source, channel, ...pages, configChanged })
}

/** The message about a publish; `triggered` says that its deployment may still fail, which is another message then. */
export function publishMessage({ id: { siteId, session }, publishId, status, version, target, slugs, at }: LoggedPublish): Content {
  const pages = { slugs: slugs.slice(0, mostSlugs), pageCount: slugs.length }
  return toMessage(status === 'failed' ? 'publish.failed' : 'publish.completed', at, { siteId, session, version, publishId, status, target, ...pages })
}
