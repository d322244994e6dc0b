import { defineRefusal, defineRoutes, gates } from '../../../kernel/index.ts'
import { batchRefusals, changeHeaders, changeRefusals, newDraftRefusals, sizeRefusals } from '../port.ts'
import { Applied, OpsBody } from './schemas.ts'

export const tooManyOperations = defineRefusal({
  status: 413,
  code: 'too_many_operations',
  reason: (limit: number) =>
    `A batch may have at most ${limit} operations. Send the rest in a further request.`,
})

export const routes = defineRoutes({
  apply: {
    method: 'POST',
    path: '/ops',
    gate: gates.access,
    summary: 'Applies typed operations to a draft, all of them or none.',
    headers: changeHeaders,
    body: OpsBody,
    replies: { 200: Applied },
    refusals: [...batchRefusals, ...changeRefusals, ...newDraftRefusals, tooManyOperations, ...sizeRefusals],
  },
})
