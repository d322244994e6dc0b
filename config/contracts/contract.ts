import type { ContractTest } from '../../kernel/testing.ts'

/** What every implementation of `S` does: named tests, each with a new one. */
export type Contract<S> = Readonly<Record<string, (t: ContractTest, subject: S) => Promise<void>>>

/**
 * Runs the tests of a contract. The test runner is a parameter, because the suites are shipped and the runner
 * is not.
 */
export async function proveContract<T extends ContractTest, S>(
  t: T,
  open: (t: T) => Promise<S>,
  contract: Contract<S>,
): Promise<void> {
  for (const [name, prove] of Object.entries(contract))
    await t.test(name, async (t) => prove(t, await open(t)))
}
