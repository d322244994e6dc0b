import { defineRefusal } from '../../../kernel/index.ts'

export const tooManyOperations = defineRefusal({
  status: 413,
  code: 'too_many_operations',
  reason: (limit: number) =>
    `A batch may have at most ${limit} operations. Send the rest in a further request.`,
})
