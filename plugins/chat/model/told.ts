import { parseOperations } from '../../content/operations/parse.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import type { PlanningRun } from '../types/planner.ts'
import { normaliseOperation } from './normalise/operation.ts'
import type { Place } from './normalise/place.ts'
import { createPlanReader } from './reader/plan-reader.ts'

const mostOperations = 200

/**
 * Tells a run of plans while they are written: words of the summary, lines, drafts of fields, and each operation as it
 * will be applied. An operation that is none is not told; the whole plan is read once more when it is complete.
 *
 * Clients put the words of a summary together, so only the first plan that has some tells words and lines.
 */
export function createTeller(run: PlanningRun, place: Omit<Place, 'given' | 'created'>): () => (json: string) => void {
  let plans = 0
  let wordsOf: number | undefined
  return () => {
    const plan = (plans += 1)
    const tellsWords = (): boolean => (wordsOf ??= plan) === plan
    return tellPlan(run, place, tellsWords)
  }
}

function tellPlan(run: PlanningRun, place: Omit<Place, 'given' | 'created'>, tellsWords: () => boolean): (json: string) => void {
  const handout = { given: new Set<string>(), created: new Set<string>() }
  let index = 0
  const reader = createPlanReader({
    summary(text) {
      if (tellsWords()) run.emit({ type: 'summary_token', text })
    },
    change(entry) {
      if (tellsWords()) run.emit({ type: 'changelog_entry', entry })
    },
    image: () => run.wantsImages?.(),
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
