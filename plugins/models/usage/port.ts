import { service } from '../../../kernel/index.ts'
import type { ModelSpending, Price } from '../port.ts'
import type { DraftId } from '../../scope/port.ts'

export { generationsSpent } from './refusals.ts'

/** A model call with its cost; `null` if its price is unknown. */
export interface PricedCall extends ModelSpending {
  readonly estimatedUsd: number | null
}

/** The budget of a day, from midnight to midnight UTC, and the amount spent. */
export interface Budget {
  readonly perDayUsd: number
  readonly spentUsd: number
}

/** Stores the token usage of models by day, site, session and model. */
export interface UsageLog {
  /**
   * Adds the calls of one run, including failed ones; ignores a run without calls. A run that reports in
   * several steps passes 0 as `runs` from the second one on.
   */
  add(id: DraftId, calls: readonly PricedCall[], runs?: 0 | 1): Promise<void>
  /** Adds a call without a draft, for the default session of the default site. Logs a failure to store it. */
  addCall(call: ModelSpending): Promise<void>
  /** Replaces the default prices from now on. */
  usePrices(prices: readonly Price[]): void
  /** `undefined` if no budget is configured. */
  budget(): Promise<Budget | undefined>
  /**
   * Counts one generated or described image, or one recording, for the caller identified by `shareHolder`;
   * unidentified callers share one limit. Refuses with 429 `rate_limited` beyond MEDIA_GENERATIONS_PER_MIN.
   */
  countGeneration(holder: string | undefined): Promise<void>
}

export const usage = service<UsageLog>('usage')
