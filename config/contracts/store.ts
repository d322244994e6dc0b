import type { ContractTest } from '../../kernel/testing.ts'
import { documentsContract, type OpenStore } from './store-documents.ts'
import { rangesContract } from './store-ranges.ts'
import { transactionsContract } from './store-transactions.ts'

/**
 * The contract of every store, on any engine. The test runner is a parameter, because the suite is shipped
 * and the runner is not.
 */
export async function storeContract<T extends ContractTest>(t: T, open: OpenStore<T>): Promise<void> {
  await documentsContract(t, open)
  await rangesContract(t, open)
  await transactionsContract(t, open)
}
