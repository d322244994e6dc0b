/** Tools of other services, with which the planner looks things up before it plans. */
import t, { type Test } from 'tap'
import { use } from '../../../kernel/index.ts'
import { mountForTest, openGates } from '../../../kernel/testing.ts'
import outbound from '../../../plugins/outbound/index.ts'
import toolsPlugin from '../../../plugins/tools/index.ts'
import { toolExecutor } from '../../../plugins/tools/port.ts'
import { Canceled } from '../../../plugins/chat/port.ts'
import { inputFor, settingsWith, startPlanner } from '../../helpers/model-planner.ts'
import {
  calling,
  ending,
  opening,
  planning,
  saying,
  type Script,
  type SeenCall,
  sending,
  thoughts,
  toolCall,
} from '../../helpers/model-server.ts'
import { withToolFile } from '../../helpers/tool-file.ts'
import { startSite } from '../../helpers/upstream.ts'
import { until } from '../../helpers/until.ts'

const plan = {
  intent: 'edit_plan',
  summary_for_user: 'I will name the price.',
  change_log: ['Set the heading to "12 EUR"'],
  ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b_hero_home', patch: { heading: '12 EUR' } }],
}
const message = 'Put the price of the canoe into the heading'
const input = inputFor(message, { session: 'dev' })
const prices = [['shop_price', { boat: 'canoe' }]] as const

/**
 * A planner with the tools of a local service: one that reads, one that writes, one with the name of the plan
 * tool.
 */
async function openPlanner(
  t: Test,
  scripts: readonly Script[],
  answer: unknown = { euros: 12 },
  settings = settingsWith(),
) {
  const shop = await startSite(t, (request, response) => {
    if (request.url === '/hanging') return
    response
      .writeHead(answer === null ? 500 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data: answer }))
  })
  const at = (path: string) => `${shop.origin}/${path}`
  const boat = { type: 'object', properties: { boat: { type: 'string' } } }
  const listed = [
    ['shop.price', 'read', at('shop.price')],
    ['shop.order', 'write', at('shop.order')],
    ['submit.edit.plan', 'read', at('submit.edit.plan')],
    ['hanging', 'read', at('hanging')],
  ] as const
  const env = await withToolFile(t, listed, boat)
  const mounted = mountForTest(t, { plugins: [use(outbound), use(toolsPlugin)], seeds: openGates, env })
  const bench = await startPlanner(t, scripts, settings, { executor: await mounted.get(toolExecutor) })
  return { ...bench, shop }
}

const toolsIn = (seen: SeenCall | undefined) => seen?.body.tools.map(({ name }) => name)
const resultsIn = (seen: SeenCall | undefined) => seen?.body.messages.at(-1)?.content

t.test('a tool that only reads can be called before the plan, and its result is data', async (t) => {
  const { plan: ask, server, shop } = await openPlanner(t, [calling(prices, 'Let me see.'), planning(plan)])
  const { outcome, events, spent, attempts } = await ask(input)
  t.match(outcome, { kind: 'plan', plan: { ops: plan.ops } })
  const readers = ['submit_edit_plan', 'shop_price', 'submit_edit_plan_2', 'hanging']
  t.strictSame(toolsIn(server.seen[0]), readers, 'none that writes')
  const marks = server.seen[0]?.body.tools.map(({ cache_control }) => cache_control !== undefined)
  t.strictSame(marks, [true, false, false, false])
  t.ok(server.seen.every(({ body }) => body.tool_choice?.type === 'auto'))
  const context = { siteId: 'demo', sessionId: 'dev', traceId: 'run', plannerProvider: 'anthropic' }
  t.match(
    shop.seen.map(({ body }) => JSON.parse(body)),
    [{ toolName: 'shop.price', arguments: { boat: 'canoe' }, context }],
  )
  const call = { type: 'tool_use', name: 'shop_price', input: { boat: 'canoe' } }
  const text = /^<untrusted_data source="tool result">\n\{"euros":12\}/
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ text }] }
  t.match(server.seen[1]?.body.messages.slice(-2), [
    { role: 'assistant', content: [{ text: 'Let me see.' }, call] },
    { role: 'user', content: [result] },
  ])
  t.match(
    events.find(({ type }) => type === 'status'),
    { message: 'Looking something up' },
  )
  t.strictSame([spent.length, attempts.length], [2, 1], 'a lookup is no attempt')
})

