import type { TokenUsage } from '../llm/port.ts'

/** What one call of a model took. */
export interface ModelUsage extends TokenUsage {
  readonly model: string
}

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

/**
 * Prices to begin with, as https://platform.claude.com/docs/en/about-claude/pricing had them on 2026-10-24; the operator sets
 * current ones. That of `claude-haiku-5-5` holds for prompts of up to 100,000 tokens.
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

/** The price of a model; the longest prefix counts. */
export function priceOf(model: string, prices: readonly Price[]): Price | undefined {
  const fitting = prices.filter(({ prefix }) => model.startsWith(prefix))
  return fitting.toSorted((a, b) => b.prefix.length - a.prefix.length)[0]
}

/** What one call cost; `null` for a model without a price. */
export function costOf(call: ModelUsage, prices: readonly Price[]): number | null {
  const price = priceOf(call.model, prices)
  if (!price) return null
  const { input, output, cacheWrite = input * 1.25, cacheRead = input * 0.1 } = price
  const { inputTokens, outputTokens, cacheCreationInputTokens, cacheReadInputTokens } = call
  return (inputTokens * input + outputTokens * output + cacheCreationInputTokens * cacheWrite + cacheReadInputTokens * cacheRead) / 1_000_000
}
