import { defineRefusal } from '../../kernel/index.ts'

export const badPeriod = defineRefusal({
  status: 400,
  code: 'bad_period',
  reason: (days: number) => `The last day has to be on or after the first one, and at most ${days} days later. Send other values of from and to.`,
})
