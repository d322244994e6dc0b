import * as v from 'valibot'
import { AddressVariable, defaultModels, KeyVariable, type ImageTier } from '../port.ts'

const { seeing, transcribing, drawing } = defaultModels.openai
const word = v.optional(v.pipe(v.string(), v.trim()))

/** The address of OpenAI itself. */
export const ownAddress = 'https://api.openai.com/v1'

/** The names mentioned in failures. */
export const openAiSettings = {
  key: 'OPENAI_API_KEY',
  address: 'OPENAI_BASE_URL',
  models: 'OPENAI_MODEL',
} as const

export const OpenAiVariables = v.object({
  OPENAI_API_KEY: v.pipe(
    v.optional(KeyVariable),
    v.description('The key of OpenAI, or of a service with the same protocol.'),
  ),
  OPENAI_BASE_URL: v.pipe(
    v.optional(AddressVariable),
    v.metadata({ otherwise: ownAddress }),
    v.description('The address of the API, such as `http://127.0.0.1:11434/v1` for Ollama.'),
  ),
  OPENAI_MODEL: v.pipe(
    word,
    v.description(
      'The model that plans what the rule-based planner does not understand. It needs a key or an address, and the package `openai`.',
    ),
  ),
  OPENAI_TRANSCRIBE_MODEL: v.pipe(
    word,
    v.metadata({ otherwise: `\`${transcribing}\` with \`OPENAI_API_KEY\`` }),
    v.description('The model that transcribes recordings.'),
  ),
  OPENAI_TRANSCRIBE_FALLBACK_MODELS: v.pipe(
    v.optional(v.string(), ''),
    v.description('Models that are tried if that fails, separated by commas.'),
  ),
  OPENAI_VISION_MODEL: v.pipe(
    word,
    v.metadata({ otherwise: `that of \`OPENAI_MODEL\`, or \`${seeing}\`` }),
    v.description('The model that describes images.'),
  ),
  OPENAI_IMAGE_MODEL_DRAFT: v.pipe(
    word,
    v.metadata({ otherwise: `\`${drawing}\`` }),
    v.description('The model that generates images on request.'),
  ),
  OPENAI_IMAGE_MODEL: v.pipe(
    word,
    v.metadata({ otherwise: 'that of `OPENAI_IMAGE_MODEL_DRAFT`' }),
    v.description('The model that generates images for pages in chat.'),
  ),
})
export type OpenAiVariables = v.InferOutput<typeof OpenAiVariables>

/** Returns the transcription models in trial order; none without a key or a model of another service. */
export function transcriptionModelsOf(env: OpenAiVariables): readonly string[] {
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: baseUrl, OPENAI_TRANSCRIBE_MODEL: named } = env
  if (!key && !(baseUrl && named)) return []
  const models = [named || transcribing, ...env.OPENAI_TRANSCRIBE_FALLBACK_MODELS.split(',')].map((model) =>
    model.trim(),
  )
  return [...new Set(models.filter(Boolean))]
}

/** Returns the image model of each tier. */
export function imageModelsOf({
  OPENAI_IMAGE_MODEL_DRAFT,
  OPENAI_IMAGE_MODEL,
}: OpenAiVariables): Readonly<Record<ImageTier, string>> {
  const draft = OPENAI_IMAGE_MODEL_DRAFT || drawing
  return { draft, final: OPENAI_IMAGE_MODEL || draft }
}
