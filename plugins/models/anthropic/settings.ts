import * as v from 'valibot'
import { wordVariable } from '../../../kernel/index.ts'
import { AddressVariable, defaultModels, KeyVariable } from '../port.ts'

const { fast, balanced, reasoning, codex } = defaultModels.tiers

const model = (otherwise: string, use: string) =>
  v.pipe(v.optional(v.pipe(v.string(), v.trim()), otherwise), v.description(use))

/** The names mentioned in failures. */
export const anthropicSettings = {
  provider: 'Anthropic',
  key: 'ANTHROPIC_API_KEY',
  address: 'ANTHROPIC_BASE_URL',
  models: 'ANTHROPIC_MODEL_FAST, _BALANCED, _REASONING and _CODEX',
} as const

export const LlmVariables = v.object({
  ANTHROPIC_API_KEY: v.pipe(
    v.optional(KeyVariable),
    v.description('The key of Anthropic, whose models plan what the rule-based planner does not understand.'),
  ),
  ANTHROPIC_BASE_URL: v.pipe(
    v.optional(AddressVariable, 'https://api.anthropic.com'),
    v.description('The address of the Anthropic API, for a proxy.'),
  ),
  ANTHROPIC_MODEL_FAST: model(fast, 'The model for light edits.'),
  ANTHROPIC_MODEL_BALANCED: model(balanced, 'The model for edits, unless another tier is asked for.'),
  ANTHROPIC_MODEL_REASONING: model(reasoning, 'The model for restructuring.'),
  ANTHROPIC_MODEL_CODEX: model(codex, 'The model for agents; users can choose it as well.'),
  ANTHROPIC_VISION_ALT_MODEL: v.pipe(
    v.optional(v.pipe(v.string(), v.trim())),
    v.metadata({ otherwise: 'the model for light edits' }),
    v.description('The model that describes images.'),
  ),
  ANTHROPIC_PROMPT_CACHE: wordVariable(
    'on',
    '`off` disables the prompt cache of the provider, which holds prompts for five minutes.',
  ),
})
