import { service, slot } from '../../kernel/index.ts'
import type { Capability, JsonSchema, Tool, ToolContext } from './tool.ts'

export { createAliases, defineTool, readBy } from './tool.ts'
export type { Capability, JsonSchema, PreparedCall, Read, Tool, ToolContext, ToolDefinition, ToolManifest } from './tool.ts'

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
