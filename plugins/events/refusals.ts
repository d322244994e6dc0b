import { defineRefusal } from '../../kernel/index.ts'

export const tooManyStreams = defineRefusal({
  status: 429,
  code: 'too_many_streams',
  reason: (why: string) => `${why}. Close some, or try again later.`,
  headers: () => ({ 'retry-after': '30' }),
})
