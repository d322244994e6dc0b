import t from 'tap'
import { mergeTyped, spread } from '../../plugins/site/testing.ts'

const seen = ['We build boats.', 'We build a boats.', 'We build a  boats.', 'We build a big boats.']

t.test('a text that the page showed before is what was typed', (t) => {
  for (const now of seen)
    t.strictSame(mergeTyped(now, seen, 14), { text: 'We build a big boats.', caret: 14 })
  t.end()
})

t.test('what another has written elsewhere in the text stays, and the caret with what was typed', (t) => {
  t.strictSame(mergeTyped('We all build boats.', seen, 14), { text: 'We all build a big boats.', caret: 18 })
  t.strictSame(mergeTyped('We build boats here.', seen, 14), {
    text: 'We build a big boats here.',
    caret: 14,
  })
  const since = mergeTyped('We all build a big boats.', seen, 14)
  t.strictSame(since, { text: 'We all build a big boats.', caret: 18 }, 'on what was stored')
  t.strictSame(mergeTyped('We sell', ['We build'], 8), { text: 'We sell', caret: 7 }, 'nothing was typed')
  t.end()
})

t.test('where both have changed the same, it is what was typed', (t) => {
  const text = 'We build a big boats.'
  t.strictSame(mergeTyped('We built ships.', [...seen.slice(0, 1), text], 14), { text, caret: 14 })
  t.end()
})

t.test('a text is spread over the nodes that are there', (t) => {
  t.strictSame(spread(['We ', 'build', ' boats'], 'We build boats now'), ['We ', 'build', ' boats now'])
  t.strictSame(spread(['We ', 'build', ' boats'], 'We bd boats'), ['We ', 'bd', ' boats'])
  t.strictSame(spread(['We ', 'build', ' boats'], 'Wx boats'), ['Wx', '', ' boats'])
  t.strictSame(spread(['', ''], 'a'), ['a', ''])
  t.strictSame(spread(['a', 'b'], 'xab'), ['xa', 'b'])
  t.end()
})
