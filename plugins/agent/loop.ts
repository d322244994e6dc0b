import type { Logger } from '../../kernel/index.ts'
import {
  costOf,
  countedCostOf,
  type ModelMessage,
  type Price,
  type TokenUsage,
  type ToolResult,
} from '../llm/port.ts'
import type { UsageLog } from '../usage/port.ts'
import { callTool } from './loop-tool.ts'
import type { AgentLoop, LoopResult, LoopRun, ToolCallRecord } from './loop-types.ts'
import { askForTurn } from './turn.ts'

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
      const {
        limits: { deadlineMs },
        signal,
      } = run
      signal.throwIfAborted()
      const end = performance.now() + deadlineMs
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), deadlineMs)
      try {
        return await runTurns(
          run,
          { signal: AbortSignal.any([signal, late.signal]), left: () => end - performance.now() },
          parts,
        )
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** `signal` aborts when the run is canceled or out of time; `left` returns the remaining milliseconds. */
async function runTurns(
  run: LoopRun,
  { signal, left }: { readonly signal: AbortSignal; left(): number },
  { usage, prices, log }: LoopParts,
): Promise<LoopResult> {
  const { model, limits, onEvent } = run
  const tools = await Promise.all(
    run.tools.map(async ({ name, description, inputSchema }) => ({
      name,
      description,
      input: await inputSchema(),
    })),
  )
  const messages: ModelMessage[] = [...run.messages]
  const toolCalls: ToolCallRecord[] = []
  let total = noUsage
  let costUsd: number | null = 0
  let countedUsd = 0
  let text = ''
  let turns = 0

  const ended = (how: LoopResult['ended']): LoopResult => {
    run.signal.throwIfAborted()
    return { text, toolCalls, turns, usage: total, costUsd, ended: how }
  }
  const spent = async (took: TokenUsage): Promise<void> => {
    const estimatedUsd = costOf({ model, ...took }, prices)
    const runs = total === noUsage ? 1 : 0
    total = sum(total, took)
    costUsd = estimatedUsd === null || costUsd === null ? null : costUsd + estimatedUsd
    countedUsd += countedCostOf({ model, ...took }, prices)
    onEvent?.({ type: 'spent', usage: total, costUsd, countedUsd })
    await usage?.add(run.of, [{ model, ...took, estimatedUsd }], runs)
  }
  const isSpent = async (): Promise<boolean> => {
    if (limits.budgetUsd !== undefined && countedUsd >= limits.budgetUsd) return true
    const day = await usage?.budget()
    return day !== undefined && day.spentUsd >= day.perDayUsd
  }
  const ask = () => {
    const thinking = turns === 1 ? run.thinking : undefined
    const call = {
      model,
      maxTokens: limits.maxTokens,
      tools,
      system: run.system,
      messages,
      thinking,
      temperature: run.temperature,
    }
    const options = {
      client: run.client,
      call,
      signal,
      left,
      spent,
      text: (piece: string) => onEvent?.({ type: 'text', text: piece }),
    }
    return askForTurn(options).catch((error: unknown) => {
      if (signal.aborted) return undefined
      throw error
    })
  }

  while (turns < limits.maxTurns) {
    if (signal.aborted) return ended('deadline')
    if (await isSpent()) return ended('budget')
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
      onEvent?.({ type: 'tool_start', id: use.id, name: use.name })
      const { record, result } = await callTool(use, { tools: run.tools, signal, log })
      toolCalls.push(record)
      results.push(result)
      onEvent?.({
        type: 'tool_end',
        id: use.id,
        name: use.name,
        text: result.text,
        isError: record.isError,
        durationMs: record.durationMs,
        record,
      })
    }
    messages.push(
      {
        role: 'assistant',
        texts: turn.text.trim() === '' ? [] : [{ text: turn.text }],
        thoughts: turn.thoughts,
        toolUses: turn.uses,
      },
      { role: 'user', texts: [], toolResults: results },
    )
  }
  return ended('turn_limit')
}
