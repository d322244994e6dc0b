import { defineRefusal } from '../../kernel/index.ts'

export const refusals = {
  notConfigured: defineRefusal({
    status: 503,
    code: 'vision_not_configured',
    reason: () => 'No model here looks at images. Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENAI_API_KEY, and restart the service.',
  }),
  failed: defineRefusal({ status: 502, code: 'interpretation_failed', reason: (why: string) => why }),
} as const

export const noDescription = 'The model gave no description of the image. Try again, or describe it yourself.'
