import type { Plan } from '../planners/plan.ts'
import type { Step } from './step.ts'

/** Pairs each operation with its line. A line too many is dropped; one that is missing is written by whoever tells the plan. */
export function stepsOf({ ops, changeLog }: Pick<Plan, 'ops' | 'changeLog'>): readonly Step[] {
  return ops.map((op, index) => {
    const line = changeLog[index]?.trim()
    return line ? { op, line } : { op }
  })
}
