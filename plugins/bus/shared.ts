import { messageOf, type Clock, type Ids } from '../../kernel/index.ts'
import { defineCollection, trusted, type Channel, type Store } from '../store/port.ts'
import { checked, createMemoryBus, type BusLog } from './memory.ts'
import type { Bus } from './port.ts'

/** What one process has published for the others, by time. */
const Sent = defineCollection('bus_events', trusted<{ readonly id: string; readonly payload: unknown }>(), {
  columns: {},
})
const scope = 'all'

/** How long an event is kept for processes that were disconnected; older changes are read from the log of a draft. */
const keptMs = 10 * 60_000
/** How often old events are removed. */
const sweepMs = 60_000
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
  const seen = new Set<string>()
  let since = keyAt(clock.now().getTime())
  let turn: Promise<unknown> = Promise.resolve()

  const failed = (err: unknown): void => log.warn({ err }, 'event of another process not read')
  /** Events are read one after the other, in the order in which their keys arrive. */
  const inTurn = (work: () => Promise<void>): void => {
    turn = turn.then(work).catch(failed)
  }

  async function take(key: string): Promise<void> {
    if (key.endsWith(own) || seen.has(key)) return
    const found = await store.of(Sent).get(scope, key)
    if (!found) return
    seen.add(key)
    if (key > since) since = key
    local.receive(found.body.id, found.body.payload)
  }

  async function catchUp(): Promise<void> {
    const from = keyAt(Number.parseInt(since, 10) - overlapMs)
    for (const { key } of await store.of(Sent).rows(scope, { after: from })) await take(key).catch(failed)
  }

  async function sweep(): Promise<void> {
    const before = keyAt(clock.now().getTime() - keptMs)
    for (const key of seen) if (key < before) seen.delete(key)
    await store.transaction((tx) => tx.of(Sent).clear(scope, { before }))
  }

  channel.listen(
    (key) => inTurn(() => take(key)),
    () => inTurn(catchUp),
    { signal },
  )
  const timer = setInterval(() => inTurn(sweep), sweepMs)
  timer.unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })

  return {
    async publish(event, payload) {
      const parsed = checked(event, payload)
      const key = `${keyAt(clock.now().getTime())}-${ids.uuid()}-${own}`
      await local.publish(event, parsed)
      await store.transaction((tx) =>
        tx.of(Sent).put(scope, key, { body: { id: event.id, payload: parsed }, columns: {} }),
      )
      await channel.send(key)
    },
    subscribe: local.subscribe,
    async health() {
      try {
        return (await channel.health()) ?? 'ok'
      } catch (error) {
        return messageOf(error)
      }
    },
  }
}

/** The first part of a key, which sorts by time. */
const keyAt = (ms: number): string => String(Math.max(0, ms)).padStart(15, '0')
