import { modelTiers, type ModelClient, type TokenUsage } from '../../llm/port.ts'
import type { PricedCall } from '../../usage/port.ts'
import type { ModelSpending } from '../planners/planner.ts'

/** What a million tokens of a model cost in US dollars, for models whose names begin like this. */
export interface Price {
  readonly prefix: string
  readonly input: number
  readonly output: number
  /** What is written to the cache; a quarter more than other input unless it is said. */
  readonly cacheWrite?: number | undefined
  /** What is read from the cache; a tenth of other input unless it is said. */
  readonly cacheRead?: number | undefined
}

/** Prices to begin with; the operator sets current ones. */
export const defaultPrices: readonly Price[] = [
  { prefix: 'claude-haiku', input: 0.8, output: 4 },
  { prefix: 'claude-sonnet', input: 3, output: 15 },
  { prefix: 'claude-opus', input: 15, output: 75 },
]

/** The price of a model; the longest prefix counts. */
function priceOf(model: string, prices: readonly Price[]): Price | undefined {
  const fitting = prices.filter(({ prefix }) => model.startsWith(prefix))
  return fitting.toSorted((a, b) => b.prefix.length - a.prefix.length)[0]
}

/** The models that may be asked and have no price. */
export function unpricedModels(client: ModelClient, prices: readonly Price[]): readonly string[] {
  const models = new Set([...modelTiers.map((tier) => client.modelOf(tier)), client.seeingModel])
  return [...models].filter((model) => !priceOf(model, prices))
}

/** What one call cost; `null` for a model without a price. */
export function costOf(spending: ModelSpending, prices: readonly Price[]): number | null {
  const price = priceOf(spending.model, prices)
  if (!price) return null
  const { input, output, cacheWrite = input * 1.25, cacheRead = input * 0.1 } = price
  const { inputTokens, outputTokens, cacheCreationInputTokens, cacheReadInputTokens } = spending
  return (inputTokens * input + outputTokens * output + cacheCreationInputTokens * cacheWrite + cacheReadInputTokens * cacheRead) / 1_000_000
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
  /** Every call with its price, for whoever keeps them. */
  calls(): readonly PricedCall[]
}

/** Starts a meter at nothing. */
export function createMeter(prices: readonly Price[]): Meter {
  const all: ModelSpending[] = []
  const sum = (count: (spending: ModelSpending) => number): number => all.reduce((total, spending) => total + count(spending), 0)
  return {
    add: (spending) => void all.push(spending),
    calls: () => all.map((each) => ({ ...each, estimatedUsd: costOf(each, prices) })),
    total() {
      const inputTokens = sum((each) => each.inputTokens)
      const outputTokens = sum((each) => each.outputTokens)
      const cacheCreationInputTokens = sum((each) => each.cacheCreationInputTokens)
      const cacheReadInputTokens = sum((each) => each.cacheReadInputTokens)
      const costs = all.map((each) => costOf(each, prices))
      return {
        calls: all.length,
        inputTokens,
        outputTokens,
        totalTokens: inputTokens + outputTokens,
        cacheCreationInputTokens,
        cacheReadInputTokens,
        estimatedUsd: costs.reduce<number | null>((total, cost) => (total === null || cost === null ? null : total + cost), 0),
      }
    },
  }
}
