import type { Transaction } from '../../store/port.ts'
import type { CachedDraft, StagedHead } from '../cache.ts'

/** A draft in a transaction, as its parts know it. */
export interface StagedDraft {
  readonly tx: Transaction
  readonly scope: string
  readonly cached: CachedDraft
  /** The head after the applied changes. */
  readonly state: StagedHead
  /** Sends a write together with others; `flush` awaits them. */
  send(write: Promise<unknown>): Promise<void>
  flush(): Promise<void>
}
