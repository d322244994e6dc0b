/** What the API accepts in calls of a model. */
export interface Traits {
  /** The configuration of reasoning: adaptive, by a number of tokens, or none. */
  readonly thinking: 'adaptive' | 'budget' | 'none'
  /** The setting that disables reasoning, for models that need one. */
  readonly stop?: 'disabled' | 'between_tools'
  /** True if a tool can be forced while reasoning is off. */
  readonly isForcible: boolean
  /** True if strict tools are supported. */
  readonly isStrict: boolean
  /** True if a temperature is supported while reasoning is off. */
  readonly isTempered?: true
}

/** US dollars per million tokens. */
interface ListPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
}

const byBudget: Traits = { thinking: 'budget', isForcible: true, isStrict: true, isTempered: true }
const adaptive: Traits = { thinking: 'adaptive', stop: 'disabled', isForcible: true, isStrict: true }
const newest: Traits = { thinking: 'adaptive', isForcible: false, isStrict: true }
const tempered: Traits = { ...adaptive, isTempered: true }

/**
 * The models of Anthropic, by prefixes of their names; the longest prefix with a trait or a price applies.
 *
 * Traits from https://platform.claude.com/docs/en/build-with-claude/thinking in November 2026, prices from
 * https://platform.claude.com/docs/en/about-claude/pricing on 2026-10-24; the operator configures current
 * ones. The price of `claude-haiku-5-5` applies to prompts of up to 100,000 tokens.
 */
export const models: readonly {
  readonly prefix: string
  readonly traits?: Traits
  readonly price?: ListPrice
}[] = [
  { prefix: 'claude-', traits: newest },
  { prefix: 'claude-3', traits: { ...byBudget, isStrict: false } },
  { prefix: 'claude-haiku-4', traits: byBudget },
  { prefix: 'claude-haiku-4-5', price: { input: 1, output: 5 } },
  { prefix: 'claude-haiku-5', traits: adaptive },
  { prefix: 'claude-haiku-5-5', price: { input: 0.1, output: 0.5 } },
  { prefix: 'claude-sonnet-4', traits: byBudget },
  { prefix: 'claude-sonnet-4-5', price: { input: 3, output: 15 } },
  { prefix: 'claude-sonnet-4-6', traits: tempered, price: { input: 3, output: 15 } },
  { prefix: 'claude-sonnet-5', traits: adaptive, price: { input: 2, output: 10 } },
  {
    prefix: 'claude-sonnet-5-5',
    traits: { ...newest, stop: 'between_tools' },
    price: { input: 2, output: 10, cacheRead: 0.1 },
  },
  { prefix: 'claude-opus-4', traits: byBudget },
  { prefix: 'claude-opus-4-5', price: { input: 5, output: 25 } },
  { prefix: 'claude-opus-4-6', traits: tempered, price: { input: 5, output: 25 } },
  { prefix: 'claude-opus-4-7', traits: adaptive, price: { input: 5, output: 25 } },
  { prefix: 'claude-opus-4-8', traits: adaptive, price: { input: 5, output: 25 } },
  { prefix: 'claude-opus-5', traits: adaptive, price: { input: 5, output: 25 } },
  { prefix: 'claude-opus-5-5', traits: newest, price: { input: 4, output: 20, cacheRead: 0.2 } },
  { prefix: 'claude-fable-5', price: { input: 10, output: 50 } },
  { prefix: 'claude-fable-5-1', price: { input: 10, output: 50, cacheRead: 0.25 } },
]

/** The models that are used unless a variable names others. */
export const defaultModels = {
  tiers: {
    fast: 'claude-haiku-5-5',
    balanced: 'claude-sonnet-5-5',
    reasoning: 'claude-sonnet-5-5',
    codex: 'claude-opus-5-5',
  },
  agent: { anthropic: 'claude-sonnet-4-6', openai: 'gpt-4o' },
  onboarding: { fast: 'claude-haiku-4-5-20251001', balanced: 'claude-sonnet-4-6' },
  openai: { seeing: 'gpt-4o', transcribing: 'gpt-4o-mini-transcribe', drawing: 'gpt-image-1-mini' },
  gemini: { seeing: 'gemini-2.5-flash', drawing: 'gemini-2.5-flash-image' },
} as const

/** Returns the entry whose prefix is the longest at the start of a model's name. */
export function longestPrefix<T extends { readonly prefix: string }>(
  model: string,
  entries: readonly T[],
): T | undefined {
  const matching = entries.filter(({ prefix }) => model.startsWith(prefix))
  return matching.toSorted((a, b) => b.prefix.length - a.prefix.length)[0]
}
