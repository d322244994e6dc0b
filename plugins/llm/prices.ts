import * as v from 'valibot'
import type { TokenUsage } from './model.ts'

const amount = v.pipe(v.number(), v.finite(), v.minValue(0))

/** US dollars per million tokens, for models whose names start with a prefix. */
export const Prices = v.array(v.object({
  prefix: v.pipe(v.string(), v.nonEmpty()),
  input: amount,
  output: amount,
  /** Default: 1.25 times the input price. */
  cacheWrite: v.optional(amount),
  /** Default: a tenth of the input price. */
  cacheRead: v.optional(amount),
}))
export type Price = Readonly<v.InferOutput<typeof Prices>[number]>

/**
 * The default prices, from https://platform.claude.com/docs/en/about-claude/pricing on 2026-10-24; the operator configures
 * current ones. The price of `claude-haiku-5-5` applies to prompts of up to 100,000 tokens.
 */
export const defaultPrices: readonly Price[] = [
  { prefix: 'claude-haiku-4-5', input: 1, output: 5 },
  { prefix: 'claude-haiku-5-5', input: 0.1, output: 0.5 },
  { prefix: 'claude-sonnet-4-5', input: 3, output: 15 },
  { prefix: 'claude-sonnet-4-6', input: 3, output: 15 },
  { prefix: 'claude-sonnet-5', input: 2, output: 10 },
  { prefix: 'claude-sonnet-5-5', input: 2, output: 10, cacheRead: 0.1 },
  { prefix: 'claude-opus-4-5', input: 5, output: 25 },
  { prefix: 'claude-opus-4-6', input: 5, output: 25 },
  { prefix: 'claude-opus-4-7', input: 5, output: 25 },
  { prefix: 'claude-opus-4-8', input: 5, output: 25 },
  { prefix: 'claude-opus-5', input: 5, output: 25 },
  { prefix: 'claude-opus-5-5', input: 4, output: 20, cacheRead: 0.2 },
  { prefix: 'claude-fable-5', input: 10, output: 50 },
  { prefix: 'claude-fable-5-1', input: 10, output: 50, cacheRead: 0.25 },
]

/** Returns the price of a model, by the longest matching prefix. */
export function priceOf(model: string, prices: readonly Price[]): Price | undefined {
  const matching = prices.filter(({ prefix }) => model.startsWith(prefix))
  return matching.toSorted((a, b) => b.prefix.length - a.prefix.length)[0]
}

/** The token usage of one call, and its model. */
export interface ModelSpending extends TokenUsage {
  readonly model: string
}

/** Returns the cost of a call in US dollars; `null` for a model without a price. */
export function costOf(spending: ModelSpending, prices: readonly Price[]): number | null {
  const price = priceOf(spending.model, prices)
  return price ? costAt(price, spending) : null
}

/** Returns the cost of a call towards a budget: an unknown price counts as the dearest known. */
export function countedCostOf(spending: ModelSpending, prices: readonly Price[]): number {
  return costOf(spending, prices) ?? Math.max(...[...prices, ...defaultPrices].map((price) => costAt(price, spending)))
}

function costAt({ input, output, cacheWrite = input * 1.25, cacheRead = input * 0.1 }: Price, spending: ModelSpending): number {
  const { inputTokens, outputTokens, cacheCreationInputTokens, cacheReadInputTokens } = spending
  return (inputTokens * input + outputTokens * output + cacheCreationInputTokens * cacheWrite + cacheReadInputTokens * cacheRead) / 1_000_000
}
