import type { Transaction } from '../../store/port.ts'
import type { CachedDraft } from '../cache.ts'
import type { Head } from '../collections.ts'

/** A draft in a transaction, as its parts know it. */
export interface StagedDraft {
  readonly tx: Transaction
  readonly scope: string
  readonly cached: CachedDraft
  /** The head after the applied changes. */
  readonly head: Head
  /** Sends a write together with others; `flush` awaits them. */
  send(write: Promise<unknown>): Promise<void>
  flush(): Promise<void>
}
