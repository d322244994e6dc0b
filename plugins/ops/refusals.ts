import { defineRefusal } from '../../kernel/index.ts'

type Details = readonly { readonly path: string; readonly message: string }[]

export const invalidOperations = defineRefusal({
  status: 400,
  code: 'schema_violation',
  reason: (message: string, _details: Details, _example: unknown) => message,
  extra: (_message, details, example) => ({ errorCode: 'schema_violation', details, example }),
})

export const tooManyOperations = defineRefusal({
  status: 413,
  code: 'too_many_operations',
  reason: (limit: number) => `A batch may have at most ${limit} operations. Send the rest in a further request.`,
})
