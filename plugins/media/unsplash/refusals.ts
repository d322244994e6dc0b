import { defineRefusal } from '../../../kernel/index.ts'

export const refusals = {
  notConfigured: defineRefusal({
    status: 404,
    code: 'unsplash_not_configured',
    reason: () =>
      'Unsplash is not configured. Set UNSPLASH_ACCESS_KEY to the access key of an application at Unsplash.',
  }),
  invalidId: defineRefusal({
    status: 400,
    code: 'invalid_id',
    reason: () => 'This is not a photo id. Send an id from GET /unsplash/search.',
  }),
} as const
