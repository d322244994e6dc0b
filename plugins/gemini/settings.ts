import * as v from 'valibot'
import { AddressVariable, KeyVariable, type ErrorMeanings } from '../llm/port.ts'

/** What failures name. */
export const geminiSettings = { provider: 'Gemini', key: 'GOOGLE_GENAI_API_KEY', address: 'GOOGLE_GENAI_BASE_URL', models: 'GOOGLE_GENAI_IMAGE_MODEL' } as const

/** A key that is none comes with status 400. */
export const meanings: ErrorMeanings = new Map([['API_KEY_INVALID', 401]])

export const GeminiVariables = v.object({
  GOOGLE_GENAI_API_KEY: v.pipe(v.optional(KeyVariable), v.description('Lets Gemini make images, alone or in a conversation, and describe them.')),
  GOOGLE_GENAI_BASE_URL: v.pipe(
    v.optional(AddressVariable, 'https://generativelanguage.googleapis.com'),
    v.description('Where Gemini is called, for proxies of your own.'),
  ),
  GOOGLE_GENAI_IMAGE_MODEL: v.pipe(v.optional(v.pipe(v.string(), v.trim())), v.metadata({ otherwise: '`gemini-2.5-flash-image`' }), v.description('The model of Gemini that makes images.')),
})
