import { defineRefusal } from '../../kernel/index.ts'

const keys = 'OPENAI_API_KEY or GOOGLE_GENAI_API_KEY'

export const refusals = {
  unknownProvider: defineRefusal({ status: 400, code: 'unknown_provider', reason: (known: string) => `There is no provider of this name. Choose one of ${known}, or leave it out.` }),
  modelNotAllowed: defineRefusal({ status: 400, code: 'model_not_allowed', reason: () => 'This model may not be asked for here. Leave it out, or add it to IMAGE_MODELS_ALLOWED.' }),
  promptRequired: defineRefusal({ status: 400, code: 'prompt_required', reason: () => 'Describe in `prompt` what the image should show.' }),
  promptTooLong: defineRefusal({ status: 400, code: 'prompt_too_long', reason: (most: number) => `The prompt has more than ${most} characters. Shorten it.` }),
  providerMissing: defineRefusal({ status: 503, code: 'image_provider_missing', reason: () => `Nothing here makes images. Set ${keys}, and restart the service.` }),
  chatNotConfigured: defineRefusal({ status: 503, code: 'image_chat_not_configured', reason: () => 'No model here talks about images. Set GOOGLE_GENAI_API_KEY, and restart the service.' }),
  sharpMissing: defineRefusal({ status: 503, code: 'image_provider_missing', reason: () => `The package sharp, which makes placeholders, is not installed. Run npm install sharp, or set ${keys}.` }),
  refused: defineRefusal({ status: 422, code: 'image_refused', reason: (why: string) => why }),
  failed: defineRefusal({ status: 502, code: 'image_generation_failed', reason: (why: string) => why }),
  noData: defineRefusal({ status: 502, code: 'image_no_data', reason: () => 'The answer of the provider had no image that can be used. Try again, or word the prompt differently.' }),
  canceled: defineRefusal({ status: 503, code: 'canceled', reason: () => 'The request ended before the image was there, or the service is closing. Ask again.' }),
  crowded: defineRefusal({ status: 429, code: 'rate_limited', reason: () => 'As many images are being talked about as can be at once. Try again in a moment.', headers: () => ({ 'retry-after': '5' }) }),
  timedOut: defineRefusal({ status: 504, code: 'image_timeout', reason: (why: string) => why }),
  busy: defineRefusal({
    status: 429,
    code: 'rate_limited',
    reason: (why: string, _waitMs?: number) => why,
    headers: (_why: string, waitMs?: number): Readonly<Record<string, string>> => (waitMs === undefined ? {} : { 'retry-after': String(Math.ceil(waitMs / 1000)) }),
  }),
} as const
