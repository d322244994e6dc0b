import { setTimeout as pause } from 'node:timers/promises'
import { readerOf, writerOf, type AnySpec, type Awaitable, type Table } from './access.ts'
import { pace, Refusal } from '../../kernel/index.ts'
import type { Json } from './documents.ts'
import type { AheadRead, Store, Transaction } from './port.ts'

/** What a store is made of: writes in groups, from `begin` to `commit` or `rollback`, with marks inside. */
export interface Engine {
  /** Durable documents. */
  committed(spec: AnySpec): Table
  /** Documents as the open group sees them. */
  staged(spec: AnySpec): Table
  /** The body of every durable document, one by one. */
  bodies(): AsyncIterable<Json>
  /** A value that changes with every commit. */
  commits(): Awaitable<number | string>
  /** Begins a group of so many transactions. */
  begin(transactions: number): Promise<void>
  /** Makes everything since `begin` durable; if it throws, `rollback` must follow. */
  commit(): Awaitable<void>
  /** Drops everything since `begin`, even if the engine has already done so. */
  rollback(): Awaitable<void>
  /** Sets a mark to roll back one transaction separately. */
  mark(): void
  /** Removes the mark and keeps the writes after it. */
  keep(): Awaitable<void>
  /** Drops the writes after the mark. */
  undo(): Awaitable<void>
  /** The failure that prevents the commit of the open group. */
  failure(): Error | undefined
  /** Whether the open group failed only because another process was faster, and can be run again. */
  mayRepeat?(): boolean
  /** Reads documents for all transactions of the open group at once. */
  readAhead?(reads: readonly AheadRead[]): void
  /** Whether the writes of the open group are sent at once, and the commit fails with any of them. */
  sendsAhead?(): boolean
  /** Writes a test value, to check whether writing is possible. */
  touch(): Awaitable<void>
}

/** The maximum number of transactions in one commit, which limits how long the event loop is blocked. */
const groupSize = 256
/** Milliseconds, or up to twice as many, that a transaction may wait for anything but the store. */
const patienceMs = 5000
/** How often a group is run while other processes are faster. */
const attempts = 20

interface QueuedTransaction {
  /** Runs inside the open group; resolves with a function to answer the caller once the group is durable. */
  run(): Promise<() => void>
  fail(error: unknown): void
  readonly reads: (() => readonly AheadRead[]) | undefined
}

/**
 * Runs transactions one after another, with one commit for all transactions of an event-loop tick.
 *
 * The transactions of a tick run at its end, in order: each sees the writes of earlier ones, and each can be
 * rolled back separately. All are answered after the commit, even those that only read or failed, because
 * they saw writes that were not durable. If the commit fails, all of them fail with its reason. A transaction
 * that waits for anything but the store is aborted after five seconds, because all others wait for it.
 */
function createGroupCommit(engine: Engine): Store['transaction'] {
  const waiting: QueuedTransaction[] = []
  let giveUp: (error: Error) => void = () => {}
  let isWorking = false
  let scheduled = false

  async function drain(): Promise<void> {
    const watchdog = setInterval(() => {
      if (!isWorking) giveUp(new Error('A transaction waited for something that is not the store.'))
      isWorking = false
    }, patienceMs)
    await commitGroup(engine, waiting.splice(0, groupSize))
    clearInterval(watchdog)
    scheduled = waiting.length > 0
    if (scheduled) setImmediate(drain)
  }

  return <R>(run: (transaction: Transaction) => Promise<R>, reads?: () => readonly AheadRead[]) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({
        async run() {
          const session = openSession(engine, () => void (isWorking = true))
          try {
            const value = await new Promise<R>((done, failed) => {
              giveUp = failed
              run(session.transaction).then(done, failed)
            })
            await session.end('keep')
            return () => resolve(value)
          } catch (error) {
            await session.end('undo')
            return () => reject(error)
          }
        },
        fail: reject,
        reads,
      })
      if (!scheduled) setImmediate(drain)
      scheduled = true
    })
}

async function commitGroup(engine: Engine, group: readonly QueuedTransaction[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    const answers: (() => void)[] = []
    try {
      await engine.begin(group.length)
      engine.readAhead?.(group.flatMap(({ reads }) => reads?.() ?? []))
      for (const queued of group) answers.push(await queued.run())
      await engine.commit()
    } catch (error) {
      const mayRepeat = tries < attempts && engine.mayRepeat?.() === true
      await engine.rollback()
      if (mayRepeat) {
        await pause(tries * Math.random() * 10)
        continue
      }
      for (const queued of group) queued.fail(error)
      return
    }
    for (const answer of answers) answer()
    return
  }
}

/** Opens the group to one transaction. Its first write sets the mark; `end` revokes its access. */
function openSession(
  engine: Engine,
  onUse: () => void,
): { readonly transaction: Transaction; end(how: 'keep' | 'undo'): Promise<void> } {
  let open = true
  let marked = false
  const left: Promise<unknown>[] = []
  /** Writes that are sent at once, and that an engine which sends ahead fails unless they change a document. */
  const sent = new WeakSet<Promise<unknown>>()
  let lost: { readonly error: unknown } | undefined
  return {
    transaction: {
      of(spec) {
        const table = () => {
          if (!open) throw new Error('This transaction is over; await everything that it does inside it.')
          onUse()
          return engine.staged(spec)
        }
        const writer = writerOf(spec, table, () => {
          const writable = table()
          if (!marked) engine.mark()
          marked = true
          return writable
        })
        const put: typeof writer.put = (scope, key, document, options) => {
          const write = writer.put(scope, key, document, options)
          if ((options?.expect ?? 0) === 0) sent.add(write)
          return write
        }
        return { ...writer, put }
      },
      leave(writes) {
        left.push(...writes)
        for (const write of writes) write.catch((error: unknown) => (lost ??= { error }))
      },
    },
    async end(how) {
      await Promise.allSettled(engine.sendsAhead?.() ? left.filter((write) => !sent.has(write)) : left)
      open = false
      const failure = engine.failure()
      if (failure) throw failure
      if (lost && how === 'keep') throw lost.error
      if (marked) await engine[how]()
    },
  }
}

/** Creates a store over an engine; `shared` means that other processes write to the same place. */
export function createStoreOver(engine: Engine, { shared }: { readonly shared: boolean }): Store {
  const transaction = createGroupCommit(engine)
  return {
    shared,
    of: (spec) => readerOf(spec, () => engine.committed(spec)),
    transaction,
    async *texts() {
      for await (const json of engine.bodies()) {
        yield typeof json === 'string' ? json : Buffer.from(json).toString()
        await pace()
      }
    },
    commits: async () => engine.commits(),
    async health() {
      try {
        await transaction(async () => engine.touch())
        return 'ok'
      } catch (error) {
        return error instanceof Refusal ? error.reason : 'The store fails; see the log for the cause.'
      }
    },
  }
}
