import type * as v from 'valibot'
import { toJsonSchema, validate } from '../../kernel/index.ts'

/** A call with validated input; `C` is what it gets, `A` its answer. */
export interface PreparedCall<C = ToolContext, A = unknown> {
  /** The parsed input. */
  readonly input: unknown
  /** Rejects on failure; only the reason of a Refusal is passed on. */
  run(context: C): Promise<A>
}

/** What all tools have, for every caller and every place where they run. */
export interface AnyTool<C, A> {
  readonly name: string
  readonly description: string
  /** Returns the JSON Schema of an object. */
  inputSchema(): Promise<JsonSchema>
  /** Validates the input; returns the call, or the problem as a sentence. */
  prepare(input: unknown): Read<PreparedCall<C, A>>
}

/** Creates a tool from the schema of its input. It does not run with invalid input. */
export function toolOf<I, C, A>(
  {
    name,
    description,
    input,
  }: Pick<AnyTool<C, A>, 'name' | 'description'> & { readonly input: v.GenericSchema<unknown, I> },
  run: (input: I, context: C) => Promise<A>,
): AnyTool<C, A> {
  return {
    name,
    description,
    inputSchema: async () => ({ ...(await toJsonSchema(input)) }),
    prepare(value) {
      const read = readBy(input, value)
      return read.ok
        ? { ok: true, value: { input: read.value, run: (context) => run(read.value, context) } }
        : read
    },
  }
}

/** The definition of a built-in tool; the default capability is `read`. */
export interface ToolDefinition<I, O> extends Omit<
  ToolManifest,
  'inputSchema' | 'outputSchema' | 'capability'
> {
  readonly capability?: Capability
  readonly input: v.GenericSchema<unknown, I>
  readonly output: v.GenericSchema<unknown, O>
}

/** Defines a built-in tool. Its output schema drops undeclared properties of the result. */
export function defineTool<I, O>(
  { input, output, capability = 'read', ...manifest }: ToolDefinition<I, O>,
  run: (input: I, context: ToolContext) => Promise<NoInfer<O>>,
): Tool {
  const readOutput = (value: unknown): Read<unknown> => readBy(output, value)
  return { ...manifest, ...toolOf({ ...manifest, input }, run), capability, source: 'built-in', readOutput }
}

/** Parses a value with a schema; returns the first problem on failure. */
function readBy<T>(schema: v.GenericSchema<unknown, T>, value: unknown): Read<T> {
  const { success, output, issues } = validate(schema, value)
  if (success) return { ok: true, value: output }
  const [{ path, message } = { path: '', message: 'is invalid' }] = issues
  return { ok: false, problem: path === '' ? message : `${path}: ${message}` }
}

const longestAlias = 64

/** Names that models can write (unique, 1-64 letters, digits, `_`, `-`) for names of tools, but none of `taken`. */
export function aliasesFor(names: readonly string[], taken: readonly string[] = []): readonly string[] {
  const used = new Set(taken)
  return names.map((name) => {
    const plain = name
      .replaceAll(/[^A-Za-z0-9_-]/g, '_')
      .replace(/^(?=\d)/, 'tool_')
      .slice(0, longestAlias)
    let alias = plain
    for (let n = 2; used.has(alias); n += 1)
      alias = `${plain.slice(0, longestAlias - String(n).length - 1)}_${n}`
    used.add(alias)
    return alias
  })
}

/** The JSON Schema of an object. */
export type JsonSchema = Readonly<Record<string, unknown>>

export type Capability = 'read' | 'write'

/** The context of a call; it never contains credentials of the caller. */
export interface ToolContext {
  readonly siteId: string
  readonly sessionId: string
  readonly userId?: string | undefined
  /** The id of the run; repeated calls of an idempotent tool within it get the same result. */
  readonly traceId: string
  readonly plannerProvider?: string | undefined
  readonly gdriveFolderId?: string | undefined
  /** Aborts when the result is no longer needed. */
  readonly signal: AbortSignal
  /** Reports progress, for people. */
  readonly status?: ((message: string) => void) | undefined
  readonly imageProgress?: ((percent: number, stage: string) => void) | undefined
  /** The page context of a generated image, if known. */
  readonly blockContext?:
    { readonly pageTitle?: string | undefined; readonly headings: readonly string[] } | undefined
}

/** The declaration of a tool. */
export interface ToolManifest {
  /** Compared in lower case, without surrounding spaces. */
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly capability: Capability
  /** Milliseconds per attempt; at least 250. */
  readonly timeoutMs: number
  /** 1 to 5 attempts; the wait before a retry is `backoffMs` times the number of attempts so far. */
  readonly retryPolicy: { readonly maxAttempts: number; readonly backoffMs?: number | undefined }
  readonly idempotent: boolean
  readonly enabled?: boolean | undefined
}

/** A parsed value, or its problem as a sentence. */
export type Read<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string }

/** A tool for the executor, which enforces its manifest. */
export interface Tool
  extends AnyTool<ToolContext, unknown>, Omit<ToolManifest, 'inputSchema' | 'outputSchema'> {
  readonly source: 'built-in' | 'remote'
  readOutput(output: unknown): Read<unknown>
}
