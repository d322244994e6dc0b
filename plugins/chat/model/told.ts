import { parseOperations } from '../../content/operations/parse.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import type { PlanningRun } from '../planner.ts'
import { normaliseOperation } from './normalise/operation.ts'
import type { Place } from './normalise/place.ts'
import { createPlanReader } from './reader/plan-reader.ts'

const mostOperations = 200

/**
 * Tells a run of a plan while it is written: words of the summary, lines, drafts of fields, and each operation as it will
 * be applied. An operation that is none is not told; the whole plan is read once more when it is complete.
 */
export function tellPlan(run: PlanningRun, place: Omit<Place, 'given' | 'created'>): (json: string) => void {
  const handout = { given: new Set<string>(), created: new Set<string>() }
  let index = 0
  const reader = createPlanReader({
    summary: (text) => run.emit({ type: 'summary_token', text }),
    change: (entry) => run.emit({ type: 'changelog_entry', entry }),
    draft: (field) => run.emit({ type: 'field_draft', ...field }),
    operation(raw) {
      if (index >= mostOperations || !isPlainObject(raw)) return
      for (const loose of normaliseOperation(raw, place, handout)) {
        const parsed = parseOperations([loose])
        const [op] = parsed.ok ? parsed.ops : []
        if (op) run.emit({ type: 'op_candidate', index: (index += 1), op })
      }
    },
  })
  return (json) => reader.push(json)
}
