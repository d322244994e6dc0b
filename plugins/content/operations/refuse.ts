import type { BatchFailure, ErrorCategory } from '../model.ts'

/** Where in the operation the mistake is, and what would have been accepted. */
export type RefusalDetails = Pick<BatchFailure, 'path' | 'admissible' | 'missingPage' | 'violation'>

/** Thrown where an operation cannot go on; the batch it belongs to fails with it. */
export class RefusedOperation extends Error {
  override readonly name = 'RefusedOperation'
  readonly category: ErrorCategory
  readonly details: RefusalDetails

  constructor(category: ErrorCategory, message: string, details: RefusalDetails) {
    super(message)
    this.category = category
    this.details = details
  }
}

/** Refuses the operation in hand, and with it the complete batch. The message reads on from the path. */
export function refuse(category: ErrorCategory, message: string, details: RefusalDetails = {}): never {
  throw new RefusedOperation(category, message, details)
}

/** Refuses it for what stands at `path` inside it. `admissible` is the closed set of what may stand there. */
export function violates(path: string, message: string, admissible?: readonly string[]): never {
  return refuse('schema_violation', message, admissible ? { path, admissible } : { path })
}
