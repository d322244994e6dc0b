import t from 'tap'
import { contentOf, readingOf } from '../helpers/file-edits.ts'
import { fileSamples } from '../helpers/file-samples.ts'
import { chanceOf, editByChance, editNames, kindOf } from '../helpers/files-by-chance.ts'

t.test('a file is written back as it is, and random edits change their part alone', (t) => {
  let exact = 0
  for (const [name, text] of Object.entries(fileSamples)) {
    const sample = kindOf(name)
    if (!sample) throw new Error(`${name} has no kind`)
    const content = contentOf(readingOf(sample.kind, text))
    t.strictSame(sample.kind.patch(text, content, content), { text }, name)
    const chance = chanceOf(20261121)
    for (const edit of editNames) {
      const outcome = editByChance(sample, text, edit, chance)
      if (outcome?.result === 'exact') exact += 1
      if (outcome?.result === 'inexact') t.fail(`${name}: ${edit}: ${outcome.why}`)
    }
  }
  t.ok(exact > 80, `${exact} edits were exact`)
  t.end()
})

t.test('a part of a file, as its writer leaves it, is written back or unreadable', (t) => {
  const chance = chanceOf(7)
  for (const [name, whole] of Object.entries(fileSamples)) {
    const sample = kindOf(name)
    if (!sample) continue
    for (let n = 0; n < 3; n += 1) {
      const text = whole.slice(0, chance.below(whole.length))
      const read = sample.kind.read(text)
      if ('unreadable' in read) continue
      const content = contentOf(read)
      t.strictSame(sample.kind.patch(text, content, content), { text }, name)
    }
  }
  t.end()
})
