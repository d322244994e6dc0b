import t, { type Test } from 'tap'
import * as v from 'valibot'
import { definePlugin, give, Refusal, use } from '../../../kernel/index.ts'
import { capturedLog, mountForTest } from '../../../kernel/testing.ts'
import agent from '../../../plugins/agents/loop/index.ts'
import {
  agentLoop,
  defineLoopTool,
  type LoopAnswer,
  type LoopCall,
  type LoopEvent,
  type LoopRun,
} from '../../../plugins/agents/loop/port.ts'
import llm from '../../../plugins/models/anthropic/index.ts'
import { keyedProviders, type KeyedProvider, type LoopClient } from '../../../plugins/models/port.ts'
import openai from '../../../plugins/models/openai/index.ts'
import toolsPlugin from '../../../plugins/tools/index.ts'
import { usage, type Budget, type PricedCall } from '../../../plugins/models/usage/port.ts'
import { calls } from '../../helpers/agent.ts'
import * as completions from '../../helpers/completions-server.ts'
import {
  ending,
  failing,
  failingMidway,
  hanging,
  opening,
  prose,
  saying,
  sending,
  startModelServer,
  thoughts,
  toolCall,
} from '../../helpers/model-server.ts'
import { draftsInMemory } from '../../helpers/stack.ts'

const limits = { maxTurns: 10, maxToolCalls: 5, maxTokens: 1_000, deadlineMs: 20_000 }
const model = 'claude-sonnet-4-6'

const tool = (name: string, run: (call: LoopCall) => Promise<LoopAnswer>) =>
  defineLoopTool({ name, description: name, input: v.object({}) }, (_, call) => run(call))
const tools = [
  defineLoopTool(
    { name: 'add', description: 'Adds.', input: v.object({ a: v.number(), b: v.number() }) },
    async ({ a, b }) => ({ text: String(a + b) }),
  ),
  tool('refuse', async () => {
    throw new Refusal({ status: 404, code: 'not_found', reason: 'There is no such page. List the pages.' })
  }),
  tool('break', async () => {
    throw new Error('secret detail')
  }),
  tool('look', async () => ({
    text: 'a picture',
    pictures: [{ type: 'image/png', bytes: Buffer.from('png') }],
  })),
  tool('much', async () => ({ text: 'x'.repeat(70_000) })),
  tool('slow', async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    return { text: 'late' }
  }),
]

/** The loop with clients of both providers, at servers of both protocols. */
async function started(t: Test, budget?: Budget) {
  const server = await startModelServer(t)
  const other = await completions.startCompletionsServer(t)
  const spent: { readonly calls: readonly PricedCall[]; readonly runs: number | undefined }[] = []
  let providers: readonly KeyedProvider[] = []
  const asking = definePlugin({ name: 'asking', tag: 'Agent', needs: { keyedProviders } }).setup(
    ({ needs }) => {
      providers = needs.keyedProviders
      return {}
    },
  )
  const { log, lines } = capturedLog()
  const usageLog = {
    add: async (_: unknown, calls: readonly PricedCall[], runs?: number) => void spent.push({ calls, runs }),
    budget: async () => budget,
    addCall: async () => undefined,
    usePrices: () => undefined,
    countGeneration: async () => undefined,
  }
  const setting = draftsInMemory({
    plugins: [use(llm, {}), use(openai, {}), use(toolsPlugin), use(agent, {}), use(asking)],
    seeds: [give(usage, usageLog)],
    env: { ANTHROPIC_BASE_URL: server.origin, OPENAI_BASE_URL: `${other.origin}/v1` },
  })
  const loop = await mountForTest(t, { ...setting, log }).get(agentLoop)
  const clientOf = (name: string): LoopClient => {
    const client = providers.find(({ provider }) => provider === name)?.open('sk-ant-marker-key')
    if (!client) throw new Error('there is no client')
    return client
  }
  const events: LoopEvent[] = []
  const run = (more: Partial<LoopRun> = {}) =>
    loop.run({
      of: { siteId: 'demo', session: 'dev' },
      client: clientOf('anthropic'),
      model,
      system: [{ text: 'rules' }],
      messages: [{ role: 'user', texts: [{ text: 'go' }] }],
      tools,
      limits,
      onEvent: (event) => void events.push(event),
      signal: new AbortController().signal,
      ...more,
    })
  return { server, other, run, events, spent, lines, clientOf }
}

