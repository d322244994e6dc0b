import * as v from 'valibot'
import { wordVariable } from '../../kernel/index.ts'
import type { ModelTier } from './port.ts'

const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false
  return url.username === '' && url.password === '' && url.search === '' && url.hash === ''
}
const baseUrl = v.pipe(
  v.string(),
  v.trim(),
  v.check(isBaseUrl, 'must be an address that begins with https:// or http://, without a login, a query or a #'),
  v.transform((text) => text.replace(/(?<!\/)\/+$/, '')),
)
/** A header value: a line break or another invisible character in it would be a mistake of copying. */
const key = v.pipe(
  v.string(),
  v.trim(),
  v.check((text) => /^[\x21-\x7e]*$/.test(text), 'must be one word of plain characters; copy it again'),
)
const model = (otherwise: string, use: string) => v.pipe(v.optional(v.pipe(v.string(), v.trim()), otherwise), v.description(use))

export const LlmVariables = v.object({
  ANTHROPIC_API_KEY: v.pipe(
    v.optional(key),
    v.description('Lets a model of Anthropic plan what the planner by rules does not understand.'),
  ),
  ANTHROPIC_BASE_URL: v.pipe(
    v.optional(baseUrl, 'https://api.anthropic.com'),
    v.description('Where the model is called, for proxies of your own.'),
  ),
  ANTHROPIC_MODEL_FAST: model('claude-haiku-4-5-20251001', 'The model for light edits.'),
  ANTHROPIC_MODEL_BALANCED: model('claude-sonnet-4-6', 'The model for edits, unless another tier is asked for.'),
  ANTHROPIC_MODEL_REASONING: model('claude-sonnet-4-6', 'The model for restructuring.'),
  ANTHROPIC_MODEL_CODEX: model('claude-opus-4-6', 'The model for agents, which people may choose as well.'),
  ANTHROPIC_VISION_ALT_MODEL: v.pipe(
    v.optional(v.pipe(v.string(), v.trim())),
    v.metadata({ otherwise: 'the model for light edits' }),
    v.description('The model that describes images.'),
  ),
  ANTHROPIC_PROMPT_CACHE: wordVariable('on', '`off` sends prompts without marks for the cache of the provider, which keeps them for five minutes.'),
})
export type LlmVariables = v.InferOutput<typeof LlmVariables>

/** The model of every tier. */
export function modelsOf(env: LlmVariables): Readonly<Record<ModelTier, string>> {
  return {
    fast: env.ANTHROPIC_MODEL_FAST,
    balanced: env.ANTHROPIC_MODEL_BALANCED,
    reasoning: env.ANTHROPIC_MODEL_REASONING,
    codex: env.ANTHROPIC_MODEL_CODEX,
  }
}
