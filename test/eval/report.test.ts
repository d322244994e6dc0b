import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { Case } from './case.ts'
import type { Result } from './evaluate.ts'
import { commitOf, readBaseline, regressions, toReport, writeReport } from './report.ts'
import { crashed } from './score.ts'
import { drawMisses, drawResults, sumOf } from './table.ts'

function resultOf(id: string, total: number, more: Partial<Result> = {}, ofCase: object = {}): Result {
  const base = { id, category: 'text_edit', slug: '/', message: `Do ${id}`, expectedStatus: 'applied' }
  const dimensions = { status: 1, opTypes: 1, targeting: 1, assertions: 1, content: 1 }
  const wanted = v.parse(Case, { ...base, ...ofCase })
  const rest = { isIntrusive: false, misses: [], status: 'applied', estimatedUsd: 0.5, ...more }
  return { wanted, total, verdict: 'acceptable', dimensions, ...rest }
}
const at = new Date('2026-03-01T10:00:00.000Z')
const circumstances = { provider: 'rules', tier: 'none', commit: 'abc1234', at, seconds: 2 }

t.test('only a case that lost more than 0.15 is a regression', (t) => {
  const lost = (before: number, now: number) =>
    regressions([resultOf('a', now), resultOf('new', 0)], { cases: [{ id: 'a', score: before }] })
  t.strictSame(lost(1, 0.8499), ['a: 1.00 before, 0.85 now'])
  // 0.95 - 0.8 is slightly more than 0.15.
  for (const [before, now] of [
    [1, 0.85],
    [0.95, 0.8],
    [0.2, 1],
  ] as const)
    t.strictSame(lost(before, now), [])
  t.end()
})

t.test('a report is named by provider, tier, commit and time, and found as the baseline', async (t) => {
  const folder = join(t.testdir(), 'new', 'folder')
  const write = (score: number, more: object = {}) =>
    writeReport(folder, toReport([resultOf('a', score)], { ...circumstances, ...more }))
  const missing = /has no report of rules, none\. Run once without --baseline/
  await t.rejects(readBaseline('latest', folder, circumstances), { name: 'EvalError', message: missing })
  const first = await write(0.1)
  t.equal(basename(first), 'rules-none-abc1234-2026-03-01T100000.000Z.json')
  // The hash of a later commit may sort before.
  await write(0.2, { commit: '0000001', at: new Date('2026-03-02T10:00:00.000Z') })
  await write(0.3, { provider: 'anthropic', tier: 'fast', at: new Date('2026-03-03T10:00:00.000Z') })
  const notes = join(folder, 'rules-none-notes.txt')
  await writeFile(notes, '')
  for (const [baseline, score] of [
    ['latest', 0.2],
    [first, 0.1],
  ] as const)
    t.match(await readBaseline(baseline, folder, circumstances), { cases: [{ id: 'a', score }] })
  for (const path of [notes, join(folder, 'none.json')])
    await t.rejects(readBaseline(path, folder, circumstances), { message: /is not a report of npm run eval/ })
  t.equal(commitOf('/'), 'unknown', 'outside a clone')
})

t.test('a report has the run, the weighted sums, and the misses of every case, worst first', (t) => {
  const results = [
    resultOf('a', 1, { verdict: 'exact' }, { weight: 3 }),
    resultOf('b', 0.7, { misses: ['b_1 is unchanged'] }, { category: 'rewrite' }),
    {
      ...resultOf('c', 0, { isIntrusive: true }),
      ...crashed('one'),
      misses: ['one', 'two'],
      isIntrusive: true,
    },
  ]
  const sum = { cases: 3, passes: 2, mean: 0.74, intrusive: 1, estimatedUsd: 1.5 }
  t.match(sumOf(results), { ...sum, counts: { exact: 1, acceptable: 1, refused: 0, wrong: 1 } })
  t.equal(sumOf([...results, resultOf('d', 1, { estimatedUsd: null })]).estimatedUsd, null)
  t.equal(sumOf([]).mean, 0)
  t.match(toReport(results, circumstances), {
    provider: 'rules',
    at: at.toISOString(),
    all: sum,
    categories: { text_edit: { cases: 2 } },
    cases: [
      { id: 'a', score: 1, verdict: 'exact', message: 'Do a' },
      {},
      { id: 'c', misses: ['one', 'two'] },
    ],
  })
  t.equal(
    drawResults(results),
    [
      'intent     cases  exact  acceptable  refused  wrong  mean score',
      'text_edit      2      1           0        0      1        0.75',
      'rewrite        1      0           1        0      0        0.70',
      'all            3      1           1        0      1        0.74',
    ].join('\n'),
  )
  t.strictSame(drawMisses(results), [
    'wrong 0.00 c: Do c\n  one\n  two',
    'acceptable 0.70 b: Do b\n  b_1 is unchanged',
  ])
  t.end()
})
