import * as v from 'valibot'

const count = v.optional(v.number())

/** What models took for a run, as results tell it; `null` dollars where the price of a model is not known. */
export const Spending = v.object({
  inputTokens: count,
  outputTokens: count,
  totalTokens: count,
  cacheCreationInputTokens: count,
  cacheReadInputTokens: count,
  estimatedUsd: v.nullish(v.number()),
})
