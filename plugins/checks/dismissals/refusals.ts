import { defineRefusal } from '../../../kernel/index.ts'

export const tooManyDismissals = defineRefusal({
  status: 409,
  code: 'too_many_dismissals',
  reason: (limit: number) =>
    `The draft has reached the limit of ${limit} dismissed findings. ` +
    'Restore some with dismissed: false, or turn the rule off in CHECKS_CONFIG.',
})
