import t from 'tap'
import { draftAfterPlan, sketchAfter, sketchOf } from '../../helpers/chat-rules.ts'
import { draftOf } from '../../helpers/content.ts'
import { collections, outcomeOf, verdictOn } from '../../helpers/rules-corpus.ts'

/** Clients show a line only if it begins with one of these. */
const known = /^(?:Add|Adjust|Change|Create|Delete|Duplicate|Fix|Insert|Move|Remove|Rename|Reorder|Replace|Set|Translate|Update) ./

for (const collection of collections) {
  const { name, locale, pages, config, rows, floor } = collection
  t.test(`${name} (${locale}): understood or refused, never misunderstood`, (t) => {
    let right = 0
    for (const [index, row] of rows.entries()) {
      const { at, gives, before, aside } = row
      const message = aside ? `a wording that was set aside, ${index}` : row.message
      const outcome = outcomeOf(row, collection)
      const verdict = verdictOn(outcome, gives)
      t.not(verdict, 'wrong', `${message} (${at})`)
      if (verdict === 'right' && !aside) right += 1
      if (outcome.kind !== 'plan' || typeof gives === 'string' || verdict === 'wrong') continue
      if (locale === 'en') t.ok(outcome.plan.changeLog.every((line) => known.test(line)), `${message}: in words that clients know`)
      if (before !== undefined) continue
      const draft = draftAfterPlan(outcome.plan.ops, draftOf(pages, config ?? {}))
      if (!config) t.strictSame(sketchOf(draft, pages), sketchAfter(gives, pages), `${message}: the draft`)
    }
    t.ok(right >= floor, `${right} of ${rows.filter(({ aside }) => !aside).length} are right, at least ${floor}`)
    t.end()
  })
}

t.test('what must not edit does not, in the other language of answers either', (t) => {
  for (const collection of collections) {
    const locale = collection.locale === 'en' ? 'de-AT' : 'en-GB'
    for (const row of collection.rows.filter(({ gives }) => typeof gives === 'string')) {
      t.not(outcomeOf(row, { ...collection, locale }).kind, 'plan', row.aside ? 'a wording that was set aside' : `${row.message} (${locale})`)
    }
  }
  t.end()
})

t.test('a third of the wordings was set aside', (t) => {
  for (const { name, locale, rows } of collections.filter(({ rows: all }) => all.some(({ aside }) => aside))) {
    t.ok(rows.filter(({ aside }) => aside).length * 3 >= rows.length, `${name} (${locale})`)
  }
  t.end()
})
