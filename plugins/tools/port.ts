import { service, slot } from '../../kernel/index.ts'

export { defineTool, readBy, type ToolDefinition } from './define-tool.ts'
export { createAliases } from './aliases.ts'

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

/** Tools of plugins; `undefined` stands for one that is not set up. */
export const tools = slot<Tool | undefined>('tools')

export type ToolErrorCode =
  | 'tool_not_found' | 'tool_requires_approval' | 'tool_auto_run_disabled' | 'invalid_tool_input' | 'invalid_tool_output' | 'tool_execution_failed'

export interface ToolOutcome {
  readonly ok: boolean
  readonly data?: unknown
  readonly error?: { readonly code: ToolErrorCode; readonly message: string; readonly retryable: boolean }
  readonly latencyMs: number
  readonly attempts: number
}

/** What may run without a question. */
export interface ToolPolicy {
  readonly autoRunRead: boolean
  readonly requireApprovalForWrite: boolean
  /** Asks a person for a call of a tool that writes; anything but `true` refuses, as does a rejection. */
  approve?(call: { readonly name: string; readonly input: unknown }, signal: AbortSignal): Promise<boolean>
}

/** What is told of every call, never its input or result. */
export interface ToolEvent {
  readonly toolName: string
  readonly ok: boolean
  readonly latencyMs: number
  readonly attempts: number
  readonly errorCode?: ToolErrorCode
  readonly siteId: string
  readonly sessionId: string
  readonly traceId: string
}

/** A tool as listings tell of it. */
export interface ToolEntry {
  readonly name: string
  readonly description: string
  readonly capability: Capability
  readonly source: string
  readonly enabled: boolean
}

/** A tool as a model is told of it. */
export interface ToolForModel {
  /** Its name in the service. */
  readonly tool: string
  readonly description: string
  readonly input: JsonSchema
}

/** Runs tools. It never rejects: what goes wrong is an outcome with a code. */
export interface ToolExecutor {
  execute(name: string, input: unknown, context: ToolContext, policy?: ToolPolicy): Promise<ToolOutcome>
  list(): readonly ToolEntry[]
  /** Those of these names that are enabled; all without names. */
  forModel(names?: readonly string[]): Promise<readonly ToolForModel[]>
}

/** Runs tools: checked, in time, and repeated where they allow it. */
export const toolExecutor = service<ToolExecutor>('tools.executor')

/** Hears of every call of a tool. */
export const toolObservers = slot<(event: ToolEvent) => void>('tools.observers')
