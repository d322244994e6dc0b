import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { Case } from './case.ts'
import type { Result } from './evaluate.ts'
import { Baseline, commitOf, readBaseline, regressions, toReport, writeReport } from './report.ts'
import { crashed } from './score.ts'
import { drawMisses, drawResults, sumOf } from './table.ts'

const dimensions = { status: 1, opTypes: 1, targeting: 1, assertions: 1, content: 1 }
const resultOf = (
  id: string,
  total: number,
  more: Partial<Result> & { readonly category?: string; readonly weight?: number } = {},
): Result => {
  const { category = 'text_edit', weight = 1, ...rest } = more
  const wanted = v.parse(Case, {
    id,
    category,
    weight,
    slug: '/',
    message: `Do ${id}`,
    expectedStatus: 'applied',
  })
  return {
    wanted,
    total,
    verdict: 'acceptable',
    isIntrusive: false,
    misses: [],
    dimensions,
    status: 'applied',
    estimatedUsd: 0.5,
    ...rest,
  }
}
const baselineOf = (scores: Readonly<Record<string, number>>): Baseline => ({
  cases: Object.entries(scores).map(([id, score]) => ({ id, score })),
})
const at = new Date('2026-03-01T10:00:00.000Z')
const circumstances = { provider: 'rules', tier: 'none', commit: 'abc1234', at, seconds: 2 }

t.test('only a case that lost more than 0.15 is a regression', (t) => {
  for (const [name, was, is, isWorse] of [
    ['lost everything', 1, 0, true],
    ['lost slightly more than allowed', 1, 0.8499, true],
    ['lost exactly what is allowed', 1, 0.85, false],
    ['lost what is allowed, with rounding errors', 0.95, 0.8, false],
    ['gained', 0.2, 1, false],
  ] as const) {
    t.strictSame(regressions([resultOf('a', is)], baselineOf({ a: was })).length, isWorse ? 1 : 0, name)
  }
  t.strictSame(regressions([resultOf('new', 0), resultOf('old', 0.5)], baselineOf({ old: 1, gone: 1 })), [
    'old: 1.00 before, 0.50 now',
  ])
  t.end()
})

t.test(
  'a report is named by provider, tier, commit and time, and found as the latest baseline',
  async (t) => {
    const folder = join(t.testdir(), 'new', 'folder')
    const write = (total: number, more: object = {}) =>
      writeReport(folder, toReport([resultOf('a', total)], { ...circumstances, ...more }))
    await t.rejects(readBaseline('latest', folder, circumstances), {
      name: 'EvalError',
      message: /has no report of rules, none\. Run once without --baseline/,
    })
    t.equal(await write(0.1), join(folder, 'rules-none-abc1234-2026-03-01T100000.000Z.json'))
    // The hash of a later commit may sort before.
    await write(0.2, { commit: '0000001', at: new Date('2026-03-02T10:00:00.000Z') })
    await write(0.3, { provider: 'anthropic', tier: 'fast', at: new Date('2026-03-03T10:00:00.000Z') })
    await writeFile(join(folder, 'rules-none-notes.txt'), '')
    t.equal((await readdir(folder)).length, 4)
    t.match(await readBaseline('latest', folder, circumstances), baselineOf({ a: 0.2 }))
    t.match(
      await readBaseline('latest', folder, { provider: 'anthropic', tier: 'fast' }),
      baselineOf({ a: 0.3 }),
    )
    t.match(
      await readBaseline(
        join(folder, 'rules-none-abc1234-2026-03-01T100000.000Z.json'),
        folder,
        circumstances,
      ),
      baselineOf({ a: 0.1 }),
    )
    await t.rejects(readBaseline(join(folder, 'rules-none-notes.txt'), folder, circumstances), {
      message: /is not a report of npm run eval/,
    })
    await t.rejects(readBaseline(join(folder, 'none.json'), folder, circumstances), {
      message: /is not a report of npm run eval/,
    })
  },
)

t.test('a report contains the run info, the sums, and the misses of every case', (t) => {
  const report = toReport(
    [resultOf('a', 1, { verdict: 'exact' }), { ...resultOf('b', 0), ...crashed('the service answered 500') }],
    circumstances,
  )
  t.match(report, {
    provider: 'rules',
    at: '2026-03-01T10:00:00.000Z',
    all: { cases: 2, passes: 1, mean: 0.5 },
    categories: { text_edit: { cases: 2 } },
    cases: [
      { id: 'a', score: 1, verdict: 'exact', message: 'Do a' },
      { id: 'b', score: 0, verdict: 'wrong', misses: ['the service answered 500'] },
    ],
  })
  t.end()
})

t.test('means are weighted, and an unknown price gives an unknown sum', (t) => {
  const results = [
    resultOf('a', 1, { verdict: 'exact', weight: 3 }),
    resultOf('b', 0, { verdict: 'wrong', isIntrusive: true }),
    resultOf('c', 0.7, { category: 'rewrite' }),
  ]
  t.match(sumOf(results), {
    cases: 3,
    passes: 2,
    mean: 0.74,
    intrusive: 1,
    estimatedUsd: 1.5,
    counts: { exact: 1, acceptable: 1, refused: 0, wrong: 1 },
  })
  t.equal(sumOf([...results, resultOf('d', 1, { estimatedUsd: null })]).estimatedUsd, null)
  t.equal(sumOf([]).mean, 0)
  t.equal(
    drawResults(results),
    [
      'intent     cases  exact  acceptable  refused  wrong  mean score',
      'text_edit      2      1           0        0      1        0.75',
      'rewrite        1      0           1        0      0        0.70',
      'all            3      1           1        0      1        0.74',
    ].join('\n'),
  )
  t.end()
})

t.test('misses are listed with reasons, worst first', (t) => {
  const results = [
    resultOf('a', 0.8, { misses: ['b_1 is unchanged'] }),
    resultOf('b', 1, { verdict: 'exact' }),
    resultOf('c', 0, { verdict: 'wrong', misses: ['one', 'two'] }),
  ]
  t.strictSame(drawMisses(results), [
    'wrong 0.00 c: Do c\n  one\n  two',
    'acceptable 0.80 a: Do a\n  b_1 is unchanged',
  ])
  t.end()
})

t.test('the commit is `unknown` outside a clone', (t) => {
  t.equal(commitOf('/'), 'unknown')
  t.end()
})
