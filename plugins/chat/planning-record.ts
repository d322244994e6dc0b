import { createMeter, type Meter, type Price } from './model/usage.ts'
import type { ModelSpending, PlanningFacts } from './planner.ts'

/** What planners told of their work on one run. */
export interface PlanningRecord {
  /** What models took, failed attempts included. */
  readonly meter: Meter
  /** The last attempt that a planner told of; `undefined` where none works in attempts. */
  facts(): PlanningFacts | undefined
  spent(spending: ModelSpending): void
  attempting(facts: PlanningFacts): void
}

/** Starts the record of a run, with these prices. */
export function startRecord(prices: readonly Price[]): PlanningRecord {
  const meter = createMeter(prices)
  let last: PlanningFacts | undefined
  return {
    meter,
    facts: () => last,
    spent: (spending) => meter.add(spending),
    attempting: (facts) => void (last = facts),
  }
}
