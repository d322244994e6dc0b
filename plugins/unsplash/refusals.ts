import { defineRefusal } from '../../kernel/index.ts'

export const refusals = {
  notConfigured: defineRefusal({
    status: 404,
    code: 'unsplash_not_configured',
    reason: () => 'Photos of Unsplash are not set up. Set UNSPLASH_ACCESS_KEY to the access key of an application at Unsplash.',
  }),
  invalidId: defineRefusal({
    status: 400,
    code: 'invalid_id',
    reason: () => 'This is not the id of a photo. Send the id that GET /unsplash/search gave.',
  }),
} as const
