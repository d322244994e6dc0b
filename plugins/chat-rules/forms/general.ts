/** Verbs without their object or value. */
import { form, type Form } from '../match.ts'
import { one } from '../references.ts'
import { texts } from '../texts.ts'
import { ask } from '../work.ts'

export const generalForms: readonly Form[] = [
  form(
    'set|change|update|rename FIELD',
    (work, { FIELD }) => (one(work, FIELD), ask(texts.missingValue, { joint: ' to ' })),
  ),
  form(
    'set|change|update|rename|make|add|insert|create|remove|delete|drop|move|put|swap|duplicate|copy|replace|link|clear',
    () => ask(texts.missingObject),
  ),
]
