import { service } from '../../kernel/index.ts'
import type { ModelSpending, Price } from '../llm/port.ts'
import type { DraftId } from '../scope/port.ts'

/** One call of a model, with what it cost; `null` where its price is not known. */
export interface PricedCall extends ModelSpending {
  readonly estimatedUsd: number | null
}

/** What may be spent in a day, from midnight to midnight UTC, and what was. */
export interface Budget {
  readonly perDayUsd: number
  readonly spentUsd: number
}

/** Keeps what models took, by day, site, session and model. */
export interface UsageLog {
  /**
   * Adds the calls of one run, the failed ones included. A run without a call leaves no trace; one that adds its calls as
   * they are made counts as 0 from the second time on.
   */
  add(id: DraftId, calls: readonly PricedCall[], runs?: 0 | 1): Promise<void>
  /** Adds a call that belongs to no draft; it counts for the default session of the default site. What cannot be kept is logged. */
  addCall(call: ModelSpending): Promise<void>
  /** Says what calls cost from now on, instead of the prices to begin with. */
  usePrices(prices: readonly Price[]): void
  /** `undefined` where no budget is set. */
  budget(): Promise<Budget | undefined>
  /**
   * Counts an image or a recording that a model is to make, describe or write down, for the caller that `shareHolder` names;
   * callers of whom nothing is known have one share together. Refuses with 429 `rate_limited` once MEDIA_GENERATIONS_PER_MIN are spent.
   */
  countGeneration(holder: string | undefined): void
}

export const usage = service<UsageLog>('usage')
