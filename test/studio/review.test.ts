import t from 'tap'
import fc from '../helpers/property.ts'
import { diffWordsWithSpace } from 'diff'
import { isOther } from '../../plugins/studio/app/stores/other-text.ts'
import { longestRising, movesIn, ordinal, saidToMove } from '../../plugins/studio/app/stores/moves.ts'
import { changesIn } from '../../plugins/studio/app/stores/published-changes.ts'
import { rowMovesIn } from '../../plugins/studio/app/stores/row-moves.ts'

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
    ['abcd', 'dxac', { d: { from: 4, to: 1 } }],
    ['abcd', 'xabdc', { d: { from: 4, to: 4 } }],
  ]
  for (const [before, after, moves] of rows)
    t.strictSame(Object.fromEntries(movesIn(placed(before, after))), moves, `${before} to ${after}`)
})

t.test('of two neighbours the one has moved that the log names', async (t) => {
  const diffs = placed('abcd', 'acbd').map((each) => ({ ...each, type: each.blockId.toUpperCase() }))
  for (const [name, moves] of [
    ['B', { b: { from: 2, to: 3 } }],
    ['C', { c: { from: 3, to: 2 } }],
  ] as const) {
    const summaries = [`Undo of ${name.toLowerCase()} moved on page "Home"`]
    t.strictSame(Object.fromEntries(movesIn(diffs, saidToMove(summaries))), moves)
  }
})

t.test('a row of a list that only changed its place is a move', async (t) => {
  const card = (title: string) => ({ title, text: `About ${title}`, cta: 'Book' })
  const differences = (old: readonly string[], now: readonly string[]) => {
    const [before, after] = [old.map(card), now.map(card)]
    const diffs = after.flatMap((row, at) =>
      (['title', 'text'] as const)
        .filter((name) => before[at]?.[name] !== row[name])
        .map((name) => ({ path: `cards[${at}].${name}`, before: before[at]?.[name] })),
    )
    return rowMovesIn({ cards: after }, diffs)
  }
  t.strictSame(differences(['a', 'b', 'c'], ['c', 'a', 'b']), [{ list: 'cards', text: 'c', from: 3, to: 1 }])
  t.strictSame(differences(['a', 'b', 'c'], ['a', 'b', 'd']), [], 'another text is no move')
  t.strictSame(rowMovesIn({ cards: [card('a')] }, [{ path: 'cards[0]', before: undefined }]), [])
})

t.test('a publish is told from others by the changes since the one before', async (t) => {
  const publish = (at: string) => ({ at, status: 'success' as const })
  const change = (version: number, at: string) => ({ version, at, channel: 'api' as const })
  const publishes = [publish('5'), { at: '4', status: 'failed' as const }, publish('2')]
  const log = [change(1, '1'), change(2, '3'), change(3, '4')]
  const versionsIn = (row: Parameters<typeof changesIn>[0]) =>
    changesIn(row, publishes, log).map(({ version }) => version)
  t.strictSame(versionsIn(publish('5')), [2, 3])
  t.strictSame(versionsIn(publish('2')), [1])
  t.strictSame(versionsIn(publish('6')), [], 'nothing came since')
  t.strictSame(versionsIn({ ...publish('5'), rolledBackTo: 'x' }), [], 'it is older than the changes')
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
