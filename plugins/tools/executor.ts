import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Clock,
  limitConcurrency,
  type Logger,
  LRUCache,
  Refusal,
  runWithTimeout,
  stableJson,
} from '../../kernel/index.ts'
import type { ToolErrorCode, ToolExecutor, ToolOutcome, ToolPolicy } from './port.ts'
import { aliasesFor, type PreparedCall, type Tool, type ToolContext } from './tool.ts'

/** The limits in bytes of JSON. */
const longestInputBytes = 256 * 1024
const longestOutputBytes = 1024 * 1024
const longestMessage = 240
/** The maximum number of concurrent calls; further ones wait. */
const mostAtOnce = 16

const usual: ToolPolicy = { autoRunRead: true, requireApprovalForWrite: true }

/** The reason why a call failed. */
class ToolFailure extends Error {
  override readonly name = 'ToolFailure'
  readonly code: ToolErrorCode
  readonly retryable: boolean

  constructor(
    code: ToolErrorCode,
    message: string,
    { retryable = false, cause }: { readonly retryable?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message.slice(0, longestMessage), { cause })
    this.code = code
    this.retryable = retryable
  }
}

/** Normalizes a name for comparison. */
export const plainName = (name: string): string => name.trim().toLowerCase()

/** Creates the executor of tools with distinct names. */
export function createExecutor({
  tools,
  clock,
  log,
}: {
  readonly tools: readonly Tool[]
  readonly clock: Clock
  readonly log: Logger
}): ToolExecutor {
  const byName = new Map(tools.map((tool) => [plainName(tool.name), tool]))
  /** Recent results of idempotent calls. */
  const results = new LRUCache<string, { readonly data: unknown }>({
    max: mostCached,
    ttl: cacheMs,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  })
  const limited = limitConcurrency(mostAtOnce)

  async function execute(
    name: string,
    input: unknown,
    context: ToolContext,
    policy: ToolPolicy,
    count: { attempts: number },
  ): Promise<unknown> {
    const tool = byName.get(plainName(name))
    if (!tool || tool.enabled === false)
      throw new ToolFailure('tool_not_found', `The tool '${name.slice(0, 80)}' does not exist.`)
    await checkPolicy(policy, tool, input, context.signal)
    const call = prepared(tool, input)
    const key = tool.idempotent ? callKey(context.traceId, plainName(name), call.input) : undefined
    const found = key === undefined ? undefined : results.get(key)
    if (found) return found.data
    const data = await limited(() => attempts(tool, call, context, { count, log }))
    if (key !== undefined) results.set(key, { data })
    return data
  }

  async function run(
    name: string,
    input: unknown,
    context: ToolContext,
    policy: ToolPolicy = usual,
  ): Promise<ToolOutcome> {
    const startedAt = performance.now()
    const count = { attempts: 0 }
    const took = () => ({ latencyMs: Math.round(performance.now() - startedAt), attempts: count.attempts })
    const outcome: ToolOutcome = await execute(name, input, context, policy, count).then(
      (data) => ({ ok: true, data, ...took() }),
      (error: unknown) => {
        const { code, message, retryable } = error instanceof ToolFailure ? error : toFailure(error)
        return { ok: false, error: { code, message, retryable }, ...took() }
      },
    )
    const { siteId, sessionId, traceId } = context
    const { ok, error, latencyMs, attempts } = outcome
    const call = { toolName: name.slice(0, 80), ok, ...(error && { errorCode: error.code }) }
    log.debug({ ...call, latencyMs, attempts, siteId, sessionId, traceId }, 'tool called')
    return outcome
  }

  return {
    execute: run,
    list: () =>
      tools.map(({ name, description, capability, source, enabled = true }) => {
        return { name, description, capability, source, enabled }
      }),
    forModel(names = [], taken) {
      const wanted = new Set(names.map(plainName))
      const offered = tools.filter(
        ({ name, enabled = true, source, capability }) =>
          enabled && (wanted.has(plainName(name)) || (source === 'remote' && capability === 'read')),
      )
      const aliases = aliasesFor(
        offered.map(({ name }) => name),
        taken,
      )
      return offered.map(({ name, description, inputSchema }, n) => ({
        name: aliases[n] ?? name,
        description,
        inputSchema,
        // The executor validates the input.
        prepare: (input) => ({ ok: true, value: { input, run: (context) => run(name, input, context) } }),
      }))
    },
  }
}

