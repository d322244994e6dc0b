import { defineRefusal } from '../../kernel/index.ts'

export const badPeriod = defineRefusal({
  status: 400,
  code: 'bad_period',
  reason: (days: number) => `The last day has to be on or after the first one, and at most ${days} days later. Send other values of from and to.`,
})

export const generationsSpent = defineRefusal({
  status: 429,
  code: 'rate_limited',
  reason: (seconds: number, most: number) =>
    `More than ${most} requests to make or describe images, or to write down recordings, came within a minute. Try again in ${seconds} s; MEDIA_GENERATIONS_PER_MIN allows more.`,
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
})
