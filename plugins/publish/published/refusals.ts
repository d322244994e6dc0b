import { defineRefusal } from '../../../kernel/index.ts'

export const notPublished = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: (slug: string) => `No published page has the slug '${slug}'.`,
})