/** Throws a ToolFailure if a policy does not let a tool run. */
async function checkPolicy(
  policy: ToolPolicy,
  { name, capability }: Tool,
  input: unknown,
  signal: AbortSignal,
): Promise<void> {
  if (capability === 'read' && !policy.autoRunRead)
    throw new ToolFailure('tool_auto_run_disabled', 'Tools do not run automatically here.')
  if (capability === 'read' || !policy.requireApprovalForWrite) return
  if (!(await isApproved(policy, { name, input }, signal)))
    throw new ToolFailure('tool_requires_approval', `The tool '${name}' makes changes and was not approved.`)
}

/** Everything except explicit approval is a refusal. */
async function isApproved(
  { approve }: ToolPolicy,
  call: { readonly name: string; readonly input: unknown },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await approve?.(call, signal)) === true
  } catch {
    return false
  }
}

/** Runs a call until it succeeds, or fails in a way that another attempt does not change. */
async function attempts(
  tool: Tool,
  call: PreparedCall,
  context: ToolContext,
  { count, log }: { readonly count: { attempts: number }; readonly log: Logger },
): Promise<unknown> {
  const { maxAttempts, backoffMs = 0 } = tool.retryPolicy
  for (;;) {
    count.attempts += 1
    try {
      return checked(tool, await inTime(tool, call, context))
    } catch (error) {
      const failure = error instanceof ToolFailure ? error : toFailure(error)
      if (failure.cause !== undefined)
        log.warn({ err: failure.cause, tool: tool.name, attempt: count.attempts }, 'tool failed')
      if (!failure.retryable || count.attempts >= maxAttempts || context.signal.aborted) throw failure
      await pause(backoffMs * count.attempts, undefined, { signal: context.signal }).catch(() => {
        throw canceled()
      })
    }
  }
}

function prepared(tool: Tool, input: unknown): PreparedCall {
  if (sizeOf(input) > longestInputBytes)
    throw new ToolFailure(
      'invalid_tool_input',
      `The input exceeds ${longestInputBytes / 1024} KiB. Send less.`,
    )
  const read = tool.prepare(input)
  if (!read.ok) throw new ToolFailure('invalid_tool_input', read.problem)
  return read.value
}

function checked(tool: Tool, output: unknown): unknown {
  const read = tool.readOutput(output)
  if (!read.ok) throw new ToolFailure('invalid_tool_output', read.problem)
  if (sizeOf(read.value) > longestOutputBytes)
    throw new ToolFailure(
      'invalid_tool_output',
      `The result exceeds ${longestOutputBytes / 1024 / 1024} MiB.`,
    )
  return read.value
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

const canceled = (): ToolFailure => new ToolFailure('tool_execution_failed', 'The call was canceled.')

/** Runs one attempt, which ends in time even if the tool ignores its signal. */
async function inTime({ timeoutMs }: Tool, call: PreparedCall, context: ToolContext): Promise<unknown> {
  const overdue = (): ToolFailure =>
    new ToolFailure('tool_execution_failed', `The tool timed out after ${timeoutMs / 1000} s.`, {
      retryable: true,
    })
  try {
    const run = (signal: AbortSignal): Promise<unknown> => call.run({ ...context, signal })
    return await runWithTimeout(timeoutMs, run, { canceled: context.signal, overdue })
  } catch (error) {
    throw context.signal.aborted ? canceled() : error
  }
}

/** A refused request is not retried; details of unexpected errors stay in the log. */
function toFailure(cause: unknown): ToolFailure {
  if (!(cause instanceof Refusal))
    return new ToolFailure('tool_execution_failed', 'The tool failed.', { retryable: true, cause })
  return new ToolFailure('tool_execution_failed', cause.reason, {
    retryable: cause.status >= 500 || cause.status === 429,
  })
}

const mostCached = 500
const cacheMs = 10 * 60 * 1_000

/** Returns the same key for the same call in the same run. */
const callKey = (traceId: string, name: string, input: unknown): string =>
  hash('sha256', stableJson([traceId, name, input]))
