import t, { type Test } from 'tap'
import * as v from 'valibot'
import { definePlugin, give, Refusal, use } from '../../../kernel/index.ts'
import { capturedLog, mountForTest } from '../../../kernel/testing.ts'
import agent from '../../../plugins/agent/index.ts'
import {
  agentLoop,
  defineLoopTool,
  type LoopEvent,
  type LoopRun,
  type LoopTool,
} from '../../../plugins/agent/port.ts'
import llm from '../../../plugins/llm/index.ts'
import { keyedProviders, type KeyedProvider, type LoopClient } from '../../../plugins/llm/port.ts'
import openai from '../../../plugins/openai/index.ts'
import toolsPlugin from '../../../plugins/tools/index.ts'
import { usage, type Budget, type PricedCall } from '../../../plugins/usage/port.ts'
import * as completions from '../../helpers/completions-server.ts'
import {
  calling,
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
  type Script,
} from '../../helpers/model-server.ts'
import { draftsInMemory } from '../../helpers/stack.ts'

const limits = { maxTurns: 10, maxToolCalls: 5, maxTokens: 1_000, deadlineMs: 20_000 }
const model = 'claude-sonnet-4-6'

/** Three tools: one adds, one fails as a refusal and one as a fault. */
const tools: readonly LoopTool[] = [
  defineLoopTool(
    { name: 'add', description: 'Adds.', input: v.object({ a: v.number(), b: v.number() }) },
    async ({ a, b }) => ({ text: String(a + b) }),
  ),
  defineLoopTool({ name: 'refuse', description: 'Refuses.', input: v.object({}) }, async () => {
    throw new Refusal({ status: 404, code: 'not_found', reason: 'There is no such page. List the pages.' })
  }),
  defineLoopTool({ name: 'break', description: 'Breaks.', input: v.object({}) }, async () => {
    throw new Error('secret detail')
  }),
  defineLoopTool({ name: 'look', description: 'Looks.', input: v.object({}) }, async () => ({
    text: 'a picture',
    pictures: [{ type: 'image/png', bytes: Buffer.from('png') }],
  })),
  defineLoopTool({ name: 'much', description: 'Gives much.', input: v.object({}) }, async () => ({
    text: 'x'.repeat(70_000),
  })),
]

/** The loop with clients of both providers, at a server of the Messages API. */
async function started(t: Test, budget?: Budget) {
  const server = await startModelServer(t)
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
    countGeneration: () => undefined,
  }
  const setting = draftsInMemory({
    plugins: [use(llm, {}), use(openai, {}), use(toolsPlugin), use(agent, {}), use(asking)],
    seeds: [give(usage, usageLog)],
    env: { ANTHROPIC_BASE_URL: server.origin },
  })
  const mounted = mountForTest(t, { ...setting, log })
  const loop = await mounted.get(agentLoop)
  const client = providers.find(({ provider }) => provider === 'anthropic')?.open('sk-ant-marker-key')
  if (!client) throw new Error('there is no client')
  const events: LoopEvent[] = []
  const run = (more: Partial<LoopRun> = {}) =>
    loop.run({
      of: { siteId: 'demo', session: 'dev' },
      client,
      model,
      system: [{ text: 'rules' }],
      messages: [{ role: 'user', texts: [{ text: 'go' }] }],
      tools,
      limits,
      onEvent: (event) => void events.push(event),
      signal: new AbortController().signal,
      ...more,
    })
  return { server, run, events, spent, lines, loop }
}

const typesOf = (events: readonly LoopEvent[]): string =>
  [...new Set(events.map(({ type }) => type))].join(' ')

t.test('tool calls run in order, turn by turn, and usage is recorded after each call', async (t) => {
  const { server, run, events, spent } = await started(t)
  server.script(
    calling(
      [
        ['add', { a: 1, b: 2 }],
        ['refuse', {}],
      ],
      'I add. ',
    ),
    saying('Three.'),
  )
  const result = await run({ thinking: { tokens: 1_024, effort: 'high' }, temperature: 0 })
  t.match(result, {
    text: 'Three.',
    turns: 2,
    ended: 'end',
    toolCalls: [
      { name: 'add', input: { a: 1, b: 2 }, resultExcerpt: '3', isError: false },
      { name: 'refuse', resultExcerpt: 'There is no such page. List the pages.', isError: true },
    ],
    usage: { inputTokens: 200, outputTokens: 100, cacheReadInputTokens: 600, cacheCreationInputTokens: 40 },
  })
  t.ok((result.costUsd ?? 0) > 0)
  t.strictSame(
    spent.map(({ runs, calls }) => [runs, calls.length]),
    [
      [1, 1],
      [0, 1],
    ],
  )
  const [first, second] = server.seen.map(({ body }) => body)
  t.match(first, {
    model,
    max_tokens: 1_000 + 8_192,
    thinking: { type: 'adaptive' },
    tool_choice: { type: 'auto' },
  })
  t.match(second, {
    thinking: { type: 'disabled' },
    messages: [
      { role: 'user' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I add. ' },
          { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 1, b: 2 } },
          { type: 'tool_use', id: 'toolu_2' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ text: '3' }], is_error: undefined },
          { type: 'tool_result', tool_use_id: 'toolu_2', is_error: true },
        ],
      },
    ],
  })
  t.equal(typesOf(events), 'turn text spent tool_start tool_end')
})

