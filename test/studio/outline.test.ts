import t from 'tap'
import { placedAfter } from '../../plugins/studio/app/edit/placed-after.ts'
import { gapAt } from '../../plugins/studio/app/parts/drag.ts'
import { rowsIn, textIn } from '../../plugins/studio/app/stores/label.ts'

t.test('a block is called by a text of its own', async (t) => {
  const fields = { motto: { kind: 'text' }, secret: { kind: 'text', internal: true } } as const
  const cases = [
    [{ body: 'Later', heading: 'Row the harbor' }, 'Row the harbor'],
    [{ heading: '', body: '**Bold** and [a link](/there)\n\nsecond' }, 'Bold and a link second'],
    [{ html: 7, motto: '<p>Fair <b>and</b> square</p>' }, 'Fair and square'],
    [{ secret: 'hidden', alt: 'A boat' }, 'A boat'],
    [{ title: 'نادي التجديف' }, 'نادي التجديف'],
    [{ heading: 'x'.repeat(200) }, `${'x'.repeat(80)}…`],
    [{}, ''],
  ] as const
  for (const [props, text] of cases) t.equal(textIn(props, fields), text)
})

t.test('the rows of a list hang on their ids, not on their positions', async (t) => {
  const fields = { cards: { kind: 'list', label: 'Cards', itemFields: { lead: { kind: 'text' } } } } as const
  const cards = [{ id: 'b', title: 'Second' }, null, { _key: 'c', lead: 'Third' }, {}]
  t.match(rowsIn({ cards }, fields), [
    { key: 'b', index: 0, count: 4, text: 'Second' },
    { key: 'c', index: 2, text: 'Third' },
    { index: 3, text: 'Cards 4' },
  ])
  t.strictSame(rowsIn({ cards: 'none' }, fields), [])
})

t.test('a move names the neighbour, and a drop the gap', async (t) => {
  const ids = ['a', 'b', 'c']
  t.strictSame(placedAfter(ids, 'a', 'c'), ['b', 'c', 'a'])
  t.strictSame(placedAfter(ids, 'c', undefined), ['c', 'a', 'b'])
  t.strictSame(placedAfter(ids, 'b', 'a'), ids)
  const areas = [0, 32, 64].map((top) => ({ top, height: 32 }))
  t.strictSame(
    [-5, 15, 17, 50, 81, 500].map((y) => gapAt(y, areas)),
    [0, 0, 1, 2, 3, 3],
  )
})
