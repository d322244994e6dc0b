import type { Document, Store } from '../../store/port.ts'
import { EventLog, type LogLimits } from '../event-log.ts'
import { everyRun, keyOf, type Head, type Rows } from './rows.ts'

interface MirrorGiven<E extends object, A> {
  readonly id: string
  readonly store: Store
  readonly rows: Rows<E, A>
  readonly limits: LogLimits<E>
  readonly now: () => number
  readonly log: { warn(details: object, message: string): void }
}

const lookEveryMs = 2_000
/** How long a copy without readers is kept. */
const idleMs = 10_000
/** A run lives if its process has written something between so many looks: at least every four seconds. */
const looksUntilLost = 6

export type Mirror<E extends object> = ReturnType<typeof createMirror<E, unknown>>

/**
 * Creates a copy of the events of a run that another process has, for readers of this one. If that process ends, it ends
 * the run with the event that was recorded for this case.
 */
export function createMirror<E extends object, A>(given: MirrorGiven<E, A>) {
  const { id, store, rows, limits, now, log } = given
  const events = new EventLog<E>(limits)
  let reading: Promise<void> | undefined
  let version = 0
  let looks = 0
  let lookAt = now() + lookEveryMs
  let usedAt = now()

  async function read(): Promise<void> {
    const batches = await store.of(rows.events).list(id, { after: keyOf(events.last) })
    for (const { body } of batches) {
      if (body.after > events.last) events.skip(body.after)
      for (const event of body.events) events.append(event, body.isLast && event === body.events.at(-1))
    }
    if (!events.closed && now() >= lookAt) await look()
  }

  async function look(): Promise<void> {
    lookAt = now() + lookEveryMs
    const head = await store.of(rows.heads).get(everyRun, id)
    if (!head) return leave()
    looks = head.version === version ? looks + 1 : 0
    version = head.version
    if (looks >= looksUntilLost && head.body.phase !== 'ended') await declareLost(head)
  }

  async function declareLost({
    body,
    version,
    columns,
  }: Document<Head<E, A>, Rows<E, A>['heads']['columns']>) {
    const event = { ...body.lost, _seq: events.last + 1 }
    await store.transaction(async (tx) => {
      const batch = { after: events.last, events: [event], isLast: true }
      await tx.of(rows.events).put(id, keyOf(event._seq), { body: batch, columns: {} }, { expect: 0 })
      const head = {
        body: { ...body, owner: '', phase: 'ended' as const },
        columns: { ...columns, at: now() },
      }
      await tx.of(rows.heads).put(everyRun, id, head, { expect: version })
    })
    log.warn({ run: id }, 'run ended, because its process has ended')
  }

  function leave(): void {
    for (const reader of events.readers) reader.end()
  }

  /** Reads what was written in the meantime; one read at a time. */
  function readOnce(): Promise<void> {
    return (reading ??= read().finally(() => (reading = undefined)))
  }

  return {
    events,
    read: readOnce,
    /** Reads while there are readers, ends those that are done, and ends the run if its process has ended. */
    tick(): void {
      events.judge(now())
      if (events.readers.size === 0) return
      usedAt = now()
      if (!events.closed)
        readOnce().catch((err: unknown) => log.warn({ err, run: id }, 'run of another process not read'))
    },
    get isIdle(): boolean {
      return now() - usedAt > idleMs
    },
  }
}
