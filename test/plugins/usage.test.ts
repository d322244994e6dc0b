import t from 'tap'
import { clock, definePlugin, give, use } from '../../kernel/index.ts'
import { everyWayIn, mountForTest, openGates, stillClock } from '../../kernel/testing.ts'
import scopePlugin from '../../plugins/scope/index.ts'
import { createMemoryStore } from '../../plugins/store/memory.ts'
import { store } from '../../plugins/store/port.ts'
import usagePlugin from '../../plugins/usage/index.ts'
import { usage, type PricedCall, type UsageLog } from '../../plugins/usage/port.ts'

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

/** A service with a writable usage log and a controllable clock. */
function setUp(env: Readonly<Record<string, string>> = {}) {
  const time = stillClock('2026-03-01T23:00:00.000Z')
  let log: UsageLog | undefined
  const writer = definePlugin({ name: 'writer', tag: 'Chat', needs: { usage } }).setup(({ needs }) => {
    log = needs.usage
    return {}
  })
  const seeds = [...openGates, give(store, createMemoryStore()), give(clock, time)]
  const setting = { plugins: [use(usagePlugin), use(writer), use(scopePlugin, {})], seeds, env }
  const add: UsageLog['add'] = async (...args) => log?.add(...args)
  return { setting, time, add, budget: async () => log?.budget() }
}

t.test('an empty log has no rows', (t) =>
  everyWayIn(
    t,
    () => setUp().setting,
    async (t, ask) => {
      const answer = await ask({ url: '/usage' })
      t.equal(answer.status, 200)
      t.strictSame(answer.json(), { rows: [], total: none })
    },
  ),
)

t.test('runs are summed by day, site, session and model', async (t) => {
  const { setting, time, add } = setUp()
  const mounted = mountForTest(t, setting)
  await mounted.ready()
  await add(dev, [call(), call({ model: 'claude-haiku-4-5', estimatedUsd: 0.1 })])
  await add({ siteId: 'zoo', session: 'dev' }, [call()])
  time.advance(2 * 60 * 60 * 1000)
  await add(dev, [call()])
  await add(dev, [])
  const rows = async (query: string) => (await mounted.inject({ url: `/usage?${query}` })).json()

  t.match(await rows(''), {
    rows: [
      { key: '2026-03-01', runs: 2, calls: 3, estimatedUsd: 1.1 },
      { key: '2026-03-02', runs: 1, calls: 1, estimatedUsd: 0.5 },
    ],
    total: {
      runs: 3,
      calls: 4,
      inputTokens: 40,
      outputTokens: 20,
      cacheCreationInputTokens: 8,
      cacheReadInputTokens: 400,
      estimatedUsd: 1.6,
    },
  })
  t.match(await rows('group=site'), {
    rows: [
      { key: 'acme', runs: 2 },
      { key: 'zoo', runs: 1 },
    ],
  })
  t.match(await rows('group=session'), { rows: [{ key: 'acme::dev', runs: 2 }, { key: 'zoo::dev' }] })
  t.match(await rows('group=model'), {
    rows: [
      { key: 'claude-haiku-4-5', runs: 1, calls: 1 },
      { key: 'claude-sonnet-4-6', runs: 3, calls: 3 },
    ],
    total: { runs: 3 },
  })
  t.match(await rows('siteId=zoo'), { total: { runs: 1 } })
  t.match(await rows('siteId=acme&session=other'), { total: none })
  t.match(await rows('from=2026-03-02'), { rows: [{ key: '2026-03-02' }], total: { runs: 1 } })
  t.match(await rows('to=2026-03-01'), { total: { runs: 2 } })
})

t.test(
  'an unknown price makes the sum unknown, and counts as the dearest known towards the budget',
  async (t) => {
    const { setting, add } = setUp({ CHAT_BUDGET_USD_PER_DAY: '5' })
    const mounted = mountForTest(t, setting)
    await mounted.ready()
    await add(dev, [call(), call({ model: '__proto__', estimatedUsd: null })])
    t.match((await mounted.inject({ url: '/usage?group=model' })).json(), {
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
  const mounted = mountForTest(t, setUp().setting)
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
  const { setting, time, add, budget } = setUp({ CHAT_BUDGET_USD_PER_DAY: '0.8' })
  await mountForTest(t, setting).ready()
  await add(dev, [call()])
  await add(dev, [call()])
  t.strictSame(await budget(), { perDayUsd: 0.8, spentUsd: 1 })
  time.advance(60 * 60 * 1000)
  t.strictSame(await budget(), { perDayUsd: 0.8, spentUsd: 0 })
  const free = setUp()
  await mountForTest(t, free.setting).ready()
  t.equal(await free.budget(), undefined)
})

t.test('a budget that is not a number of dollars fails the boot', async (t) => {
  for (const word of ['0', '-1', 'much', 'Infinity']) {
    const error: unknown = await mountForTest(t, setUp({ CHAT_BUDGET_USD_PER_DAY: word }).setting)
      .ready()
      .catch((error: unknown) => error)
    t.match(error, { problems: [/CHAT_BUDGET_USD_PER_DAY.*dollars/] }, word)
  }
})

t.test('runs that end at the same time all count', async (t) => {
  const { setting, add } = setUp()
  const mounted = mountForTest(t, setting)
  await mounted.ready()
  await Promise.all(Array.from({ length: 50 }, () => add(dev, [call()])))
  t.match((await mounted.inject({ url: '/usage' })).json(), { total: { runs: 50, calls: 50 } })
})

t.test('days are deleted after 400 days', async (t) => {
  const { setting, time, add } = setUp()
  const mounted = mountForTest(t, setting)
  await mounted.ready()
  await add(dev, [call()])
  const day = 24 * 60 * 60 * 1000
  time.advance(399 * day)
  await add(dev, [call()])
  const old = async () => (await mounted.inject({ url: '/usage?from=2026-03-01&to=2026-03-01' })).json()
  t.match(await old(), { total: { runs: 1 } })
  time.advance(5 * day)
  await add(dev, [call()])
  t.match(await old(), { total: { runs: 0 } })
})
