import type { Operation } from '../../../content/operations/index.ts'
import type { Page } from '../../../content/page.ts'
import type { PlanningInput } from '../../types/planner.ts'
import type { Context } from '../context/context.ts'
import type { Words } from '../words.ts'

/** What is wrong with a plan, told to the model once so that it puts it right. */
export interface Violation {
  /** Where in the plan, such as `ops[2].patch.heading`. */
  readonly path: string
  readonly kind:
    | 'unknown key' | 'missing required' | 'type mismatch' | 'invalid enum' | 'invalid discriminator'
    | 'out of range' | 'string constraint' | 'unknown target' | 'not translated' | 'to be left alone' | 'target left out' | 'not shown whole' | 'unknown'
  readonly message: string
}

/** What is planned: the request, its words, the one time of the run, and what the model is shown. */
export interface Subject {
  readonly input: PlanningInput
  readonly words: Words
  readonly now: Date
  readonly context: Context
}

/** A plan as the checks see it. */
export interface CheckedPlan extends Pick<Subject, 'input' | 'words'> {
  readonly ops: readonly Operation[]
  /** Pages of the draft as they would be after the plan. */
  readonly after: ReadonlyMap<string, Page>
}
