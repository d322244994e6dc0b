import * as v from 'valibot'
import type { ContractTest } from '../../kernel/testing.ts'
import { documentsContract } from './contract-documents.ts'
import { rangesContract } from './contract-ranges.ts'
import { transactionsContract } from './contract-transactions.ts'
import { defineCollection, type Store } from './port.ts'

/** Opens an empty store for one test; closing it is the opener's matter. */
export type OpenStore<T extends ContractTest> = (t: T) => Promise<Store>

/**
 * What every store must do, whatever it is made of. The test runner is handed in: the suite is shipped, the
 * runner is not.
 */
export async function storeContract<T extends ContractTest>(t: T, open: OpenStore<T>): Promise<void> {
  await documentsContract(t, open)
  await rangesContract(t, open)
  await transactionsContract(t, open)
}

export const Notes = defineCollection('contract_notes', v.object({ text: v.string() }), {
  columns: { rank: 'integer', kind: 'text' },
  indexes: ['kind'],
})

export const Counters = defineCollection('contract_counters', v.object({ count: v.number() }), {
  columns: {},
})

/** A note as the suites write it. */
export function note(
  text: string,
  { rank = 0, kind = 'plain' } = {},
): {
  readonly body: { readonly text: string }
  readonly columns: { readonly rank: number; readonly kind: string }
} {
  return { body: { text }, columns: { rank, kind } }
}

/** Writes notes under their keys in one transaction. */
export async function write(
  store: Store,
  scope: string,
  notes: Readonly<Record<string, ReturnType<typeof note>>>,
): Promise<void> {
  await store.transaction(async (transaction) => {
    for (const [key, each] of Object.entries(notes)) await transaction.of(Notes).put(scope, key, each)
  })
}
