import { defineRefusal } from '../../kernel/index.ts'

export const reportedTooOften = defineRefusal({
  status: 429,
  code: 'rate_limited',
  reason: () => 'A client may say where it is once a second. Try again in 1 s.',
  headers: () => ({ 'retry-after': '1' }),
})

export const tooManyPeople = defineRefusal({
  status: 429,
  code: 'too_many_people',
  reason: (seconds: number) =>
    `Too many people are at this draft to show one more. Try again in ${seconds} s; editing works without.`,
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
})
