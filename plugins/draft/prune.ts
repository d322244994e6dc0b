import { answers, changes, type Limits, versionKey } from './collections.ts'
import type { DraftTransaction } from './transaction.ts'

/** Milliseconds until the answer under an idempotency key expires. */
export const answerLifetimeMs = 24 * 60 * 60 * 1000
/** The number of changes between two prunings; most commits prune nothing. */
export const prunedEvery = 64

/** The maximum bytes of records that a transaction deletes, and the overhead counted per record. */
const maxReleasedBytes = 32 * 1024 * 1024
const bytesPerRecord = 32 * 1024

/**
 * Deletes the oldest changes over the maximum bytes. If it `isDue`, also deletes the oldest changes over the
 * maximum number, and answers older than a day.
 */
export async function prune(
  draft: DraftTransaction,
  { isDue, limits, now }: { readonly isDue: boolean; readonly limits: Limits; readonly now: Date },
): Promise<void> {
  const { tx, scope } = draft
  const { version, sizes } = draft.head
  const first = isDue ? version - limits.keptChangesPerDraft + 1 : 0
  const most = limits.keptChangeBytesPerDraft
  if (sizes.oldest < first || sizes.records > most) await releaseRecords(draft, first, most)
  if (!isDue) return
  const oldest = new Date(now.getTime() - answerLifetimeMs).toISOString()
  for (const { key, columns } of await tx
    .of(answers)
    .rows(scope, { orderBy: 'at', limit: 2 * prunedEvery })) {
    if (columns.at < oldest) await tx.of(answers).remove(scope, key)
  }
}

/** Deletes the records before `first`, and more while the rest exceeds `most` bytes; never the newest. */
async function releaseRecords(draft: DraftTransaction, first: number, most: number): Promise<void> {
  const { tx, scope } = draft
  const { version } = draft.head
  let { records, oldest } = draft.head.sizes
  const before = oldest
  for (
    let remaining = maxReleasedBytes;
    remaining > 0 && oldest < version && (oldest < first || records > most);
    oldest++
  ) {
    const size = (await draft.change(oldest))?.bytes.byteLength ?? 0
    records -= size
    remaining -= size + bytesPerRecord
  }
  if (oldest === before) return
  await tx.of(changes).clear(scope, { before: versionKey(oldest) })
  draft.resize({ records, oldest })
}