t.test('thinking is sent back with its turn, and tool images are included', async (t) => {
  const { server, run } = await started(t)
  server.script(
    sending(
      opening() +
        thoughts('hm') +
        toolCall('{}', { index: 1, name: 'look', id: 'toolu_9' }) +
        ending('tool_use'),
    ),
    saying('Seen.'),
  )
  await run()
  t.match(server.seen[1]?.body.messages, [
    {},
    {
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'signed' },
        { type: 'tool_use', id: 'toolu_9', name: 'look' },
      ],
    },
    {
      content: [
        { tool_use_id: 'toolu_9', content: [{ type: 'text' }, { type: 'image', source: { data: 'cG5n' } }] },
      ],
    },
  ])
})

t.test('whitespace before a tool call is not sent as text, which providers reject', async (t) => {
  const { server, run } = await started(t)
  server.script(calling([['add', { a: 1, b: 1 }]], ' \n'), saying('Two.'))
  await run()
  t.match(server.seen[1]?.body.messages[1]?.content, [{ type: 'tool_use' }])
  t.equal(server.seen[1]?.body.messages[1]?.content.length, 1)
})

t.test(
  'invalid arguments, unknown tools and faults become tool results without details of the fault',
  async (t) => {
    const { server, run, lines } = await started(t)
    server.script(
      calling([
        ['add', { a: 'one' }],
        ['add', '{"a": 1,'],
        ['delete_everything', {}],
        ['break', {}],
        ['much', {}],
      ]),
      saying('Done.'),
    )
    const { toolCalls, ended } = await run()
    t.equal(ended, 'end')
    t.match(
      toolCalls.map(({ resultExcerpt }) => resultExcerpt),
      [
        /^Invalid arguments\. /,
        /must be a JSON object/,
        /Unknown tool 'delete_everything'\. Available tools: add, /,
        /^The tool failed because of an internal error/,
        /^x{400}$/,
      ],
    )
    t.strictSame(
      toolCalls.map(({ isError }) => isError),
      [true, true, true, true, false],
    )
    const sent = JSON.stringify(server.seen[1]?.body)
    t.notMatch(sent, 'secret detail')
    t.match(sent, '[cut: 4464 more characters]')
    t.match(lines.join(''), 'secret detail', 'the log says why')
  },
)

t.test('a run ends at each of its limits with a partial result', async (t) => {
  const { server, run } = await started(t)
  const forever: Script<unknown> = calling([['add', { a: 1, b: 1 }]], 'Again. ')
  server.script(forever)
  t.match(await run(), { ended: 'tool_limit', text: 'Again. ', toolCalls: { length: 5 } })
  t.match(await run({ limits: { ...limits, maxTurns: 2 } }), { ended: 'turn_limit', turns: 2 })
  t.match(await run({ limits: { ...limits, budgetUsd: 0.000_001 } }), {
    ended: 'budget',
    turns: 1,
    toolCalls: { length: 1 },
  })
  t.match(
    await run({ model: 'unheard-of', limits: { ...limits, budgetUsd: 0.000_001 } }),
    { ended: 'budget', turns: 1, costUsd: null },
    'a model without a price counts as the dearest',
  )
  server.script(hanging(opening() + prose('Well')))
  t.match(await run({ limits: { ...limits, deadlineMs: 300 } }), { ended: 'deadline' })
  await server.idle()
})

t.test('a deadline that passes in a tool ends the run after the tool', async (t) => {
  const { server, run } = await started(t)
  const slow = defineLoopTool(
    { name: 'slow', description: 'Waits.', input: v.object({}) },
    async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      return { text: 'late' }
    },
  )
  server.script(
    calling([
      ['slow', {}],
      ['slow', {}],
    ]),
  )
  t.match(await run({ tools: [slow], limits: { ...limits, deadlineMs: 300 } }), {
    ended: 'deadline',
    toolCalls: { length: 1 },
  })
  server.script(calling([['slow', {}]]))
  t.match(await run({ tools: [slow], limits: { ...limits, deadlineMs: 300 } }), {
    ended: 'deadline',
    toolCalls: { length: 1 },
  })
})

t.test('no model is called once the daily budget is spent', async (t) => {
  const { server, run } = await started(t, { perDayUsd: 1, spentUsd: 1 })
  server.script(saying('Hello.'))
  t.match(await run(), { ended: 'budget', turns: 0, text: '' })
  t.equal(server.seen.length, 0)
})

