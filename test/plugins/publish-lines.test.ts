import t from 'tap'
import { withLineChanges } from '../../plugins/publish/testing.ts'
import fc from '../helpers/property.ts'

const text = 'one\ntwo\nthree\nfour'

t.test('a text gets the lines that differ between two others, beside its own', async (t) => {
  const cases: readonly (readonly [text: string, after: string, result: string | undefined])[] = [
    [text, 'one\n2\nthree\nfour', 'one\n2\nthree\nfour'],
    ['1\ntwo\nthree\nfour', 'one\n2\nthree\nfour', '1\n2\nthree\nfour'],
    ['one\ntwo\nthree\nfour\nfive\n', 'zero\none\ntwo\nfour', 'zero\none\ntwo\nfour\nfive\n'],
    ['one\ntwo\nfour', 'one\ntwo\nthree\n4', 'one\ntwo\n4'],
    ['one\nmine\ntwo\nthree\nfour', 'one\nyours\ntwo\nthree\nfour', undefined],
    ['one\nmine\nthree\nfour', 'one\nyours\nthree\nfour', undefined],
    ['one\nmine\ntwo\nthree\nfour', 'one\n2\nthree\nfour', 'one\nmine\n2\nthree\nfour'],
    ['', text.replace('two', '2'), undefined],
  ]
  for (const [own, after, result] of cases)
    t.equal(withLineChanges(own, text, after), result, JSON.stringify([own, after]))
})

t.test('what both have changed at lines of their own is there, and nothing else', async (t) => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd\r'), { maxLength: 12 })
  fc.assert(
    fc.property(lines, lines, lines, lines, (first, own, second, brought) => {
      const join = (one: readonly string[], other: readonly string[]): string =>
        [...one, '---', 'kept', '---', ...other].join('\n')
      const before = join(first, second)
      const result = withLineChanges(join(own, second), before, join(first, brought))
      return result === undefined || result === join(own, brought)
    }),
  )
  t.equal(withLineChanges('a\r\nb\r\nc', 'A\r\nb\r\nc', 'A\r\nb\r\nC'), 'a\r\nb\r\nC')
})
