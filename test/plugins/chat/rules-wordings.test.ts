import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import type { DraftSnapshot } from '../../../plugins/chat/types/planner.ts'
import { demoPages } from '../../../plugins/content/demo-pages.ts'
import { bicycleWordings, germanBicycleWordings } from '../../fixtures/chat/bicycle-wordings.ts'
import { kayakPages } from '../../fixtures/chat/site.ts'
import { wordings, type Wording } from '../../fixtures/chat/wordings.ts'
import { germanWordings } from '../../fixtures/chat/wordings-de.ts'
import { draftAfterPlan, planFor, sketchAfter, sketchOf, stepsOf } from '../../helpers/chat-rules.ts'
import { draftOf } from '../../helpers/content.ts'

type Verdict = 'right' | 'refused' | 'wrong'

interface Collection {
  readonly site: string
  readonly locale: string
  readonly pages: DraftSnapshot['pages']
  readonly rows: readonly Wording[]
  readonly atLeast: number
  /** How many of a hundred are understood; of those that were set aside it is only told. */
  readonly leastRight: number
}

const collections: readonly Collection[] = [
  { site: 'kayaks', locale: 'en', pages: kayakPages, rows: wordings, atLeast: 400, leastRight: 97 },
  { site: 'kayaks', locale: 'de', pages: kayakPages, rows: germanWordings, atLeast: 150, leastRight: 88 },
  { site: 'bicycles', locale: 'en', pages: demoPages, rows: bicycleWordings, atLeast: 100, leastRight: 85 },
  { site: 'bicycles', locale: 'de', pages: demoPages, rows: germanBicycleWordings, atLeast: 100, leastRight: 90 },
]

/** What is planned for a wording, on the draft that was made by what was said before. */
function planIn({ at, message, before }: Wording, { locale, pages }: Collection) {
  const draft: DraftSnapshot = { version: 3, pages, config: {} }
  const earlier = before === undefined ? undefined : planFor(at, before, { locale, draft })
  if (earlier?.kind !== 'plan') return planFor(at, message, { locale, draft })
  const { order, page, config } = draftAfterPlan(earlier.plan.ops, draftOf(pages))
  const changed = order.map((slug) => page(slug)).filter((one) => one !== undefined)
  return planFor(at, message, { locale, draft: { version: 4, pages: changed, config } })
}

function verdictOn(wording: Wording, collection: Collection): Verdict {
  const { gives } = wording
  const outcome = planIn(wording, collection)
  const isEdit = typeof gives !== 'string'
  if (outcome.kind !== 'plan') return isEdit ? 'refused' : 'right'
  return isEdit && isDeepStrictEqual(stepsOf(outcome.plan.ops), gives) ? 'right' : 'wrong'
}

for (const collection of collections) {
  const { site, pages, rows, atLeast, leastRight } = collection
  const locale = `${site}, ${collection.locale}`
  t.test(`a wording (${locale}) is understood or refused, never misunderstood`, (t) => {
    for (const isAside of [false, true]) {
      const some = rows.filter(({ aside }) => (aside === true) === isAside)
      const verdicts = some.map((row) => verdictOn(row, collection))
      const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length
      const rate = ((100 * count('right')) / some.length).toFixed(1)
      t.comment(`${locale}, ${isAside ? 'set aside' : 'others'}: ${count('right')} of ${some.length} right (${rate} %), ${count('refused')} refused, ${count('wrong')} wrong`)
      if (!isAside) t.ok(count('right') * 100 >= leastRight * some.length, `${count('right')} of ${some.length} are right`)
      some.forEach(({ at, message }, index) => t.not(verdicts[index], 'wrong', `${message} (${at})`))
    }
    t.end()
  })

  t.test(`what is understood (${locale}) makes the draft that was meant`, (t) => {
    for (const row of rows.filter(({ before }) => before === undefined)) {
      const { message, gives } = row
      const outcome = planIn(row, collection)
      if (outcome.kind === 'plan' && typeof gives !== 'string') t.strictSame(sketchOf(draftAfterPlan(outcome.plan.ops, draftOf(pages)), pages), sketchAfter(gives, pages), message)
    }
    t.end()
  })

  t.test(`there are enough wordings (${locale}), and a third of them was set aside`, (t) => {
    t.ok(rows.length >= atLeast, `${rows.length}`)
    t.ok(rows.filter(({ aside }) => aside).length * 3 >= rows.length)
    t.end()
  })
}