t.test('tool calls run in order, turn by turn, and usage is recorded after each call', async (t) => {
  const { server, run, events, spent } = await started(t)
  server.script(calls('add {"a":1,"b":2}\nrefuse {}', 'I add. '), saying('Three.'))
  const result = await run({ thinking: { tokens: 1_024, effort: 'high' }, temperature: 0 })
  const refusal = { name: 'refuse', resultExcerpt: 'There is no such page. List the pages.', isError: true }
  t.match(result, {
    text: 'Three.',
    turns: 2,
    ended: 'end',
    toolCalls: [{ name: 'add', input: { a: 1, b: 2 }, resultExcerpt: '3', isError: false }, refusal],
    usage: { inputTokens: 200, outputTokens: 100, cacheReadInputTokens: 600, cacheCreationInputTokens: 40 },
  })
  t.ok((result.costUsd ?? 0) > 0)
  t.match(spent, [
    { runs: 1, calls: { length: 1 } },
    { runs: 0, calls: { length: 1 } },
  ])
  const [first, second] = server.seen.map(({ body }) => body)
  const adaptive = { thinking: { type: 'adaptive' }, tool_choice: { type: 'auto' } }
  t.match(first, { model, max_tokens: 1_000 + 8_192, ...adaptive })
  const uses = [
    { type: 'text', text: 'I add. ' },
    { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 1, b: 2 } },
    { type: 'tool_use', id: 'toolu_2' },
  ]
  const results = [
    { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ text: '3' }], is_error: undefined },
    { type: 'tool_result', tool_use_id: 'toolu_2', is_error: true },
  ]
  const messages = [{}, { role: 'assistant', content: uses }, { role: 'user', content: results }]
  t.match(second, { thinking: { type: 'disabled' }, messages })
  t.equal([...new Set(events.map(({ type }) => type))].join(' '), 'turn text spent tool_start tool_end')
})

t.test('thinking and images go back with their turn, blank text does not', async (t) => {
  const { server, run } = await started(t)
  const look = toolCall('{}', { index: 1, name: 'look', id: 'toolu_9' })
  server.script(sending(opening() + thoughts('hm') + look + ending('tool_use')), saying('Seen.'))
  await run()
  const image = { type: 'image', source: { data: 'cG5n' } }
  t.match(server.seen[1]?.body.messages.slice(1), [
    {
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'signed' },
        { id: 'toolu_9', name: 'look' },
      ],
    },
    { content: [{ tool_use_id: 'toolu_9', content: [{ type: 'text' }, image] }] },
  ])
  server.script(calls('add {"a":1,"b":1}', ' \n'), saying('Two.'))
  await run()
  t.strictSame(
    server.seen[3]?.body.messages[1]?.content.map(({ type }) => type),
    ['tool_use'],
  )
})

t.test('invalid arguments, unknown tools and faults become results without details', async (t) => {
  const { server, run, lines } = await started(t)
  const wrong = 'add {"a":"one"}\nadd {"a": 1,\ndelete_everything {}\nbreak {}\nmuch {}'
  server.script(calls(wrong), saying('Done.'))
  t.match(await run(), {
    ended: 'end',
    toolCalls: [
      { isError: true, resultExcerpt: /^Invalid arguments\. / },
      { isError: true, resultExcerpt: /must be a JSON object/ },
      { isError: true, resultExcerpt: /Unknown tool 'delete_everything'\. Available tools: add, / },
      { isError: true, resultExcerpt: /^The tool failed because of an internal error/ },
      { isError: false, resultExcerpt: /^x{400}$/ },
    ],
  })
  const sent = JSON.stringify(server.seen[1]?.body)
  t.notMatch(sent, 'secret detail')
  t.match(sent, '[cut: 4464 more characters]')
  t.match(lines.join(''), 'secret detail', 'the log says why')
})

