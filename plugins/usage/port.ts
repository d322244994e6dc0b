import { service } from '../../kernel/index.ts'
import type { TokenUsage } from '../llm/port.ts'
import type { DraftId } from '../scope/port.ts'

/** One call of a model, with what it cost; `null` where nobody knows its price. */
export interface PricedCall extends TokenUsage {
  readonly model: string
  readonly estimatedUsd: number | null
}

/** What may be spent in a day, from midnight to midnight UTC, and what was. */
export interface Budget {
  readonly perDayUsd: number
  readonly spentUsd: number
}

/** Keeps what models took, by day, site, session and model. */
export interface UsageLog {
  /** Adds the calls of one run, the failed ones included. A run without a call leaves no trace. */
  add(id: DraftId, calls: readonly PricedCall[]): Promise<void>
  /** `undefined` where no budget is set. */
  budget(): Promise<Budget | undefined>
}

export const usage = service<UsageLog>('usage')
