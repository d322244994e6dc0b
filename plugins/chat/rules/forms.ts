/** The table of forms: every wording that is understood, what it does, and messages that show it. */
import { labelOf } from '../../content/fields.ts'
import { fieldForms } from './field-forms.ts'
import { itemForms } from './item-forms.ts'
import { form, type Form } from './match.ts'
import { pageForms } from './page-forms.ts'
import { one } from './references.ts'
import { texts } from './texts.ts'
import { ask } from './work.ts'

/** The forms without an object, a value or a place. */
const incompleteForms: readonly Form[] = [
  form(
    'set|change|update|rename FIELD',
    (work, { FIELD }) => {
      const { name, meta } = one(work, FIELD)
      if (meta.kind === 'image') ask(texts.wants(labelOf(name, meta), 'image'), { joint: ' to ' })
      return ask(texts.missingValue, { opening: `${work.message.slice(0, work.end)} to ` })
    },
    '/: change the headline => CLARIFY',
  ),
  form(
    'move|put ITEM',
    (work, { ITEM }) => (one(work, ITEM), ask(texts.missingPlace, { joint: ' ' })),
    '/: move the CTA => CLARIFY',
  ),
  form(
    'set|change|update|rename|make|add|insert|create|remove|delete|drop|move|put|swap|duplicate|copy|replace|link|clear',
    () => ask(texts.missingObject),
    '/: remove => CLARIFY',
  ),
]

/** All forms. The order does not matter: words that two forms read differently lead to a question. */
export const forms: readonly Form[] = [...fieldForms, ...itemForms, ...pageForms, ...incompleteForms]
