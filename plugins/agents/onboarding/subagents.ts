import type { AgentLoop, LoopEvent, LoopLimits, LoopResult, LoopRun } from '../loop/port.ts'
import type { TokenUsage } from '../../models/port.ts'
import type { Helper } from './prompts.ts'
import type { RunUsage } from './run/events.ts'

interface SubagentParts extends Pick<LoopRun, 'of' | 'client' | 'model'> {
  readonly loop: AgentLoop
  /** US dollars for all agents of the run. */
  readonly budgetUsd: number
  /** `helper` is absent for the main agent. */
  readonly onEvent: (event: LoopEvent, helper: Helper | undefined) => void
}

/** The task of one agent of a run. */
export interface AgentTask extends Pick<LoopRun, 'system' | 'tools' | 'signal'> {
  readonly helper?: Helper
  readonly message: string
  readonly maxTurns: number
}

/** The usage of one agent so far. */
interface Account {
  turns: number
  calls: number
  usage: TokenUsage | undefined
  costUsd: number
}

const mostTurns = 80
const mostCalls = 80
const maxTokens = 16_384
const wallClockMs = 30 * 60_000

/** Creates the agents of a run, which share limits of turns, calls, cost and time. */
export function createSubagents({ loop, of, client, model, budgetUsd, onEvent }: SubagentParts) {
  const accounts: Account[] = []
  const end = performance.now() + wallClockMs
  const sum = (amount: (account: Account) => number): number =>
    accounts.reduce((total, account) => total + amount(account), 0)
  const costOf = ({ costUsd }: Account): number => costUsd

  /** One agent's limits. They shrink while others work: the loop reads them before every turn and call. */
  const limitsOf = (own: Account, maxTurns: number): LoopLimits => {
    const others = (amount: (account: Account) => number): number => sum(amount) - amount(own)
    return {
      maxTokens,
      deadlineMs: Math.max(1, end - performance.now()),
      get maxTurns() {
        return Math.min(maxTurns, mostTurns - others(({ turns }) => turns))
      },
      get maxToolCalls() {
        return mostCalls - others(({ calls }) => calls)
      },
      get budgetUsd() {
        return budgetUsd - others(costOf)
      },
    }
  }

  return {
    /** Runs one agent to its end, like `AgentLoop.run`. */
    run({ helper, system, message, tools, maxTurns, signal }: AgentTask): Promise<LoopResult> {
      const own: Account = { turns: 0, calls: 0, usage: undefined, costUsd: 0 }
      accounts.push(own)
      return loop.run({
        of,
        client,
        model,
        system,
        tools,
        signal,
        messages: [{ role: 'user', texts: [{ text: message }] }],
        limits: limitsOf(own, maxTurns),
        onEvent(event) {
          if (event.type === 'turn') own.turns = event.turn
          if (event.type === 'tool_start') own.calls += 1
          if (event.type === 'spent') Object.assign(own, { usage: event.usage, costUsd: event.countedUsd })
          onEvent(event, helper)
        },
      })
    },
    /** Returns the total usage of all agents. */
    usage(): RunUsage {
      const tokens = (key: keyof TokenUsage): number => sum(({ usage }) => usage?.[key] ?? 0)
      const [inputTokens, outputTokens, totalCostUsd] = [
        tokens('inputTokens'),
        tokens('outputTokens'),
        sum(costOf),
      ]
      return {
        inputTokens,
        outputTokens,
        totalCostUsd,
        cacheReadInputTokens: tokens('cacheReadInputTokens'),
        cacheCreationInputTokens: tokens('cacheCreationInputTokens'),
        numTurns: sum(({ turns }) => turns),
        modelBreakdown: { [model]: { inputTokens, outputTokens, costUsd: totalCostUsd } },
      }
    },
  }
}
