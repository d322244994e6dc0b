import t from 'tap'
import { draftAfterPlan, sketchAfter, sketchOf } from '../../helpers/chat-rules.ts'
import { draftOf } from '../../helpers/content.ts'
import { collections, outcomeOf, verdictOn } from '../../helpers/rules-corpus.ts'

/** Clients display a change log line only if it begins with one of these. */
const known = /^(?:Add|Adjust|Change|Create|Delete|Duplicate|Fix|Insert|Move|Remove|Rename|Reorder|Replace|Set|Translate|Update) ./

for (const collection of collections) {
  const { name, locale, pages, config, rows, floor } = collection
  t.test(`${name} (${locale}): planned correctly or refused, never wrongly`, (t) => {
    let right = 0
    for (const [index, row] of rows.entries()) {
      const { at, gives, before, aside } = row
      const message = aside ? `held-out message ${index}` : row.message
      const outcome = outcomeOf(row, collection)
      const verdict = verdictOn(outcome, gives)
      t.not(verdict, 'wrong', `${message} (${at})`)
      if (verdict === 'right' && !aside) right += 1
      if (outcome.kind !== 'plan' || typeof gives === 'string' || verdict === 'wrong') continue
      if (locale === 'en') t.ok(outcome.plan.changeLog.every((line) => known.test(line)), `${message}: change log lines that clients display`)
      if (before !== undefined) continue
      const draft = draftAfterPlan(outcome.plan.ops, draftOf(pages, config ?? {}))
      if (!config) t.strictSame(sketchOf(draft, pages), sketchAfter(gives, pages), `${message}: the draft`)
    }
    t.ok(right >= floor, `${right} of ${rows.filter(({ aside }) => !aside).length} are right, at least ${floor}`)
    t.end()
  })
}

t.test('messages that must not edit do not, in the other response language either', (t) => {
  for (const collection of collections) {
    const locale = collection.locale === 'en' ? 'de-AT' : 'en-GB'
    for (const row of collection.rows.filter(({ gives }) => typeof gives === 'string')) {
      t.not(outcomeOf(row, { ...collection, locale }).kind, 'plan', row.aside ? 'held-out message' : `${row.message} (${locale})`)
    }
  }
  t.end()
})

t.test('a third of the messages is held out', (t) => {
  for (const { name, locale, rows } of collections.filter(({ rows: all }) => all.some(({ aside }) => aside))) {
    t.ok(rows.filter(({ aside }) => aside).length * 3 >= rows.length, `${name} (${locale})`)
  }
  t.end()
})
