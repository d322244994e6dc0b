import { service } from '../../kernel/index.ts'
import type { ModelSpending, Price } from '../llm/port.ts'
import type { DraftId } from '../scope/port.ts'

/** One model call with its cost; `null` if its price is unknown. */
export interface PricedCall extends ModelSpending {
  readonly estimatedUsd: number | null
}

/** The budget of a day, from midnight to midnight UTC, and what was spent. */
export interface Budget {
  readonly perDayUsd: number
  readonly spentUsd: number
}

/** Stores the token usage of models by day, site, session and model. */
export interface UsageLog {
  /**
   * Adds the calls of one run, including failed ones; a run without calls is ignored. A run that reports in several steps passes
   * `runs` as 0 from the second one on.
   */
  add(id: DraftId, calls: readonly PricedCall[], runs?: 0 | 1): Promise<void>
  /** Adds a call without a draft, for the default session of the default site. A failure to store it is logged. */
  addCall(call: ModelSpending): Promise<void>
  /** Replaces the default prices from now on. */
  usePrices(prices: readonly Price[]): void
  /** `undefined` if no budget is configured. */
  budget(): Promise<Budget | undefined>
  /**
   * Counts one image to generate or describe, or one recording to transcribe, for the caller that `shareHolder` identifies; callers
   * that cannot be identified share one limit. Refuses with 429 `rate_limited` beyond MEDIA_GENERATIONS_PER_MIN.
   */
  countGeneration(holder: string | undefined): void
}

export const usage = service<UsageLog>('usage')
