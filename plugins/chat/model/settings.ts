import * as v from 'valibot'
import { readSwitch, wordVariable } from '../../../kernel/index.ts'
import { defaultPrices, type ModelTier, modelTiers, Prices } from '../../models/port.ts'

const thinkingTokens = { fewest: 1024, otherwise: 2048 }

/** Options of a plugin that plans with a model. */
export const ModelOptions = v.object({
  /** Dollars per million tokens, by the prefix of model names. */
  prices: v.optional(Prices),
  /** The maximum size of a request in bytes, without the rules, the site and the history. */
  requestBytes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1024)), 120 * 1024),
})
export type ModelOptions = v.InferOutput<typeof ModelOptions>

export const ModelVariables = v.object({
  CHAT_MODEL_KEY: v.pipe(
    v.optional(v.string()),
    v.metadata({ otherwise: 'balanced' }),
    v.description(`The tier of requests that choose none: ${modelTiers.join(', ')}.`),
  ),
  OPENAI_MODEL_KEY: v.pipe(v.optional(v.string()), v.description('The older name of `CHAT_MODEL_KEY`.')),
  CHAT_AUTO_REASONING: wordVariable(
    'on',
    '`off` keeps models of the tier `reasoning` from thinking before they answer.',
  ),
  CHAT_AUTO_REASONING_BUDGET: wordVariable(
    '2048',
    'How many tokens a model may think, at least 1024; of Anthropic, models that decide it by themselves think as hard as their tier asks for.',
  ),
  CHAT_INCREMENTAL_PLAN_STREAM: wordVariable('on', '`off` shows a plan only when it is complete.'),
  CHAT_STRICT_PRIMARY_OP_MODE: wordVariable('off', '`on` asks models for one operation a plan.'),
})
export type ModelVariables = v.InferOutput<typeof ModelVariables>
type Warn = (variable: keyof ModelVariables) => void

/** Reads options and variables. An invalid value leaves the default, and calls `warn` with its variable. */
export function toSettings(env: ModelVariables, { prices, requestBytes }: ModelOptions, warn: Warn) {
  const isOn = (name: keyof ModelVariables, otherwise: boolean): boolean =>
    readSwitch(env[name] ?? '', otherwise, () => warn(name))
  const budget = Number(env.CHAT_AUTO_REASONING_BUDGET)
  if (!Number.isFinite(budget)) warn('CHAT_AUTO_REASONING_BUDGET')
  const tokens = Math.max(
    thinkingTokens.fewest,
    Number.isFinite(budget) ? Math.trunc(budget) : thinkingTokens.otherwise,
  )
  return {
    tier: tierOf(env, warn),
    /** The maximum number of thinking tokens; `undefined` if thinking is off. */
    thinkingTokens: isOn('CHAT_AUTO_REASONING', true) ? tokens : undefined,
    streamsPlan: isOn('CHAT_INCREMENTAL_PLAN_STREAM', true),
    oneOperationOnly: isOn('CHAT_STRICT_PRIMARY_OP_MODE', false),
    prices: prices ?? defaultPrices,
    requestBytes,
  }
}

/** The settings for model calls. */
export type ModelSettings = Readonly<ReturnType<typeof toSettings>>

function tierOf(env: ModelVariables, warn: Warn): ModelTier {
  for (const name of ['CHAT_MODEL_KEY', 'OPENAI_MODEL_KEY'] as const) {
    const value = env[name]?.trim().toLowerCase()
    const tier = modelTiers.find((each) => each === value)
    if (tier !== undefined) return tier
    if (value !== undefined) warn(name)
  }
  return 'balanced'
}