t.test('a run ends at each of its limits with a partial result', async (t) => {
  const { server, run } = await started(t)
  server.script(calls('add {"a":1,"b":1}', 'Again. '))
  t.match(await run(), { ended: 'tool_limit', text: 'Again. ', toolCalls: { length: 5 } })
  t.match(await run({ limits: { ...limits, maxTurns: 2 } }), { ended: 'turn_limit', turns: 2 })
  const tight = { ...limits, budgetUsd: 0.000_001 }
  t.match(await run({ limits: tight }), { ended: 'budget', turns: 1, toolCalls: { length: 1 } })
  const unpriced = { ended: 'budget', turns: 1, costUsd: null }
  t.match(await run({ model: 'unheard-of', limits: tight }), unpriced, 'counts as the dearest')
  const short = { ...limits, deadlineMs: 300 }
  server.script(hanging(opening() + prose('Well')))
  t.match(await run({ limits: short }), { ended: 'deadline' })
  await server.idle()
  for (const lines of ['slow {}\nslow {}', 'slow {}']) {
    server.script(calls(lines))
    t.match(await run({ limits: short }), { ended: 'deadline', toolCalls: { length: 1 } }, 'after the tool')
  }
  const spent = await started(t, { perDayUsd: 1, spentUsd: 1 })
  t.match(await spent.run(), { ended: 'budget', turns: 0, text: '' })
  t.equal(spent.server.seen.length, 0)
})

t.test('429, 5xx and overload are retried once after Retry-After, unless output was received', async (t) => {
  const { server, run, spent } = await started(t)
  const count = (): number => server.seen.length
  for (const [status, type] of [
    [429, 'rate_limit_error'],
    [529, 'overloaded_error'],
    [500, 'api_error'],
  ] as const) {
    const before = count()
    const script = failing(status, type, { 'retry-after': '0' })
    server.script(script, saying('Here.'))
    t.match(await run(), { text: 'Here.', ended: 'end' })
    server.script(script)
    await t.rejects(run(), { name: 'ModelFailure' })
    t.equal(count() - before, 4)
  }
  const [before, paid] = [count(), spent.length]
  server.script(failingMidway(opening() + prose('Half'), 'overloaded_error'))
  await t.rejects(run(), { message: /is overloaded/ })
  t.equal(spent.length, paid + 1, 'usage of a failed call counts')
  server.script(failing(401, 'authentication_error'))
  await t.rejects(run(), { message: /did not accept the key/ })
  server.script(failing(429, 'rate_limit_error', { 'retry-after': '3600' }))
  await t.rejects(run(), { message: /takes no more requests/ })
  t.equal(count() - before, 3, 'no retry, and no wait beyond the deadline')
})

t.test('cancel aborts the model call and the wait before a retry', async (t) => {
  const { server, run } = await started(t)
  server.script(hanging(opening() + prose('Well')))
  const stop = new AbortController()
  const { signal } = stop
  const reason = new Error('canceled')
  await t.rejects(run({ signal, onEvent: ({ type }) => type === 'text' && stop.abort(reason) }), reason)
  await server.idle()
  await t.rejects(run({ signal }), reason)
  t.equal(server.seen.length, 1)
  const waiting = new AbortController()
  server.script((response, seen) => {
    failing(429, 'rate_limit_error', { 'retry-after': '5' })(response, seen)
    setTimeout(() => waiting.abort(reason), 20)
  })
  await t.rejects(run({ signal: waiting.signal }), reason)
})

t.test('the loop also works with the OpenAI protocol', async (t) => {
  const { other, run, clientOf } = await started(t)
  const { opening, toolCall, ending, prose } = completions
  const uses = ['add', 'look', 'refuse'].map((name, index) =>
    toolCall(index === 0 ? '{"a":1,"b":2}' : '{}', { index, name }),
  )
  other.script(
    sending(opening() + uses.join('') + ending('tool_calls')),
    sending(opening() + prose('Three.') + ending('stop')),
  )
  t.match(await run({ client: clientOf('openai'), model: 'gpt-4o', temperature: 0 }), {
    text: 'Three.',
    ended: 'end',
    toolCalls: [{ name: 'add', resultExcerpt: '3' }, { name: 'look' }, { name: 'refuse', isError: true }],
  })
  const [first, second] = other.seen.map(({ body }) => body)
  t.match(first, { temperature: 0, tool_choice: 'auto' })
  const add = { id: 'call_0', function: { name: 'add', arguments: '{"a":1,"b":2}' } }
  t.match(second?.messages, [
    { role: 'system' },
    { role: 'user', content: 'go' },
    { role: 'assistant', tool_calls: [add, { id: 'call_1' }, { id: 'call_2' }] },
    { role: 'tool', tool_call_id: 'call_0', content: '3' },
    { role: 'tool', tool_call_id: 'call_1' },
    { role: 'tool', tool_call_id: 'call_2', content: /^Error: There is no such page/ },
    { role: 'user', content: [{ type: 'image_url' }] },
  ])
})
