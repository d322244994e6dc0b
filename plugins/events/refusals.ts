import { defineRefusal } from '../../kernel/index.ts'

export const tooManyStreams = defineRefusal({
  status: 429,
  code: 'too_many_streams',
  reason: (limit: number) => `There are ${limit} open event streams already. Close some, or try again later.`,
  headers: () => ({ 'retry-after': '30' }),
})

export const tooManyStreamsOfOne = defineRefusal({
  status: 429,
  code: 'too_many_streams',
  reason: (limit: number) => `You have ${limit} open event streams already, by this token or from this address. Close some, or try again later.`,
  headers: () => ({ 'retry-after': '30' }),
})
