import { pace } from '../../kernel/index.ts'
import { type DraftId, draftKey } from '../scope/port.ts'
import type { AheadRead, Transaction } from '../store/port.ts'
import { answers, heads } from './collections.ts'
import type { DraftsContext } from './context.ts'
import { prune, prunedEvery } from './prune.ts'
import { DraftTransaction } from './transaction.ts'

/** One of several changes of a draft in the same transaction. */
interface QueuedChange {
  /** The key under which its answer may be stored. */
  readonly key: string | undefined
  /** Changes the draft or leaves it unchanged; resolves with a function to call once that is durable. */
  run(draft: DraftTransaction): Promise<() => void>
  fail(error: unknown): void
}

/** The failure of one change after it has written: only a transaction without it has no part of it. */
export class LateFailure extends Error {
  change: QueuedChange | undefined

  constructor(cause: unknown) {
    super('a change failed after it was written', { cause })
  }
}

/**
 * Changes of a draft that arrive before its transaction begins share it and run in order: each sees the earlier
 * ones, and a refused change writes nothing. One that fails after it has written is left out, and the transaction is
 * repeated without it. No change is answered before all are durable.
 */
export function createQueues(context: DraftsContext): (id: DraftId, change: QueuedChange) => void {
  const { store, cache, limits } = context
  /** Changes whose transaction has not started, by draft. */
  const waiting = new Map<string, QueuedChange[]>()

  async function settle(id: DraftId, scope: string, queued: readonly QueuedChange[]): Promise<void> {
    const begin = (): void => {
      if (waiting.get(scope) === queued) waiting.delete(scope)
    }
    /** The changes to leave out, with their errors. */
    const failed = new Map<QueuedChange, unknown>()
    let isRepeated = false
    const run = (tx: Transaction) => {
      begin()
      // Another process was faster, or a change was left out: the cache may have other content under this version.
      if (isRepeated) cache.forget(scope)
      isRepeated = true
      const taken = queued.filter((change) => !failed.has(change))
      return runAll(tx, id, taken, context)
    }
    let done: Awaited<ReturnType<typeof runAll>> | undefined
    try {
      while (!done) {
        try {
          done = await store.transaction(run, () => readsOf(id, queued))
        } catch (error) {
          // The store may be unable to write the complete group.
          cache.forget(scope)
          if (!(error instanceof LateFailure) || !error.change) throw error
          failed.set(error.change, error.cause)
        }
      }
      done.draft.show()
      for (const [change, error] of failed) change.fail(error)
      for (const answer of done.answers) {
        await pace()
        answer()
      }
    } catch (error) {
      begin()
      for (const change of queued) change.fail(error)
    }
  }

  return (id, change) => {
    const scope = draftKey(id)
    const before = waiting.get(scope)
    if (before && before.length < limits.maxChangesPerTransaction) return void before.push(change)
    const queued = [change]
    waiting.set(scope, queued)
    void settle(id, scope, queued)
  }
}

/** What the transaction of a draft reads, as far as it is known before. */
const readsOf = (id: DraftId, queued: readonly QueuedChange[]): readonly AheadRead[] => [
  { spec: heads, scope: id.siteId, key: id.session },
  ...queued.flatMap(({ key }) => (key === undefined ? [] : { spec: answers, scope: draftKey(id), key })),
]

/** Runs changes of a draft in one transaction, and returns their answers. */
async function runAll(tx: Transaction, id: DraftId, taken: readonly QueuedChange[], context: DraftsContext) {
  const { clock, limits } = context
  const draft = await DraftTransaction.open(tx, id, context)
  const since = draft.head.version
  const answers: (() => void)[] = []
  try {
    for (const change of taken) {
      await pace()
      const answer = await change.run(draft).catch((error: unknown) => {
        if (error instanceof LateFailure) error.change = change
        throw error
      })
      answers.push(answer)
    }
    const { version, sizes } = draft.head
    const isDue = Math.floor(since / prunedEvery) !== Math.floor(version / prunedEvery)
    if (isDue || (version > since && sizes.records > limits.keptChangeBytesPerDraft))
      await prune(draft, { isDue, limits, now: clock.now() })
    await draft.close()
  } catch (error) {
    // The next transaction of the group must not see it.
    context.cache.forget(draft.scope)
    await draft.flush()
    throw error
  }
  return { draft, answers }
}
