import { defineRefusal } from '../../kernel/index.ts'
import type { Operation } from '../content/operations/index.ts'
import { parseOperations } from '../content/operations/parse.ts'
import type { Immutable } from '../content/plain-object.ts'
import type { Committed } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import { type Applied, exampleFor } from './schemas.ts'
import { tooManyOperations } from './refusals.ts'

/** Reads the operations of a request. Refuses anything else with 400 and an example, and more than `limit` with 413. */
export function readOperations(raw: unknown, id: DraftId, limit: number): readonly Operation[] {
  if (Array.isArray(raw) && raw.length > limit) throw tooManyOperations(limit)
  const parsed = parseOperations(raw)
  if (parsed.ok) return parsed.ops
  const missing = raw === undefined
  const message = missing ? 'ops is required: a list of at least one operation' : parsed.message
  throw invalidOperations(message, missing ? [{ path: 'ops', message }] : parsed.issues, exampleFor(id))
}

/** Returns the answer to an applied batch. */
export function toApplied({ previewVersion, results }: Committed): Immutable<Applied> {
  if (!results) throw new Error('a batch of operations has no results')
  const { duplicatedPages, ...facts } = results
  return {
    status: 'applied',
    summary: 'Changes applied.',
    changes: [],
    previewVersion,
    ...facts,
    ...(duplicatedPages.length > 0 && { duplicatedPages }),
  }
}

type Details = readonly { readonly path: string; readonly message: string }[]

const invalidOperations = defineRefusal({
  status: 400,
  code: 'schema_violation',
  reason: (message: string, _details: Details, _example: unknown) => message,
  extra: (_message, details, example) => ({ errorCode: 'schema_violation', details, example }),
})
