import type { PricedCall } from './port.ts'
import type { Counts } from './schemas.ts'

export const nothing: Counts = {
  runs: 0, calls: 0, inputTokens: 0, outputTokens: 0, cacheCreationInputTokens: 0, cacheReadInputTokens: 0, estimatedUsd: 0,
}

/** The counts of both; a cost that is not known makes the sum unknown. */
export function plus(a: Counts, b: Counts): Counts {
  return {
    runs: a.runs + b.runs,
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheCreationInputTokens: a.cacheCreationInputTokens + b.cacheCreationInputTokens,
    cacheReadInputTokens: a.cacheReadInputTokens + b.cacheReadInputTokens,
    estimatedUsd: a.estimatedUsd === null || b.estimatedUsd === null ? null : a.estimatedUsd + b.estimatedUsd,
  }
}

/** The counts of one run with these calls. */
export function countsOf(calls: readonly PricedCall[], runs: 0 | 1 = 1): Counts {
  return calls.reduce<Counts>((sum, call) => plus(sum, { ...call, runs: 0, calls: 1 }), { ...nothing, runs })
}