t.test('429, 5xx and overload are retried once after Retry-After, unless output was received', async (t) => {
  for (const script of [
    failing(429, 'rate_limit_error', { 'retry-after': '0' }),
    failing(529, 'overloaded_error', { 'retry-after': '0' }),
    failing(500, 'api_error', { 'retry-after': '0' }),
  ]) {
    const { server, run } = await started(t)
    server.script(script, saying('Here.'))
    t.match(await run(), { text: 'Here.', ended: 'end' })
    server.script(script)
    await t.rejects(run(), { name: 'ModelFailure' })
    t.equal(server.seen.length, 4)
  }
  const { server, run, spent } = await started(t)
  server.script(failingMidway(opening() + prose('Half'), 'overloaded_error'))
  await t.rejects(run(), { message: /is overloaded/ })
  t.equal(server.seen.length, 1)
  t.equal(spent.length, 1, 'usage of a failed call counts')
  server.script(failing(401, 'authentication_error'))
  await t.rejects(run(), { message: /did not accept the key/ })
  server.script(failing(429, 'rate_limit_error', { 'retry-after': '3600' }))
  await t.rejects(run(), { message: /takes no more requests/ })
  t.equal(server.seen.length, 3, 'no wait beyond the deadline')
})

t.test('cancel aborts the model call and the wait before a retry', async (t) => {
  const { server, run } = await started(t)
  server.script(hanging(opening() + prose('Well')))
  const stop = new AbortController()
  const reason = new Error('canceled')
  await t.rejects(
    run({ signal: stop.signal, onEvent: ({ type }) => type === 'text' && stop.abort(reason) }),
    reason,
  )
  await server.idle()
  t.equal(server.seen.length, 1)
  await t.rejects(run({ signal: stop.signal }), reason)
  t.equal(server.seen.length, 1)
  const waiting = new AbortController()
  server.script((response, seen) => {
    failing(429, 'rate_limit_error', { 'retry-after': '5' })(response, seen)
    setTimeout(() => waiting.abort(reason), 20)
  })
  await t.rejects(run({ signal: waiting.signal }), reason)
})

t.test('an endless answer is cut off', async (t) => {
  const { loop } = await started(t)
  const endless: LoopClient = {
    provider: 'test',
    async *stream() {
      for (;;) yield { type: 'text', text: 'x'.repeat(100_000) }
    },
  }
  const run = {
    of: { siteId: 'demo', session: 'dev' },
    client: endless,
    model,
    system: [],
    messages: [],
    tools: [],
    limits,
    signal: new AbortController().signal,
  }
  await t.rejects(loop.run(run), { message: /is too long/ })
})

t.test('the loop also works with the OpenAI protocol', async (t) => {
  const server = await completions.startCompletionsServer(t)
  let providers: readonly KeyedProvider[] = []
  const asking = definePlugin({ name: 'asking', tag: 'Agent', needs: { keyedProviders } }).setup(
    ({ needs }) => {
      providers = needs.keyedProviders
      return {}
    },
  )
  const mounted = mountForTest(
    t,
    draftsInMemory({
      plugins: [use(openai, {}), use(toolsPlugin), use(agent, {}), use(asking)],
      env: { OPENAI_BASE_URL: `${server.origin}/v1` },
    }),
  )
  const loop = await mounted.get(agentLoop)
  const client = providers[0]?.open('sk-other')
  if (!client) throw new Error('there is no client')
  server.script(
    sending(
      completions.opening() +
        completions.toolCall('{"a":1,"b":2}', { name: 'add' }) +
        completions.toolCall('{}', { index: 1, name: 'look' }) +
        completions.toolCall('{}', { index: 2, name: 'refuse' }) +
        completions.ending('tool_calls'),
    ),
    sending(completions.opening() + completions.prose('Three.') + completions.ending('stop')),
  )
  const result = await loop.run({
    of: { siteId: 'demo', session: 'dev' },
    client,
    model: 'gpt-4o',
    system: [{ text: 'rules' }],
    messages: [{ role: 'user', texts: [{ text: 'go' }] }],
    tools,
    limits,
    temperature: 0,
    signal: new AbortController().signal,
  })
  t.match(result, {
    text: 'Three.',
    ended: 'end',
    toolCalls: [{ name: 'add', resultExcerpt: '3' }, { name: 'look' }, { name: 'refuse', isError: true }],
  })
  t.match(server.seen[0]?.body, { temperature: 0, tool_choice: 'auto' })
  t.match(server.seen[1]?.body.messages, [
    { role: 'system' },
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      tool_calls: [
        { id: 'call_0', function: { name: 'add', arguments: '{"a":1,"b":2}' } },
        { id: 'call_1' },
        { id: 'call_2' },
      ],
    },
    { role: 'tool', tool_call_id: 'call_0', content: '3' },
    { role: 'tool', tool_call_id: 'call_1' },
    { role: 'tool', tool_call_id: 'call_2', content: /^Error: There is no such page/ },
    { role: 'user', content: [{ type: 'image_url' }] },
  ])
})
