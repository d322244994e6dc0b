import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { wordings, type Wording } from '../../fixtures/chat/wordings.ts'
import { draftAfterPlan, planFor, sketchAfter, sketchOf, stepsOf } from '../../helpers/chat-rules.ts'

type Verdict = 'right' | 'refused' | 'wrong'

function verdictOn({ at, message, gives }: Wording): Verdict {
  const outcome = planFor(at, message)
  const isEdit = typeof gives !== 'string'
  if (outcome.kind !== 'plan') return isEdit ? 'refused' : 'right'
  return isEdit && isDeepStrictEqual(stepsOf(outcome.plan.ops), gives) ? 'right' : 'wrong'
}

/** How many of a hundred wordings are understood; of those that were set aside it is only told. */
const leastRight = 97

t.test('a wording is understood or refused, never misunderstood', (t) => {
  for (const isAside of [false, true]) {
    const some = wordings.filter(({ aside }) => (aside === true) === isAside)
    const verdicts = some.map(verdictOn)
    const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length
    const rate = ((100 * count('right')) / some.length).toFixed(1)
    t.comment(`${isAside ? 'set aside' : 'others'}: ${count('right')} of ${some.length} right (${rate} %), ${count('refused')} refused, ${count('wrong')} wrong`)
    if (!isAside) t.ok(count('right') * 100 >= leastRight * some.length, `${count('right')} of ${some.length} are right`)
    some.forEach(({ at, message }, index) => t.not(verdicts[index], 'wrong', `${message} (${at})`))
  }
  t.end()
})

t.test('what is understood makes the draft that was meant', (t) => {
  for (const { at, message, gives } of wordings) {
    const outcome = planFor(at, message)
    if (outcome.kind === 'plan' && typeof gives !== 'string') t.strictSame(sketchOf(draftAfterPlan(outcome.plan.ops)), sketchAfter(gives), message)
  }
  t.end()
})

t.test('there are enough wordings, and a third of them was set aside', (t) => {
  const aside = wordings.filter((wording) => wording.aside)
  t.ok(wordings.length >= 400, `${wordings.length}`)
  t.ok(aside.length * 3 >= wordings.length, `${aside.length}`)
  t.end()
})
