import { defineRefusal } from '../../kernel/index.ts'

export const contentUnavailable = defineRefusal({
  status: 503,
  code: 'content_unavailable',
  reason: () => 'The content of this site cannot be read now. See the log of the site.',
})
