import type { Rules } from '../planners/rules.ts'
import { asksForPlanFirst, cleanMessage, isConfirmation, isCourtesy, isRefusal } from './intent.ts'
import { isAnswer, isRequest } from './is-answer.ts'
import { planByRules } from './plan-by-rules.ts'

/** The planner that needs no model, and how it reads messages. */
export const rules: Rules = {
  plan: planByRules,
  words: { clean: cleanMessage, wantsPlanFirst: asksForPlanFirst, isConfirmation, isRefusal, isCourtesy, isAnswer, isRequest },
}
