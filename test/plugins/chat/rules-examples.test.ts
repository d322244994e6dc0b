import t from 'tap'
import { asksForPlanFirst, isConfirmation, isRefusal } from '../../../plugins/chat/rules/intent.ts'
import { germanExamples } from '../../fixtures/chat/examples-de.ts'
import { examples } from '../../fixtures/chat/examples.ts'
import type { Example } from '../../fixtures/chat/notation.ts'
import { draftAfterPlan, planFor, sketchAfter, sketchOf, stepsOf } from '../../helpers/chat-rules.ts'

const kinds = { question: 'question', unchanged: 'unchanged', unsupported: 'unsupported', info: 'answer', advice: 'answer' } as const

const languages: readonly (readonly [name: string, rows: readonly Example[], locale: string])[] = [
  ['English', examples, 'en'], ['English for a German', examples, 'de'], ['German', germanExamples, 'de-AT'], ['German for an English person', germanExamples, 'en'],
]

/** Clients show a line only if it begins with one of these. */
const known = /^(?:Add|Adjust|Change|Create|Delete|Duplicate|Fix|Insert|Move|Remove|Rename|Reorder|Replace|Set|Translate|Update) ./

for (const [language, rows, locale] of languages) t.test(`every example gives what it should, as operations and as a draft: ${language}`, (t) => {
  rows.forEach(({ at, message, gives, held, asked }, index) => {
    const name = `${index + 1}: ${message} (${at})`
    if (gives === 'empty') return void t.equal(message, '', name)
    if (gives === 'approves') return void t.ok(isConfirmation(message), name)
    if (gives === 'refuses') return void t.ok(isRefusal(message), name)
    const outcome = planFor(at, message, { asked, locale })
    t.equal(asksForPlanFirst(message), held?.includes('plan_first') ?? false, `${name}: asks for a plan first`)
    if (typeof gives === 'string') {
      t.equal(outcome.kind, kinds[gives], `${name}: ${JSON.stringify(outcome)}`)
      if (outcome.kind === 'answer') t.equal(outcome.status, gives, name)
      return
    }
    const ops = outcome.kind === 'plan' ? outcome.plan.ops : []
    t.strictSame(stepsOf(ops), gives, `${name}: ${JSON.stringify(outcome)}`)
    if (outcome.kind === 'plan' && locale === 'en') t.ok(outcome.plan.changeLog.every((line) => known.test(line)), `${name}: in words that clients know`)
    if (outcome.kind === 'plan') t.strictSame(sketchOf(draftAfterPlan(ops)), sketchAfter(gives), `${name}: the draft`)
  })
  t.equal(rows.length, 193)
  t.end()
})
