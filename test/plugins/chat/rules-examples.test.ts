import t from 'tap'
import { asksForPlanFirst, isConfirmation, isRefusal } from '../../../plugins/chat/rules/intent.ts'
import { examples } from '../../fixtures/chat/examples.ts'
import { draftAfterPlan, planFor, sketchAfter, sketchOf, stepsOf } from '../../helpers/chat-rules.ts'

const kinds = { question: 'question', unchanged: 'unchanged', unsupported: 'unsupported', info: 'answer', advice: 'answer' } as const

t.test('every example gives what it should, as operations and as a draft', (t) => {
  examples.forEach(({ at, message, gives, held, asked }, index) => {
    const name = `${index + 1}: ${message} (${at})`
    if (gives === 'empty') return void t.equal(message, '', name)
    if (gives === 'approves') return void t.ok(isConfirmation(message), name)
    if (gives === 'refuses') return void t.ok(isRefusal(message), name)
    const outcome = planFor(at, message, { asked })
    t.equal(asksForPlanFirst(message), held?.includes('plan_first') ?? false, `${name}: asks for a plan first`)
    if (typeof gives === 'string') {
      t.equal(outcome.kind, kinds[gives], `${name}: ${JSON.stringify(outcome)}`)
      if (outcome.kind === 'answer') t.equal(outcome.status, gives, name)
      return
    }
    const ops = outcome.kind === 'plan' ? outcome.plan.ops : []
    t.strictSame(stepsOf(ops), gives, `${name}: ${JSON.stringify(outcome)}`)
    if (outcome.kind === 'plan') t.strictSame(sketchOf(draftAfterPlan(ops)), sketchAfter(gives), `${name}: the draft`)
  })
  t.equal(examples.length, 193)
  t.end()
})
