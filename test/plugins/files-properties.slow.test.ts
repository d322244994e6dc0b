import t from 'tap'
import { contentOf, readingOf } from '../helpers/file-edits.ts'
import { fileSamples } from '../helpers/file-samples.ts'
import { chanceOf, editByChance, editNames, kindOf } from '../helpers/files-by-chance.ts'
import { runs } from '../helpers/property.ts'

t.test('many random edits of a file change their part alone', (t) => {
  const chance = chanceOf(5)
  let exact = 0
  for (const [name, text] of Object.entries(fileSamples))
    for (let n = 0; n < runs(10) * editNames.length; n += 1) {
      const sample = kindOf(name)
      const edit = editNames[n % editNames.length]
      const outcome = sample && edit && editByChance(sample, text, edit, chance)
      if (outcome?.result === 'inexact') t.fail(`${name}: ${edit}: ${outcome.why}`)
      if (outcome?.result === 'exact') exact += 1
    }
  t.ok(exact > 1000, `${exact} edits were exact`)
  t.end()
})

t.test('of ten thousand lines, one is edited', (t) => {
  const { kind } = kindOf('a.md') ?? {}
  const text = Array.from({ length: 2500 }, (_, n) => `- ${n}\n\n## ${n}\n\n`).join('')
  if (!kind) return t.end()
  const before = contentOf(readingOf(kind, text))
  const blocks = before.blocks.map((block) =>
    block.type === 'Heading' && block.props['text'] === '1250'
      ? { ...block, props: { level: 2, text: 'Half' } }
      : block,
  )
  t.strictSame(kind.patch(text, before, { ...before, blocks }), { text: text.replace('## 1250', '## Half') })
  t.end()
})
