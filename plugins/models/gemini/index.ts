import * as v from 'valibot'
import { countOption, definePlugin } from '../../../kernel/index.ts'
import { AddressVariable, defaultModels, KeyVariable, seeingClients, imageGenerators } from '../port.ts'
import { outbound } from '../../outbound/port.ts'
import { createGemini } from './client.ts'
import { createGeminiImages, createGeminiSeeing } from './images.ts'

const { seeing, drawing } = defaultModels.gemini

const GeminiVariables = v.object({
  GOOGLE_GENAI_API_KEY: v.pipe(
    v.optional(KeyVariable),
    v.description(
      'The key for Gemini, which generates images, alone or in a conversation, and describes them.',
    ),
  ),
  GOOGLE_GENAI_BASE_URL: v.pipe(
    v.optional(AddressVariable, 'https://generativelanguage.googleapis.com'),
    v.description('The address of the Gemini API, for a proxy.'),
  ),
  GOOGLE_GENAI_IMAGE_MODEL: v.pipe(
    v.optional(v.pipe(v.string(), v.trim())),
    v.metadata({ otherwise: `\`${drawing}\`` }),
    v.description('The Gemini model that generates images.'),
  ),
})

/** Gemini models that generate and describe images. Needs GOOGLE_GENAI_API_KEY. */
export default definePlugin({
  name: 'models-gemini',
  tag: 'Media',
  options: v.object({ timeoutMs: countOption(120_000) }),
  env: GeminiVariables,
  gives: { images: imageGenerators, seeing: seeingClients },
  needs: { outbound },
}).setup(({ needs, options: { timeoutMs }, env }) => {
  const { GOOGLE_GENAI_API_KEY: apiKey = '', GOOGLE_GENAI_BASE_URL: baseUrl } = env
  if (apiKey === '') return { gives: { images: undefined, seeing: undefined } }
  const gemini = createGemini({ apiKey, baseUrl, ...needs })
  return {
    gives: {
      images: createGeminiImages(gemini, env.GOOGLE_GENAI_IMAGE_MODEL || drawing),
      seeing: createGeminiSeeing(gemini, { model: seeing, timeoutMs }),
    },
  }
})
