import { defineRefusal } from '../../kernel/index.ts'

export const canceled = defineRefusal({
  status: 503,
  code: 'canceled',
  reason: () => 'The request ended before the variations were written, or the service is closing. Ask again.',
})
