import t from 'tap'
import fc from '../helpers/property.ts'
import { diffWordsWithSpace } from 'diff'
import { isOther } from '../../plugins/studio/app/stores/other-text.ts'
import { longestRising, movesIn, ordinal } from '../../plugins/studio/app/stores/moves.ts'

const placed = (before: string, after: string) =>
  [...new Set(before + after)].map((blockId) => ({
    blockId,
    type: 'Hero',
    status: 'moved' as const,
    ...(before.includes(blockId) && { positionBefore: before.indexOf(blockId) }),
    ...(after.includes(blockId) && { positionAfter: after.indexOf(blockId) }),
  }))

t.test('as few blocks as possible are moved', async (t) => {
  const rows: readonly (readonly [before: string, after: string, moves: object])[] = [
    ['abcd', 'abcd', {}],
    ['abcd', 'dabc', { d: { from: 4, to: 1 } }],
    ['abcd', 'bcda', { a: { from: 1, to: 4 } }],
    ['abcd', 'acbd', { c: { from: 3, to: 2 } }],
    ['abcd', 'axbcd', {}],
    ['abcd', 'acd', {}],
    ['abcd', 'dxac', { d: { from: 3, to: 1 } }],
  ]
  for (const [before, after, moves] of rows)
    t.strictSame(Object.fromEntries(movesIn(placed(before, after))), moves, `${before} to ${after}`)
})

t.test('a longest rising subsequence rises, and no longer one exists', async (t) => {
  const longest = (numbers: readonly number[]): number =>
    Math.max(
      0,
      ...numbers.map((number, at) => 1 + longest(numbers.slice(at + 1).filter((later) => later > number))),
    )
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(50), { maxLength: 8 }), (numbers) => {
      const chosen = [...longestRising(numbers)].toSorted((a, b) => a - b).map((at) => numbers[at] ?? 0)
      return (
        chosen.length === longest(numbers) &&
        chosen.every((each, at) => at === 0 || (chosen[at - 1] ?? 0) < each)
      )
    }),
  )
  t.pass('for lists by chance')
})

t.test('places are words', async (t) => {
  t.strictSame([1, 2, 3, 4, 11, 12, 13, 21, 102].map(ordinal), [
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '102nd',
  ])
})

t.test('words are marked only while most of them stay', async (t) => {
  const intlSegmenter = new Intl.Segmenter('en', { granularity: 'word' })
  const rows: readonly (readonly [before: string, after: string, isOther: boolean])[] = [
    ['Bring it in today', 'Come by today', true],
    ['Your bike, ready for every day', 'Your bike, ready for a rainy day', false],
    ['Open daily.', 'Open daily. On Sundays we bake bread and serve coffee from nine to five.', false],
    ['', 'New', false],
    ['今日は休みです', '明日は開いています', true],
  ]
  for (const [before, after, other] of rows)
    t.equal(isOther(diffWordsWithSpace(before, after, { intlSegmenter })), other, `${before} to ${after}`)
})
