import type { ModelSpending, Price } from '../../llm/port.ts'
import { createMeter, type Meter } from '../model/usage.ts'
import type { PlanningFacts, PlanningNote } from '../planners/planner.ts'
import type { RunContext } from './runner.ts'

/** What planners told of their work on one run. */
export interface PlanningRecord {
  /** What models took, failed attempts included. */
  readonly meter: Meter
  /** The last attempt that a planner told of; `undefined` where none works in attempts. */
  facts(): PlanningFacts | undefined
  spent(spending: ModelSpending): void
  attempting(facts: PlanningFacts): void
  noted(note: PlanningNote): void
  /** Heard by whoever applies operations of a plan that is still being written. */
  wantsImages?(): void
  /** True when a plan was sent back to be mended. */
  wasRepaired(): boolean
}

/** Starts the record of a run, with these prices. */
export function startRecord(prices: readonly Price[], tell: RunContext['tell']): PlanningRecord {
  const meter = createMeter(prices)
  let last: PlanningFacts | undefined
  let wasRepaired = false
  return {
    meter,
    facts: () => last,
    spent: (spending) => meter.add(spending),
    attempting(facts) {
      last = facts
      tell?.({ kind: 'attempt', ...facts })
    },
    noted(note) {
      wasRepaired ||= note.kind === 'repair_attempt'
      tell?.({ ...note, usage: meter.total() })
    },
    wasRepaired: () => wasRepaired,
  }
}
