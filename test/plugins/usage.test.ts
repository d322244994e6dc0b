import t, { type Test } from 'tap'
import { clock, give, use } from '../../kernel/index.ts'
import { mountForTest, openGates, stillClock } from '../../kernel/testing.ts'
import scopePlugin from '../../plugins/scope/index.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { store } from '../../plugins/store/port.ts'
import usagePlugin from '../../plugins/models/usage/index.ts'
import { usage, type PricedCall } from '../../plugins/models/usage/port.ts'

const call = (more: Partial<PricedCall> = {}): PricedCall => ({
  model: 'claude-sonnet-4-6',
  inputTokens: 10,
  outputTokens: 5,
  cacheCreationInputTokens: 2,
  cacheReadInputTokens: 100,
  estimatedUsd: 0.5,
  ...more,
})
const dev = { siteId: 'acme', session: 'dev' }
const none = {
  runs: 0,
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheCreationInputTokens: 0,
  cacheReadInputTokens: 0,
  estimatedUsd: 0,
}

const hourMs = 60 * 60 * 1000

/** A service with a writable usage log and a controllable clock. */
async function setUp(t: Test, env: Readonly<Record<string, string>> = {}) {
  const time = stillClock('2026-03-01T23:00:00.000Z')
  const seeds = [...openGates, give(store, createMemoryStore()), give(clock, time)]
  const mounted = mountForTest(t, { plugins: [use(usagePlugin), use(scopePlugin, {})], seeds, env })
  await mounted.ready()
  const { add, budget } = await mounted.get(usage)
  const report = async (query = '') => (await mounted.inject({ url: `/usage?${query}` })).json()
  return { mounted, time, add, budget, report }
}

t.test('runs are summed by day, site, session and model', async (t) => {
  const { time, add, report } = await setUp(t)
  t.strictSame(await report(), { rows: [], total: none })
  await add(dev, [call(), call({ model: 'claude-haiku-4-5', estimatedUsd: 0.1 })])
  await add({ siteId: 'zoo', session: 'dev' }, [call()])
  time.advance(2 * hourMs)
  await add(dev, [call()])
  await add(dev, [])
  const tokens = { inputTokens: 40, outputTokens: 20, cacheCreationInputTokens: 8, cacheReadInputTokens: 400 }
  const cases: readonly (readonly [query: string, total: object, ...rows: readonly object[]])[] = [
    [
      '',
      { runs: 3, calls: 4, ...tokens, estimatedUsd: 1.6 },
      { key: '2026-03-01', runs: 2, calls: 3, estimatedUsd: 1.1 },
      { key: '2026-03-02', runs: 1, calls: 1, estimatedUsd: 0.5 },
    ],
    ['group=site', { runs: 3 }, { key: 'acme', runs: 2 }, { key: 'zoo', runs: 1 }],
    ['group=session', { runs: 3 }, { key: 'acme::dev', runs: 2 }, { key: 'zoo::dev' }],
    [
      'group=model',
      { runs: 3 },
      { key: 'claude-haiku-4-5', runs: 1, calls: 1 },
      { key: 'claude-sonnet-4-6', runs: 3, calls: 3 },
    ],
    ['siteId=zoo', { runs: 1 }, { key: '2026-03-01' }],
    ['siteId=acme&session=other', none],
    ['from=2026-03-02', { runs: 1 }, { key: '2026-03-02' }],
    ['to=2026-03-01', { runs: 2 }, { key: '2026-03-01' }],
  ]
  for (const [query, total, ...rows] of cases) t.match(await report(query), { rows, total }, query)
})

t.test(
  'an unknown price makes the sum unknown, and counts as the dearest known towards the budget',
  async (t) => {
    const { add, report } = await setUp(t, { CHAT_BUDGET_USD_PER_DAY: '5' })
    await add(dev, [call(), call({ model: '__proto__', estimatedUsd: null })])
    t.match(await report('group=model'), {
      rows: [
        { key: '__proto__', estimatedUsd: null },
        { key: 'claude-sonnet-4-6', estimatedUsd: 0.5 },
      ],
      total: { estimatedUsd: null },
      budget: { perDayUsd: 5, spentUsd: 0.500475 },
    })
  },
)

t.test('an invalid period is refused with a remedy', async (t) => {
  const { mounted } = await setUp(t)
  for (const query of ['from=2026-03-02&to=2026-03-01', 'from=2020-01-01', 'from=2026-05-01']) {
    const answer = await mounted.inject({ url: `/usage?${query}` })
    t.equal(answer.status, 400, query)
    t.match(answer.json(), { code: 'bad_period', reason: /at most 366 days/ }, query)
  }
  for (const query of ['from=yesterday', 'to=2026-02-30', 'group=week', 'from=2026-1-1', 'session=a%00b']) {
    t.equal((await mounted.inject({ url: `/usage?${query}` })).status, 400, query)
  }
})

t.test('the budget applies to one day', async (t) => {
  const { time, add, budget } = await setUp(t, { CHAT_BUDGET_USD_PER_DAY: '0.8' })
  await add(dev, [call()])
  await add(dev, [call()])
  t.strictSame(await budget(), { perDayUsd: 0.8, spentUsd: 1 })
  time.advance(hourMs)
  t.strictSame(await budget(), { perDayUsd: 0.8, spentUsd: 0 })
  t.equal(await (await setUp(t)).budget(), undefined)
  for (const word of ['0', '-1', 'much', 'Infinity'])
    await t.rejects(setUp(t, { CHAT_BUDGET_USD_PER_DAY: word }), /CHAT_BUDGET_USD_PER_DAY.*dollars/)
})

t.test('runs that end at the same time all count', async (t) => {
  const { add, report } = await setUp(t)
  await Promise.all(Array.from({ length: 50 }, () => add(dev, [call()])))
  t.match(await report(), { total: { runs: 50, calls: 50 } })
})

t.test('days are deleted after 400 days', async (t) => {
  const { time, add, report } = await setUp(t)
  const runs = async (days: number) => {
    time.advance(days * 24 * hourMs)
    await add(dev, [call()])
    return report('from=2026-03-01&to=2026-03-01')
  }
  for (const [days, kept] of [
    [0, 1],
    [399, 1],
    [5, 0],
  ] as const)
    t.match(await runs(days), { total: { runs: kept } })
})
