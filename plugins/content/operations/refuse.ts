import type { BatchFailure, ErrorCategory } from '../model.ts'

/** The path of the error in the operation, and the accepted values. */
type RefusalDetails = Pick<BatchFailure, 'path' | 'admissible' | 'missingPage' | 'violation'>

/** Thrown if an operation cannot be applied; its batch fails with it. */
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

/** Refuses the current operation, and with it the batch. The message continues the path. */
export function refuse(category: ErrorCategory, message: string, details: RefusalDetails = {}): never {
  throw new RefusedOperation(category, message, details)
}

/** Refuses the current operation for the value at `path`. `admissible` lists all accepted values. */
export function violates(path: string, message: string, admissible?: readonly string[]): never {
  return refuse('schema_violation', message, admissible ? { path, admissible } : { path })
}
