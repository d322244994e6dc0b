import { defineRefusal } from '../../../kernel/index.ts'

const keys = 'OPENAI_API_KEY or GOOGLE_GENAI_API_KEY'

export const refusals = {
  unknownProvider: defineRefusal({
    status: 400,
    code: 'unknown_provider',
    reason: (names: string) => `Unknown provider. Choose one of ${names}, or omit it.`,
  }),
  modelNotAllowed: defineRefusal({
    status: 400,
    code: 'model_not_allowed',
    reason: () => 'This model is not allowed. Omit it, or add it to IMAGE_MODELS_ALLOWED.',
  }),
  promptRequired: defineRefusal({
    status: 400,
    code: 'prompt_required',
    reason: () => 'Describe in `prompt` what the image should show.',
  }),
  promptTooLong: defineRefusal({
    status: 400,
    code: 'prompt_too_long',
    reason: (most: number) => `The prompt has more than ${most} characters. Shorten it.`,
  }),
  providerMissing: defineRefusal({
    status: 503,
    code: 'image_provider_missing',
    reason: () => `Image generation is not configured. Set ${keys} and restart the service.`,
  }),
  chatNotConfigured: defineRefusal({
    status: 503,
    code: 'image_chat_not_configured',
    reason: () => 'Image conversations are not configured. Set GOOGLE_GENAI_API_KEY and restart the service.',
  }),
  sharpMissing: defineRefusal({
    status: 503,
    code: 'image_provider_missing',
    reason: () =>
      `Placeholders need the package sharp, which is not installed. Run npm install sharp, or set ${keys}.`,
  }),
  refused: defineRefusal({ status: 422, code: 'image_refused', reason: (why: string) => why }),
  failed: defineRefusal({ status: 502, code: 'image_generation_failed', reason: (why: string) => why }),
  noData: defineRefusal({
    status: 502,
    code: 'image_no_data',
    reason: () => 'The provider returned no usable image. Try again, or rephrase the prompt.',
  }),
  canceled: defineRefusal({
    status: 503,
    code: 'canceled',
    reason: () =>
      'The request was canceled before the image was finished, or the service is shutting down. Try again.',
  }),
  tooManyConversations: defineRefusal({
    status: 429,
    code: 'rate_limited',
    reason: () => 'Too many image conversations are in progress. Try again in a few seconds.',
    headers: () => ({ 'retry-after': '5' }),
  }),
  timedOut: defineRefusal({ status: 504, code: 'image_timeout', reason: (why: string) => why }),
  busy: defineRefusal({
    status: 429,
    code: 'rate_limited',
    reason: (why: string, _waitMs?: number) => why,
    headers: (_why: string, waitMs?: number): Readonly<Record<string, string>> =>
      waitMs === undefined ? {} : { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  }),
} as const
