import type { Clock } from '../../../kernel/index.ts'
import { costOf, type ModelSpending, type Price, type TokenUsage } from '../../models/port.ts'
import type { PricedCall } from '../../models/usage/port.ts'
import {
  type Milestone,
  milestones,
  type PlanningFacts,
  type PlanningNote,
  type RunEvent,
  type RunUsage,
  type RunWork,
} from './events.ts'

const structured = ['summary_token', 'changelog_entry', 'field_draft', 'op_candidate']
const tokens = ['token', 'thinking_token', ...structured]

/** Starts the record of a run: the times of its milestones, and the reports of its planners. */
export function startRecord(clock: Clock, prices: readonly Price[], emit: (event: RunEvent) => void) {
  const start = clock.now().getTime()
  const times = new Map<Milestone, number>()
  const meter = createMeter(prices)
  let last: PlanningFacts | undefined
  let wasRepaired = false
  let candidates = 0

  /** Records a milestone; only the first time counts. */
  function reached(stage: Milestone, at = clock.now().getTime()): void {
    if (times.has(stage)) return
    const atMs = at - start
    times.set(stage, atMs)
    emit({ type: 'milestone', stage, atMs })
  }

  reached('request_received', start)
  return {
    meter,
    reached,
    /** Records the milestones that a planner event reaches. */
    saw(event: RunEvent): void {
      const { type } = event
      if (tokens.includes(type)) reached('first_token')
      if (structured.includes(type)) reached('first_structured_progress')
      if (event.type === 'op_candidate') candidates = event.index
    },
    /** The number of operations that the last attempt of a planner, or the pipeline, has announced. */
    candidates: () => candidates,
    announced(count: number): void {
      candidates = count
    },
    /** The milestones reached so far, in order, in milliseconds since the start. */
    timeline: () =>
      milestones.flatMap((stage) => {
        const atMs = times.get(stage)
        return atMs === undefined ? [] : [{ stage, atMs }]
      }),
    /** The last attempt; `undefined` if no planner reported one. */
    facts: () => last,
    spent: meter.add,
    attempting(facts: PlanningFacts): void {
      last = facts
      candidates = 0
      emit({ type: 'attempt', ...facts })
    },
    noted(note: PlanningNote): void {
      wasRepaired ||= note.type === 'repair_attempt'
      emit({ ...note, usage: meter.total() })
    },
    /** True if a plan was sent back for a repair. */
    wasRepaired: () => wasRepaired,
  }
}

export type RunRecord = ReturnType<typeof startRecord>

/** Creates a meter that adds up the model calls of a run, including failed ones. */
export function createMeter(prices: readonly Price[]) {
  const calls: PricedCall[] = []
  const sum = (count: keyof TokenUsage): number => calls.reduce((total, call) => total + call[count], 0)
  return {
    add(spending: ModelSpending): void {
      calls.push({ ...spending, estimatedUsd: costOf(spending, prices) })
    },
    /** Every call with its price. */
    calls: (): readonly PricedCall[] => calls,
    total(): RunUsage {
      const inputTokens = sum('inputTokens')
      const outputTokens = sum('outputTokens')
      const costs = calls.map(({ estimatedUsd }) => estimatedUsd).filter((cost) => cost !== null)
      return {
        calls: calls.length,
        inputTokens,
        outputTokens,
        totalTokens: inputTokens + outputTokens,
        cacheCreationInputTokens: sum('cacheCreationInputTokens'),
        cacheReadInputTokens: sum('cacheReadInputTokens'),
        estimatedUsd: costs.length < calls.length ? null : costs.reduce((total, cost) => total + cost, 0),
      }
    },
  }
}

/** Runs work between two `work` events. */
export async function timed<T>(
  { emit }: { readonly emit: (event: RunEvent) => void },
  what: RunWork,
  work: () => Promise<T>,
): Promise<T> {
  emit({ type: 'work', what, isOver: false })
  try {
    return await work()
  } finally {
    emit({ type: 'work', what, isOver: true })
  }
}
