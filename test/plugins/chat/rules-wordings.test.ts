import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { wordings, type Wording } from '../../fixtures/chat/wordings.ts'
import { germanWordings } from '../../fixtures/chat/wordings-de.ts'
import { draftAfterPlan, planFor, sketchAfter, sketchOf, stepsOf } from '../../helpers/chat-rules.ts'

type Verdict = 'right' | 'refused' | 'wrong'

interface Collection {
  readonly locale: string
  readonly rows: readonly Wording[]
  readonly atLeast: number
  /** How many of a hundred are understood; of those that were set aside it is only told. */
  readonly leastRight: number
}

const collections: readonly Collection[] = [
  { locale: 'en', rows: wordings, atLeast: 400, leastRight: 97 },
  { locale: 'de', rows: germanWordings, atLeast: 150, leastRight: 88 },
]

function verdictOn({ at, message, gives }: Wording, locale: string): Verdict {
  const outcome = planFor(at, message, { locale })
  const isEdit = typeof gives !== 'string'
  if (outcome.kind !== 'plan') return isEdit ? 'refused' : 'right'
  return isEdit && isDeepStrictEqual(stepsOf(outcome.plan.ops), gives) ? 'right' : 'wrong'
}

for (const { locale, rows, atLeast, leastRight } of collections) {
  t.test(`a wording (${locale}) is understood or refused, never misunderstood`, (t) => {
    for (const isAside of [false, true]) {
      const some = rows.filter(({ aside }) => (aside === true) === isAside)
      const verdicts = some.map((row) => verdictOn(row, locale))
      const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length
      const rate = ((100 * count('right')) / some.length).toFixed(1)
      t.comment(`${locale}, ${isAside ? 'set aside' : 'others'}: ${count('right')} of ${some.length} right (${rate} %), ${count('refused')} refused, ${count('wrong')} wrong`)
      if (!isAside) t.ok(count('right') * 100 >= leastRight * some.length, `${count('right')} of ${some.length} are right`)
      some.forEach(({ at, message }, index) => t.not(verdicts[index], 'wrong', `${message} (${at})`))
    }
    t.end()
  })

  t.test(`what is understood (${locale}) makes the draft that was meant`, (t) => {
    for (const { at, message, gives } of rows) {
      const outcome = planFor(at, message, { locale })
      if (outcome.kind === 'plan' && typeof gives !== 'string') t.strictSame(sketchOf(draftAfterPlan(outcome.plan.ops)), sketchAfter(gives), message)
    }
    t.end()
  })

  t.test(`there are enough wordings (${locale}), and a third of them was set aside`, (t) => {
    t.ok(rows.length >= atLeast, `${rows.length}`)
    t.ok(rows.filter(({ aside }) => aside).length * 3 >= rows.length)
    t.end()
  })
}
