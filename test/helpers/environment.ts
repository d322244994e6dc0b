import type { Test } from './raw.ts'

/** Sets variables of this process until the test ends. */
export function environment(t: Test, variables: Readonly<Record<string, string>>): void {
  const before = { ...process.env }
  Object.assign(process.env, variables)
  t.teardown(() => {
    for (const name of Object.keys(variables)) delete process.env[name]
    Object.assign(process.env, before)
  })
}
