import * as v from 'valibot'
import { toIssues } from '../../kernel/index.ts'
import { toJsonSchema } from '../docs/port.ts'

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

const longest = 64

/** Names of tools as models can write them, each to the name in the service: letters, digits, `_` and `-`, at most 64, no two alike. */
export function createAliases(names: readonly string[]): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>()
  for (const name of names) {
    const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').replace(/^(?=\d)/, 'tool_').slice(0, longest)
    let alias = plain
    for (let n = 2; aliases.has(alias); n += 1) alias = `${plain.slice(0, longest - String(n).length - 1)}_${n}`
    aliases.set(alias, name)
  }
  return aliases
}

/** A JSON Schema of an object. */
export type JsonSchema = Readonly<Record<string, unknown>>

export type Capability = 'read' | 'write'

/** For whom a tool works. Credentials of the caller are no part of it. */
export interface ToolContext {
  readonly siteId: string
  readonly sessionId: string
  readonly userId?: string | undefined
  /** Names the run: a repeated call of an idempotent tool in it gets the same result. */
  readonly traceId: string
  readonly plannerProvider?: string | undefined
  readonly gdriveFolderId?: string | undefined
  /** Aborts when the result is not needed any more. */
  readonly signal: AbortSignal
  /** Hears what the tool is at, for people. */
  readonly status?: ((message: string) => void) | undefined
  readonly imageProgress?: ((percent: number, stage: string) => void) | undefined
  /** What of the page a picture is for, where the run knows it. */
  readonly blockContext?: { readonly pageTitle?: string | undefined; readonly headings: readonly string[] } | undefined
}

/** What says how a tool is called. */
export interface ToolManifest {
  /** Compared without case and blanks around it. */
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly capability: Capability
  /** For one attempt; at least 250. */
  readonly timeoutMs: number
  /** 1 to 5 attempts; the wait before each further one is `backoffMs` times the attempts so far. */
  readonly retryPolicy: { readonly maxAttempts: number; readonly backoffMs?: number | undefined }
  readonly idempotent: boolean
  readonly enabled?: boolean | undefined
}

/** A value that was read, or what is wrong with it as a sentence. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string }

/** One call of a tool whose input was read. */
export interface PreparedCall {
  /** The input as the tool takes it. */
  readonly input: unknown
  /** Rejects where it fails: what a Refusal says is told, of anything else only that it failed. */
  run(context: ToolContext): Promise<unknown>
}

/** A tool: data, and what it does. */
export interface Tool extends Omit<ToolManifest, 'inputSchema' | 'outputSchema'> {
  readonly source: 'built-in' | 'remote'
  inputSchema(): Promise<JsonSchema>
  prepare(input: unknown): Read<PreparedCall>
  readOutput(output: unknown): Read<unknown>
}
