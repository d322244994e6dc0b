import * as v from 'valibot'
import { toIssues } from '../../kernel/index.ts'
import { toJsonSchema } from '../docs/port.ts'
import type { Capability, Read, Tool, ToolContext, ToolManifest } from './port.ts'

/** What a tool of this service is made of; it reads unless it says that it writes. */
export interface ToolDefinition<I, O> extends Omit<ToolManifest, 'inputSchema' | 'outputSchema' | 'capability'> {
  readonly capability?: Capability
  readonly input: v.GenericSchema<unknown, I>
  readonly output: v.GenericSchema<unknown, O>
}

/** Makes a tool of this service. What it gives goes through the schema of its output, which drops what it does not declare. */
export function defineTool<I, O>(
  { input, output, capability = 'read', ...manifest }: ToolDefinition<I, O>,
  run: (input: I, context: ToolContext) => Promise<NoInfer<O>>,
): Tool {
  return {
    ...manifest,
    capability,
    source: 'built-in',
    inputSchema: async () => ({ ...(await toJsonSchema(input)) }),
    prepare(value) {
      const read = readBy(input, value)
      return read.ok ? { ok: true, value: { input: read.value, run: (context) => run(read.value, context) } } : read
    },
    readOutput: (value) => readBy(output, value),
  }
}

/** Reads a value by a schema; the first problem is told. */
export function readBy<T>(schema: v.GenericSchema<unknown, T>, value: unknown): Read<T> {
  const { success, output, issues } = v.safeParse(schema, value)
  if (success) return { ok: true, value: output }
  const [{ path, message } = { path: '', message: 'is not what was wanted' }] = toIssues(issues)
  return { ok: false, problem: path === '' ? message : `${path}: ${message}` }
}
