import type { Clock, Logger } from '../../../kernel/index.ts'
import { costOf, type ModelSpending, type Price, type TokenUsage } from '../../llm/port.ts'
import type { UsageLog } from '../../usage/port.ts'
import { type Milestone, milestones, type PlanningFacts, type RunEvent } from '../types/events.ts'
import type { Meter, PlanningRecord, Run, RunOptions, Timeline } from '../types/run.ts'

/** The milestones that an event of a planner reaches. */
export function milestonesIn({ type }: RunEvent): readonly Milestone[] {
  switch (type) {
    case 'token':
    case 'thinking_token':
      return ['first_token']
    case 'summary_token':
    case 'changelog_entry':
    case 'field_draft':
    case 'op_candidate':
      return ['first_token', 'first_structured_progress']
    default:
      return []
  }
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
export async function keepUsage({ id, how, record }: Run, { usage, log }: { readonly usage: UsageLog | undefined; readonly log: Logger }): Promise<void> {
  await usage?.add(id, record.meter.calls()).catch((err: unknown) => log.error({ err, run: how.id }, 'failed to store model usage'))
}

/** Starts a meter at zero. */
export function createMeter(prices: readonly Price[]): Meter {
  const all: ModelSpending[] = []
  const sum = (count: keyof TokenUsage): number => all.reduce((total, spending) => total + spending[count], 0)
  return {
    add: (spending) => void all.push(spending),
    calls: () => all.map((each) => ({ ...each, estimatedUsd: costOf(each, prices) })),
    total() {
      const inputTokens = sum('inputTokens')
      const outputTokens = sum('outputTokens')
      const costs = all.map((each) => costOf(each, prices))
      return {
        calls: all.length,
        inputTokens,
        outputTokens,
        totalTokens: inputTokens + outputTokens,
        cacheCreationInputTokens: sum('cacheCreationInputTokens'),
        cacheReadInputTokens: sum('cacheReadInputTokens'),
        estimatedUsd: costs.reduce<number | null>((total, cost) => (total === null || cost === null ? null : total + cost), 0),
      }
    },
  }
}