t.test('without tools of other services, the plan tool is forced in one call', async (t) => {
  const none = { list: () => [], forModel: () => [], execute: () => Promise.reject(new Error('not asked')) }
  const settings = settingsWith({}, { tier: 'fast' })
  for (const executor of [undefined, none]) {
    const { plan: ask, server } = await startPlanner(t, [planning(plan)], settings, { executor })
    t.equal((await ask(input)).outcome?.kind, 'plan')
    t.strictSame(
      server.seen.map((seen) => [toolsIn(seen), seen.body.tool_choice]),
      [[['submit_edit_plan'], { type: 'tool', name: 'submit_edit_plan' }]],
    )
  }
})

t.test('a call that fails is an error result for the model', async (t) => {
  const many = Array.from({ length: 10 }, () => prices[0])
  const cases: readonly (readonly [
    name: string,
    calls: Parameters<typeof calling>[0],
    answer: unknown,
    results: readonly RegExp[],
  ])[] = [
    ['a tool that fails', prices, null, [/status 500/]],
    ['a tool that writes', [['shop_order', {}]], {}, [/No tool has this name/]],
    ['an input of the wrong shape', [['shop_price', { boat: 7 }]], {}, [/boat/]],
    ['an input that is not JSON', [['shop_price', '{"__proto__":{"x":']], 7, [/./]],
    ['a result of the wrong shape', prices, 'twelve', [/./]],
    ['a result that is too long', prices, { text: 'x'.repeat(200_000) }, [/too long/]],
    ['too many at once', many, 'twelve', [...many.slice(0, 8).map(() => /./), /At most 8/, /At most 8/]],
  ]
  for (const [name, calls, answer, results] of cases) {
    const { plan: ask, server } = await openPlanner(t, [calling(calls), planning(plan)], answer)
    t.equal((await ask(input)).outcome?.kind, 'plan', name)
    t.match(
      resultsIn(server.seen[1]),
      results.map((text) => ({ type: 'tool_result', is_error: true, content: [{ text }] })),
      name,
    )
  }
})

t.test('after six answers that only call tools the plan is forced, and no further call runs', async (t) => {
  const scripts = [...Array.from({ length: 6 }, () => calling(prices)), planning(plan)]
  const opened = await openPlanner(t, scripts, {}, settingsWith({}, { tier: 'fast' }))
  const { plan: ask, server, shop } = opened
  t.equal((await ask(input)).outcome?.kind, 'plan')
  t.equal(shop.seen.length, 6)
  const choices = server.seen.map(({ body }) => body.tool_choice?.type)
  t.equal(choices.join(' '), 'auto auto auto auto auto auto tool')
  const endless = await openPlanner(t, [calling(prices)])
  const attempts = Array.from({ length: 3 }, () => 'the answer has no plan')
  t.match((await endless.plan(input)).error, { kind: 'unusable', details: { attempts } })
  t.equal(endless.shop.seen.length, 6)
})

t.test('an answer with a plan ends the lookups, and prose stays a question', async (t) => {
  const lookup = toolCall('{}', { name: 'shop_price', id: 'toolu_1' })
  const both = sending(opening() + lookup + toolCall(JSON.stringify(plan), { index: 1 }) + ending('tool_use'))
  const { plan: ask, shop } = await openPlanner(t, [both])
  t.match((await ask(input)).outcome, { kind: 'plan', plan: { ops: plan.ops } })
  t.equal(shop.seen.length, 0)
  const question = 'Which of the two canoes do you mean?'
  const asks = await openPlanner(t, [calling(prices), saying(question)])
  t.match((await asks.plan(input)).outcome, { kind: 'question', question })
})

t.test('the thoughts before a lookup are sent back with it', async (t) => {
  const lookup = toolCall('{}', { name: 'shop_price', index: 1 })
  const thinking = sending(opening() + thoughts('It depends') + lookup + ending('tool_use'))
  const { plan: ask, server } = await openPlanner(t, [thinking, planning(plan)])
  t.equal((await ask({ ...input, tier: 'reasoning' })).outcome?.kind, 'plan')
  t.match(server.seen[1]?.body.messages.at(-2)?.content, [
    { type: 'thinking', thinking: 'It depends', signature: 'signed' },
    { type: 'tool_use' },
  ])
})

t.test('canceling ends a lookup', async (t) => {
  const { plan: ask, server, shop } = await openPlanner(t, [calling([['hanging', {}]]), planning(plan)])
  const abort = new AbortController()
  const pending = ask(input, { signal: abort.signal })
  await until(() => shop.seen.length > 0, 'the lookup')
  abort.abort()
  t.ok((await pending).error instanceof Canceled)
  t.equal(server.seen.length, 1)
})
