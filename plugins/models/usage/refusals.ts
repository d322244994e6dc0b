import { defineRefusal } from '../../../kernel/index.ts'

export const badPeriod = defineRefusal({
  status: 400,
  code: 'bad_period',
  reason: (days: number) =>
    `The period must end on or after its first day and cover at most ${days} days. Change from or to.`,
})

export const generationsSpent = defineRefusal({
  status: 429,
  code: 'rate_limited',
  reason: (seconds: number, limit: number) =>
    `More than ${limit} images or recordings within a minute. Try again in ${seconds} s, or raise MEDIA_GENERATIONS_PER_MIN.`,
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
})
