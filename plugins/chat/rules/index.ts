import { setImmediate as turn } from 'node:timers/promises'
import type { Rules } from '../types/reader.ts'
import { compiled } from './grammar/compiled.ts'
import { asksForPlanFirst, cleanMessage, isConfirmation, isCourtesy, isRefusal } from './intent.ts'
import { isAnswer, isRequest } from './is-answer.ts'
import { lexicons } from './lexicon/index.ts'
import { planByRules } from './plan-by-rules.ts'

/** The planner that needs no model, and how it reads messages. */
export const rules: Rules = {
  plan: planByRules,
  words: { clean: cleanMessage, wantsPlanFirst: asksForPlanFirst, isConfirmation, isRefusal, isCourtesy, isAnswer, isRequest },
}

/** The same with every language compiled, each in a turn of the event loop of its own: all of it holds up others for long. */
export async function loadedRules(): Promise<Rules> {
  for (const lexicon of lexicons) {
    await turn()
    compiled(lexicon)
  }
  await turn()
  return rules
}
