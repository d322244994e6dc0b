import { Refusal } from './errors.ts'

/** What the suites that drivers prove themselves with need of a test runner; tap's `Test` fits. */
export interface ContractTest {
  test(name: string, body: (t: this) => Promise<void>): unknown
  equal(found: unknown, wanted: unknown, ...message: [] | [string]): unknown
  /** Compares by value. */
  same(found: unknown, wanted: unknown, ...message: [] | [string]): unknown
}

/**
 * Waits for a promise and says in one line how it failed: a refusal by its verdict, a TypeError as such,
 * others by message.
 */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'did not fail'
  } catch (error) {
    if (error instanceof Refusal) return [error.status, error.code, ...Object.values(error.extra)].join(' ')
    if (error instanceof TypeError) return 'TypeError'
    return error instanceof Error ? error.message : String(error)
  }
}
