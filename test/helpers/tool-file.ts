/** Tools of other services, as an operator lists them in a file. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from './stack.ts'

/** The environment with a file of tools, each with a name, what it may do, and an address. */
export async function withToolFile(
  t: Test,
  listed: readonly (readonly [name: string, capability: 'read' | 'write', endpoint: string])[],
  inputSchema: object = { type: 'object' },
): Promise<Readonly<Record<string, string>>> {
  const tools = listed.map(([name, capability, endpoint]) => ({
    endpoint,
    manifest: {
      name,
      capability,
      description: `About ${name}.`,
      timeoutMs: 30_000,
      retryPolicy: { maxAttempts: 1 },
      idempotent: false,
      inputSchema,
      outputSchema: { type: 'object' },
    },
  }))
  const path = join(temporaryFolder(t), 'tools.json')
  await writeFile(path, JSON.stringify({ tools }))
  return { ORCHESTRATOR_TOOL_MANIFEST_PATH: path }
}
