import * as v from 'valibot'
import { withoutTrailingSlash, wordVariable } from '../../kernel/index.ts'
import { defaultModels } from './models.ts'

const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false
  return url.username === '' && url.password === '' && url.search === '' && url.hash === ''
}
/** The base address of a provider. */
export const AddressVariable = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    isBaseUrl,
    'must be an address that begins with https:// or http://, without credentials, a query or a fragment',
  ),
  v.transform(withoutTrailingSlash),
)

/** A key for a header value: a line break or another invisible character is a copying mistake. */
export const KeyVariable = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (text) => /^[\x21-\x7e]*$/.test(text),
    'must be one word of printable ASCII characters; copy it again',
  ),
)

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
