import { service, slot } from '../../kernel/index.ts'
import type { AnyTool, Capability, Tool, ToolContext } from './tool.ts'

export { aliasesFor, defineTool, toolOf } from './tool.ts'
export type {
  AnyTool,
  Capability,
  JsonSchema,
  PreparedCall,
  Read,
  Tool,
  ToolContext,
  ToolDefinition,
  ToolManifest,
} from './tool.ts'

/** The tools of plugins; `undefined` if not configured. */
export const tools = slot<Tool | undefined>('tools')

export type ToolErrorCode =
  | 'tool_not_found'
  | 'tool_requires_approval'
  | 'tool_auto_run_disabled'
  | 'invalid_tool_input'
  | 'invalid_tool_output'
  | 'tool_execution_failed'

export interface ToolOutcome {
  readonly ok: boolean
  readonly data?: unknown
  readonly error?: { readonly code: ToolErrorCode; readonly message: string; readonly retryable: boolean }
  readonly latencyMs: number
  readonly attempts: number
}

/** The calls that may run without approval. */
export interface ToolPolicy {
  readonly autoRunRead: boolean
  readonly requireApprovalForWrite: boolean
  /** Asks a person to approve a call that writes; anything but `true` denies it. */
  approve?(call: { readonly name: string; readonly input: unknown }, signal: AbortSignal): Promise<boolean>
}

export interface ToolEntry {
  readonly name: string
  readonly description: string
  readonly capability: Capability
  readonly source: string
  readonly enabled: boolean
}

/** A tool of the executor for a model, under a name that it can write. */
export type ToolForModel = AnyTool<ToolContext, ToolOutcome>

/** Runs tools. Never rejects: a failure is an outcome with a code. */
export interface ToolExecutor {
  execute(name: string, input: unknown, context: ToolContext, policy?: ToolPolicy): Promise<ToolOutcome>
  list(): readonly ToolEntry[]
  /** The enabled tools with these names, and those of other services that only read; none is called as in `taken`. */
  forModel(names?: readonly string[], taken?: readonly string[]): readonly ToolForModel[]
}

/** Runs tools with validation, time limits and retries. */
export const toolExecutor = service<ToolExecutor>('tools.executor')
