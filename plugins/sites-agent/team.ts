import type { AgentLoop, LoopEvent, LoopLimits, LoopResult, LoopTool } from '../agent/port.ts'
import type { LoopClient, PromptText, TokenUsage } from '../llm/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Helper } from './prompts.ts'
import type { RunUsage } from './run/events.ts'

export interface TeamParts {
  readonly loop: AgentLoop
  readonly of: DraftId
  readonly client: LoopClient
  readonly model: string
  /** Dollars for all agents of the run. */
  readonly budgetUsd: number
  /** `helper` is absent for the main agent. */
  readonly onEvent: (event: LoopEvent, helper: Helper | undefined) => void
}

/** What one agent of a run is asked to do. */
export interface Errand {
  readonly helper?: Helper
  readonly system: readonly PromptText[]
  readonly message: string
  readonly tools: readonly LoopTool[]
  readonly maxTurns: number
  readonly signal: AbortSignal
}

/** What one agent has taken so far. */
interface Account {
  turns: number
  calls: number
  usage: TokenUsage | undefined
  costUsd: number | null
}

const mostTurns = 80
const mostCalls = 80
const maxTokens = 16_384
const wallClockMs = 30 * 60_000

/** The agents of one run: the main one and its helpers, which draw on the same turns, calls, money and time. */
export class Team {
  readonly #parts: TeamParts
  readonly #accounts: Account[] = []
  readonly #end = performance.now() + wallClockMs

  constructor(parts: TeamParts) {
    this.#parts = parts
  }

  /** Runs one agent to its end, as `AgentLoop.run` does. */
  run({ helper, system, message, tools, maxTurns, signal }: Errand): Promise<LoopResult> {
    const { loop, of, client, model, onEvent } = this.#parts
    const own: Account = { turns: 0, calls: 0, usage: undefined, costUsd: 0 }
    this.#accounts.push(own)
    return loop.run({
      of, client, model, system, tools, signal,
      messages: [{ role: 'user', texts: [{ text: message }] }],
      limits: this.#limits(own, maxTurns),
      onEvent(event) {
        if (event.type === 'turn') own.turns = event.turn
        if (event.type === 'tool_start') own.calls += 1
        if (event.type === 'spent') Object.assign(own, { usage: event.usage, costUsd: event.costUsd })
        onEvent(event, helper)
      },
    })
  }

  /** What all agents took together. */
  usage(): RunUsage {
    const sum = (key: keyof TokenUsage): number => this.#sum(({ usage }) => usage?.[key] ?? 0)
    const [inputTokens, outputTokens, totalCostUsd] = [sum('inputTokens'), sum('outputTokens'), this.#sum(costOf)]
    return {
      inputTokens, outputTokens, totalCostUsd,
      cacheReadInputTokens: sum('cacheReadInputTokens'),
      cacheCreationInputTokens: sum('cacheCreationInputTokens'),
      numTurns: this.#sum(({ turns }) => turns),
      modelBreakdown: { [this.#parts.model]: { inputTokens, outputTokens, costUsd: totalCostUsd } },
    }
  }

  /** Limits of one agent. The loop reads them before every turn and call, so they fall while another agent works. */
  #limits(own: Account, maxTurns: number): LoopLimits {
    const others = (of: (account: Account) => number): number => this.#sum(of) - of(own)
    const { budgetUsd } = this.#parts
    return {
      maxTokens,
      deadlineMs: Math.max(1, this.#end - performance.now()),
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

  #sum(of: (account: Account) => number): number {
    return this.#accounts.reduce((total, account) => total + of(account), 0)
  }
}

const costOf = ({ costUsd }: Account): number => costUsd ?? 0
