import { chatPlugin } from './plugin.ts'
import { asksForPlanFirst, cleanMessage, isConfirmation, isRefusal } from './rules/intent.ts'
import { planByRules } from './rules/plan-by-rules.ts'

/** Chat, as it is loaded. */
export default chatPlugin({
  rules: planByRules,
  words: { clean: cleanMessage, wantsPlanFirst: asksForPlanFirst, isConfirmation, isRefusal },
})
