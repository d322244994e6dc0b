import { defineRefusal } from '../../../kernel/index.ts'

export const refusals = {
  notConfigured: defineRefusal({
    status: 503,
    code: 'vision_not_configured',
    reason: () =>
      'Image description is not configured. Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENAI_API_KEY and restart the service.',
  }),
  failed: defineRefusal({ status: 502, code: 'interpretation_failed', reason: (why: string) => why }),
} as const

export const noDescription = 'The model returned no description. Try again, or describe the image yourself.'
