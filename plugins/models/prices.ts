import * as v from 'valibot'
import type { TokenUsage } from './model.ts'
import { longestPrefix, models } from './models.ts'

const amount = v.pipe(v.number(), v.finite(), v.minValue(0))

/** US dollars per million tokens, for models whose names start with a prefix. */
export const Prices = v.array(
  v.object({
    prefix: v.pipe(v.string(), v.nonEmpty()),
    input: amount,
    output: amount,
    /** Default: 1.25 times the input price. */
    cacheWrite: v.optional(amount),
    /** Default: a tenth of the input price. */
    cacheRead: v.optional(amount),
  }),
)
export type Price = Readonly<v.InferOutput<typeof Prices>[number]>

/** The default prices; the operator configures current ones. */
export const defaultPrices: readonly Price[] = models.flatMap(({ prefix, price }) =>
  price ? [{ prefix, ...price }] : [],
)

/** Returns the price of a model, by the longest matching prefix. */
export const priceOf = (model: string, prices: readonly Price[]): Price | undefined =>
  longestPrefix(model, prices)

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
  return (
    costOf(spending, prices) ??
    Math.max(...[...prices, ...defaultPrices].map((price) => costAt(price, spending)))
  )
}

function costAt(
  { input, output, cacheWrite = input * 1.25, cacheRead = input * 0.1 }: Price,
  spending: ModelSpending,
): number {
  const { inputTokens, outputTokens, cacheCreationInputTokens, cacheReadInputTokens } = spending
  return (
    (inputTokens * input +
      outputTokens * output +
      cacheCreationInputTokens * cacheWrite +
      cacheReadInputTokens * cacheRead) /
    1_000_000
  )
}
