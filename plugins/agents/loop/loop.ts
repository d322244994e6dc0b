import type { Logger } from '../../../kernel/index.ts'
import {
  costOf,
  countedCostOf,
  type ModelMessage,
  type Price,
  type TokenUsage,
  type ToolResult,
} from '../../models/port.ts'
import type { UsageLog } from '../../models/usage/port.ts'
import { callTool } from './loop-tool.ts'
import type { AgentLoop, LoopResult, LoopRun, ToolCallRecord } from './loop-types.ts'
import { askForTurn, type RequestedUse } from './turn.ts'

interface LoopParts {
  readonly usage: UsageLog | undefined
  readonly prices: readonly Price[]
  readonly log: Logger
}

export const noUsage: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheCreationInputTokens: 0,
  cacheReadInputTokens: 0,
}

const sum = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cacheCreationInputTokens: a.cacheCreationInputTokens + b.cacheCreationInputTokens,
  cacheReadInputTokens: a.cacheReadInputTokens + b.cacheReadInputTokens,
})

/** Creates the loop for agents. */
export function createLoop(parts: LoopParts): AgentLoop {
  return {
    async run(run) {
      const { signal } = run
      const { deadlineMs } = run.limits
      signal.throwIfAborted()
      const end = performance.now() + deadlineMs
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), deadlineMs)
      try {
        const remainingMs = (): number => end - performance.now()
        return await runTurns(run, { signal: AbortSignal.any([signal, late.signal]), remainingMs }, parts)
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/**
 * `signal` aborts when the run is canceled or out of time; `remainingMs` returns the remaining
 * milliseconds.
 */
interface Deadline {
  readonly signal: AbortSignal
  remainingMs(): number
}

async function runTurns(run: LoopRun, deadline: Deadline, parts: LoopParts): Promise<LoopResult> {
  const { model, system, temperature, client, limits, onEvent } = run
  const { signal } = deadline
  const { maxTokens } = limits
  const account = createAccount(run, parts)
  const tools = await Promise.all(
    run.tools.map(async ({ name, description, inputSchema }) => ({
      name,
      description,
      input: await inputSchema(),
    })),
  )
  const messages: ModelMessage[] = [...run.messages]
  const toolCalls: ToolCallRecord[] = []
  let text = ''
  let turns = 0

  const ended = (how: LoopResult['ended']): LoopResult => {
    run.signal.throwIfAborted()
    return { text, toolCalls, turns, ...account.total(), ended: how }
  }
  const ask = () => {
    const thinking = turns === 1 ? run.thinking : undefined
    const call = { model, maxTokens, tools, system, messages, thinking, temperature }
    const onText = (piece: string) => onEvent?.({ type: 'text', text: piece })
    const options = { ...deadline, client, call, spent: account.add, text: onText }
    return askForTurn(options).catch((error: unknown) => {
      if (signal.aborted) return undefined
      throw error
    })
  }

  while (turns < limits.maxTurns) {
    if (signal.aborted) return ended('deadline')
    if (await account.isSpent()) return ended('budget')
    turns += 1
    onEvent?.({ type: 'turn', turn: turns })
    const turn = await ask()
    if (!turn) return ended('deadline')
    if (turn.text.trim() !== '') text = turn.text
    if (turn.uses.length === 0) return ended('end')
    const results: ToolResult[] = []
    for (const use of turn.uses) {
      if (toolCalls.length >= limits.maxToolCalls) return ended('tool_limit')
      if (signal.aborted) return ended('deadline')
      const { record, result } = await callAndTell(use, run, { signal, log: parts.log })
      toolCalls.push(record)
      results.push(result)
    }
    const texts = turn.text.trim() === '' ? [] : [{ text: turn.text }]
    messages.push(
      { role: 'assistant', texts, thoughts: turn.thoughts, toolUses: turn.uses },
      { role: 'user', texts: [], toolResults: results },
    )
  }
  return ended('turn_limit')
}

/** Runs a tool call, and reports its start and end to the followers of the run. */
async function callAndTell(
  use: RequestedUse,
  { tools, onEvent }: LoopRun,
  context: { readonly signal: AbortSignal; readonly log: Logger },
) {
  const { id, name } = use
  onEvent?.({ type: 'tool_start', id, name })
  const called = await callTool(use, { tools, ...context })
  const { record, result } = called
  const { isError, durationMs } = record
  onEvent?.({ type: 'tool_end', id, name, text: result.text, isError, durationMs, record })
  return called
}

/** Creates the account of a run: the tokens of its model calls, and their cost. */
function createAccount({ model, limits, of, onEvent }: LoopRun, { usage, prices }: LoopParts) {
  let total = noUsage
  let costUsd: number | null = 0
  let countedUsd = 0
  return {
    total: () => ({ usage: total, costUsd }),
    async add(took: TokenUsage): Promise<void> {
      const estimatedUsd = costOf({ model, ...took }, prices)
      const runs = total === noUsage ? 1 : 0
      total = sum(total, took)
      costUsd = estimatedUsd === null || costUsd === null ? null : costUsd + estimatedUsd
      countedUsd += countedCostOf({ model, ...took }, prices)
      onEvent?.({ type: 'spent', usage: total, costUsd, countedUsd })
      await usage?.add(of, [{ model, ...took, estimatedUsd }], runs)
    },
    /** Returns whether the budget of the run, or that of the day, is used up. */
    async isSpent(): Promise<boolean> {
      if (limits.budgetUsd !== undefined && countedUsd >= limits.budgetUsd) return true
      const day = await usage?.budget()
      return day !== undefined && day.spentUsd >= day.perDayUsd
    },
  }
}
