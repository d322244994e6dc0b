import t from 'tap'
import { ranges, startsOf, sumsOf } from '../../plugins/studio/app/insights/series.ts'

t.test('values are summed by the hour or day in which they lie', async (t) => {
  const now = Date.parse('2026-03-01T10:20:00.000Z')
  const starts = startsOf({ text: '', unit: 'day', count: 3 }, now)
  t.strictSame(
    starts.map((start) => new Date(start).toISOString().slice(0, 10)),
    ['2026-02-27', '2026-02-28', '2026-03-01'],
  )
  const items = [
    '2026-02-26T23:59',
    '2026-02-27T00:00',
    '2026-03-01T10:19',
    '2026-03-01T00:00',
    '2026-03-02T00:00',
  ]
  const at = (item: string): string => `${item}:00.000Z`
  t.strictSame(sumsOf(starts, items, at), [1, 0, 2])
  t.strictSame(
    sumsOf(starts, items, at, () => 0.5),
    [0.5, 0, 1],
  )
  t.equal(startsOf(ranges.day, now).length, 24)
  t.equal(sumsOf(startsOf(ranges.day, now), items, at).at(-1), 1, 'the last hour has not ended')
})
