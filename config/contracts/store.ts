import type { ContractTest } from '../../kernel/testing.ts'
import type { Store } from '../../plugins/store/port.ts'
import { proveContract } from './contract.ts'
import { documents } from './store-documents.ts'
import { ranges } from './store-ranges.ts'
import { transactions } from './store-transactions.ts'

/** The contract of every store, on any engine; `open` returns an empty one. */
export const storeContract = <T extends ContractTest>(t: T, open: (t: T) => Promise<Store>): Promise<void> =>
  proveContract(t, open, { ...documents, ...ranges, ...transactions })
