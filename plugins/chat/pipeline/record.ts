import type { Clock } from '../../../kernel/index.ts'
import { costOf, type Price, type TokenUsage } from '../../llm/port.ts'
import type { PricedCall } from '../../usage/port.ts'
import { type Milestone, milestones, type PlanningFacts, type RunEvent } from '../types/events.ts'
import type { Meter, PlanningRecord, Run, RunOptions, Timeline } from '../types/run.ts'
import type { Deps } from './deps.ts'

const structured = ['summary_token', 'changelog_entry', 'field_draft', 'op_candidate']
const tokens = ['token', 'thinking_token', ...structured]

/** The milestones that an event of a planner reaches. */
export function milestonesIn({ type }: RunEvent): readonly Milestone[] {
  if (structured.includes(type)) return ['first_token', 'first_structured_progress']
  return tokens.includes(type) ? ['first_token'] : []
}

/** Starts the timeline of a run. */
export function startTimeline(clock: Clock, { emit }: Pick<RunOptions, 'emit'>): Timeline {
  const start = clock.now().getTime()
  const times = new Map<Milestone, number>()
  const reached = (stage: Milestone): void => {
    if (times.has(stage)) return
    const atMs = clock.now().getTime() - start
    times.set(stage, atMs)
    emit({ type: 'milestone', stage, atMs })
  }
  reached('request_received')
  return {
    reached,
    read: () => milestones.flatMap((stage) => {
      const atMs = times.get(stage)
      return atMs === undefined ? [] : [{ stage, atMs }]
    }),
  }
}

/** Starts the record of a run, with these prices. */
export function startRecord(prices: readonly Price[], { emit }: Pick<RunOptions, 'emit'>): PlanningRecord {
  const meter = createMeter(prices)
  let last: PlanningFacts | undefined
  let wasRepaired = false
  return {
    meter,
    facts: () => last,
    spent: (spending) => meter.add(spending),
    attempting(facts) {
      last = facts
      emit({ type: 'attempt', ...facts })
    },
    noted(note) {
      wasRepaired ||= note.type === 'repair_attempt'
      emit({ ...note, usage: meter.total() })
    },
    wasRepaired: () => wasRepaired,
  }
}

/** Stores the model usage of a run, however it ended. */
export async function keepUsage({ id, how, record }: Run, { usage, log }: Deps): Promise<void> {
  await usage?.add(id, record.meter.calls()).catch((err: unknown) => {
    log.error({ err, run: how.id }, 'failed to store model usage')
  })
}

/** Starts a meter at zero. */
export function createMeter(prices: readonly Price[]): Meter {
  const calls: PricedCall[] = []
  const sum = (count: keyof TokenUsage): number => calls.reduce((total, call) => total + call[count], 0)
  return {
    add: (spending) => void calls.push({ ...spending, estimatedUsd: costOf(spending, prices) }),
    calls: () => calls,
    total() {
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
