import type { Meter } from '../metrics/port.ts'
import type { PricedCall } from './port.ts'
import type { Counts } from './schemas.ts'

export const nothing: Counts = {
  runs: 0, calls: 0, inputTokens: 0, outputTokens: 0, cacheCreationInputTokens: 0, cacheReadInputTokens: 0, estimatedUsd: 0,
}

/** The sum of two counts; an unknown cost makes the sum unknown. */
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

/** The counts of one run from its calls. */
export function countsOf(calls: readonly PricedCall[], runs: 0 | 1 = 1): Counts {
  return calls.reduce<Counts>((sum, call) => plus(sum, { ...call, runs: 0, calls: 1 }), { ...nothing, runs })
}

const kinds = { input: 'inputTokens', output: 'outputTokens', cache_write: 'cacheCreationInputTokens', cache_read: 'cacheReadInputTokens' } as const

/** Counts model usage since the process started; a call without a price adds nothing to the cost. */
export function createModelMeters(): { count(calls: readonly PricedCall[]): void } & Readonly<Record<'calls' | 'tokens' | 'cost', Meter>> {
  const totals = new Map<string, Counts>()
  const perModel = (of: (counts: Counts) => number) => () => [...totals].map(([model, counts]) => ({ labels: { model }, value: of(counts) }))
  return {
    count(calls) {
      for (const call of calls) {
        const { model, estimatedUsd } = call
        totals.set(model, plus(totals.get(model) ?? nothing, countsOf([{ ...call, estimatedUsd: estimatedUsd ?? 0 }])))
      }
    },
    calls: { name: 'orchestrator_model_calls_total', help: 'Calls of language models.', kind: 'counter', labels: ['model'], read: perModel(({ calls }) => calls) },
    tokens: {
      name: 'orchestrator_model_tokens_total',
      help: 'Tokens read and written by language models.',
      kind: 'counter',
      labels: ['model', 'kind'],
      read: () => [...totals].flatMap(([model, counts]) => Object.entries(kinds).map(([kind, key]) => ({ labels: { model, kind }, value: counts[key] }))),
    },
    cost: {
      name: 'orchestrator_model_cost_usd_total',
      help: 'Cost of language models with known prices, in US dollars.',
      kind: 'counter',
      labels: ['model'],
      read: perModel(({ estimatedUsd }) => estimatedUsd ?? 0),
    },
  }
}
