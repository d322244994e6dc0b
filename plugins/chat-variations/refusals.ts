import { defineRefusal } from '../../kernel/index.ts'

export const canceled = defineRefusal({
  status: 503,
  code: 'canceled',
  readable: true,
  reason: () => 'The request ended before the variations were written, or the service is closing. Ask again.',
})
