import type { Clock, Ids } from '../../kernel/index.ts'
import {
  defineCollection,
  trusted,
  type Channel,
  type Document,
  type Store,
  type Transaction,
} from '../store/port.ts'
import { checked, createMemoryBus, type BusLog } from './memory.ts'
import type { Bus } from './port.ts'

/** What one process has published for the others, by time. */
export const Sent = defineCollection('bus_events', trusted<SentEvent>(), { columns: {} })
interface SentEvent {
  readonly id: string
  readonly payload: unknown
}
const scope = 'all'

/** How long an event is stored for disconnected processes; older changes are read from the log of a draft. */
const retentionMs = 10 * 60_000
/** How often old events are removed. */
const sweepMs = 60_000
/** How many events are read at once after a lost connection. */
const mostAtOnce = 100
/** How far clocks and commits of processes may be apart. */
const overlapMs = 15_000

interface SharedGiven {
  readonly store: Store
  readonly channel: Channel
  readonly clock: Clock
  readonly ids: Ids
  readonly log: BusLog
  readonly signal: AbortSignal
}

/**
 * Creates a bus between the processes of one store: an event is a row, and its key is sent to the others, who read the
 * row. Listeners of this process get it at once. After a lost connection the rows of the meantime are read, each once.
 */
export function createSharedBus({ store, channel, clock, ids, log, signal }: SharedGiven): Bus {
  const local = createMemoryBus({ log })
  const own = ids.uuid()
  /** Delivered keys that may be read again. */
  const seen = new Set<string>()
  let since = keyAt(clock.now().getTime())
  let turn: Promise<unknown> = Promise.resolve()

  const failed = (err: unknown): void => log.warn({ err }, 'event of another process not read')
  const inTurn = (work: () => Promise<void>): void => {
    turn = turn.then(work).catch(failed)
  }
  /** Keys that arrived while earlier events were read. */
  const incoming: string[] = []

  /** Reads events at once and delivers them in order; one that cannot be read does not stop the others. */
  async function take(keys: readonly string[]): Promise<void> {
    const fresh = keys.filter((key) => !key.endsWith(own) && !seen.has(key))
    const reads = await Promise.allSettled(fresh.map((key) => store.of(Sent).get(scope, key)))
    for (const read of reads) {
      if (read.status === 'rejected') failed(read.reason)
      else if (read.value) deliver(read.value)
    }
  }

  function deliver(row: Pick<Document<SentEvent, {}>, 'key' | 'body'>): void {
    try {
      const { id, payload } = row.body
      seen.add(row.key)
      if (row.key > since) since = row.key
      local.receive(id, payload)
    } catch (error) {
      failed(error)
    }
  }

  async function catchUp(): Promise<void> {
    const missed = (await store.of(Sent).rows(scope, { after: overlapBefore(since) })).map(({ key }) => key)
    while (missed.length > 0) await take(missed.splice(0, mostAtOnce))
  }

  async function sweep(): Promise<void> {
    const before = keyAt(clock.now().getTime() - retentionMs)
    const settled = overlapBefore(since)
    for (const key of seen) if (key < settled) seen.delete(key)
    await store.transaction((tx) => tx.of(Sent).clear(scope, { before }))
  }

  channel.listen(
    (key) => {
      if (incoming.push(key) === 1) inTurn(() => take(incoming.splice(0)))
    },
    () => inTurn(catchUp),
    { signal },
  )
  const timer = setInterval(() => inTurn(sweep), sweepMs)
  timer.unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })

  const newKey = (): string => `${keyAt(clock.now().getTime())}-${ids.uuid()}-${own}`
  const write = (tx: Transaction, key: string, id: string, payload: unknown) =>
    tx.of(Sent).put(scope, key, { body: { id, payload }, columns: {} })

  return {
    async publish(event, payload) {
      const [key, parsed] = [newKey(), checked(event, payload)]
      await local.publish(event, parsed)
      await store.transaction((tx) => write(tx, key, event.id, parsed))
      await channel.send(key)
    },
    prepare(tx, event, payload) {
      const [key, parsed] = [newKey(), checked(event, payload)]
      const publish = async () => {
        await local.publish(event, parsed)
        await channel.send(key)
      }
      return { written: write(tx, key, event.id, parsed), publish }
    },
    subscribe: local.subscribe,
    health: async () => (await channel.health()) ?? 'ok',
  }
}

/** The first part of a key, which sorts by time. */
const keyAt = (ms: number): string => String(Math.max(0, ms)).padStart(15, '0')
/** The first key that is read again after a lost connection, if `since` was the last one. */
const overlapBefore = (since: string): string => keyAt(Number.parseInt(since, 10) - overlapMs)
