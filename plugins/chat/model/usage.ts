import { costOf, modelTiers, priceOf, type ModelClient, type ModelSpending, type Price, type TokenUsage } from '../../llm/port.ts'
import type { PricedCall } from '../../usage/port.ts'

/** The models that may be asked and have no price. */
export function unpricedModels(clients: readonly ModelClient[], prices: readonly Price[]): readonly string[] {
  const models = new Set(clients.flatMap((client) => [...modelTiers.map((tier) => client.modelOf(tier)), client.seeingModel]))
  return [...models].filter((model) => !priceOf(model, prices))
}

/** What all calls of a run took. */
export interface RunUsage extends TokenUsage {
  readonly calls: number
  readonly totalTokens: number
  /** `null` as soon as one of the models has no price. */
  readonly estimatedUsd: number | null
}

/** Adds up the calls of a run: every attempt, the router and repairs. */
export interface Meter {
  add(spending: ModelSpending): void
  total(): RunUsage
  /** Every call with its price. */
  calls(): readonly PricedCall[]
}

/** Starts a meter at nothing. */
export function createMeter(prices: readonly Price[]): Meter {
  const all: ModelSpending[] = []
  const sum = (count: keyof TokenUsage): number => all.reduce((total, spending) => total + spending[count], 0)
  return {
    add: (spending) => void all.push(spending),
    calls: () => all.map((each) => ({ ...each, estimatedUsd: costOf(each, prices) })),
    total() {
      const inputTokens = sum('inputTokens')
      const outputTokens = sum('outputTokens')
      const costs = all.map((each) => costOf(each, prices))
      return {
        calls: all.length,
        inputTokens,
        outputTokens,
        totalTokens: inputTokens + outputTokens,
        cacheCreationInputTokens: sum('cacheCreationInputTokens'),
        cacheReadInputTokens: sum('cacheReadInputTokens'),
        estimatedUsd: costs.reduce<number | null>((total, cost) => (total === null || cost === null ? null : total + cost), 0),
      }
    },
  }
}
