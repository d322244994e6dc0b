import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { clock, definePlugin, give, Refusal, use } from '../../../kernel/index.ts'
import { capturedLog, mountForTest, openGates, stillClock } from '../../../kernel/testing.ts'
import outbound from '../../../plugins/outbound/index.ts'
import toolsPlugin from '../../../plugins/tools/index.ts'
import {
  createAliases,
  defineTool,
  toolExecutor,
  toolObservers,
  tools,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolEvent,
} from '../../../plugins/tools/port.ts'
import { startSite } from '../../helpers/upstream.ts'

const context: ToolContext = {
  siteId: 'acme',
  sessionId: 'dev',
  traceId: 'run-1',
  signal: new AbortController().signal,
}
const shape = {
  description: 'Does something.',
  timeoutMs: 1_000,
  retryPolicy: { maxAttempts: 1 },
  idempotent: false,
}
const Input = v.object({ text: v.string() })
const Output = v.object({ text: v.string() })

/** A tool with the given implementation. */
const tool = (
  run: (input: { text: string }, context: ToolContext) => Promise<{ text: string }>,
  more: Partial<ToolDefinition<{ text: string }, { text: string }>> = {},
): Tool => defineTool({ ...shape, name: 'Test.Echo', input: Input, output: Output, ...more }, run)

/** The executor with these tools. */
async function withTools(
  t: Test,
  given: readonly (Tool | undefined)[],
  env: Readonly<Record<string, string>> = {},
) {
  const heard: ToolEvent[] = []
  const time = stillClock()
  const { log, lines } = capturedLog()
  const givers = given.map((one, n) =>
    use(
      definePlugin({ name: `giver-${n}`, tag: 'Agent', gives: { tools } }).setup(() => ({
        gives: { tools: one },
      })),
    ),
  )
  const observer = use(
    definePlugin({ name: 'observer', tag: 'Agent', gives: { toolObservers } }).setup(() => ({
      gives: { toolObservers: (event: ToolEvent) => void heard.push(event) },
    })),
  )
  const mounted = mountForTest(t, {
    plugins: [use(outbound, {}), use(toolsPlugin), observer, ...givers],
    seeds: [...openGates, give(clock, time)],
    env,
    log,
  })
  const executor = await mounted.get(toolExecutor)
  return {
    executor,
    heard,
    time,
    lines,
    mounted,
    run: (input: unknown, policy?: Parameters<typeof executor.execute>[3], more: Partial<ToolContext> = {}) =>
      executor.execute(given[0]?.name ?? 'none', input, { ...context, ...more }, policy),
  }
}

t.test(
  'a tool is found by any spelling of its name, input and output are validated, and every call is reported',
  async (t) => {
    const { executor, heard, mounted } = await withTools(t, [
      tool(async ({ text }) => ({ text: text.toUpperCase(), more: 'dropped' })),
      undefined,
    ])
    t.match(await executor.execute(' test.ECHO ', { text: 'a', extra: 1 }, context), {
      ok: true,
      data: { text: 'A' },
      attempts: 1,
      latencyMs: Number,
    })
    t.strictSame((await executor.execute('test.echo', { text: 'a' }, context)).data, { text: 'A' })
    t.match(await executor.execute('other', {}, context), {
      ok: false,
      error: { code: 'tool_not_found', retryable: false },
      attempts: 0,
    })
    t.match(await executor.execute('test.echo', { text: 7 }, context), {
      error: { code: 'invalid_tool_input', message: /^text: / },
      attempts: 0,
    })
    t.match(await executor.execute('test.echo', { text: 'x'.repeat(300_000) }, context), {
      error: { code: 'invalid_tool_input', message: /256 KiB/ },
    })
    t.match(
      heard.map(({ toolName, ok, errorCode }) => [toolName, ok, errorCode]),
      [
        [' test.ECHO ', true, undefined],
        ['test.echo', true, undefined],
        ['other', false, 'tool_not_found'],
        ['test.echo', false, 'invalid_tool_input'],
        ['test.echo', false, 'invalid_tool_input'],
      ],
    )
    t.strictSame(Object.keys(heard[2] ?? {}).toSorted(), [
      'attempts',
      'errorCode',
      'latencyMs',
      'ok',
      'sessionId',
      'siteId',
      'toolName',
      'traceId',
    ])
    t.match((await mounted.inject({ url: '/tools' })).json(), {
      tools: [
        {
          name: 'Test.Echo',
          description: 'Does something.',
          capability: 'read',
          source: 'built-in',
          enabled: true,
        },
      ],
    })
  },
)

t.test('invalid output is not returned and not retried', async (t) => {
  let calls = 0
  const { executor } = await withTools(t, [
    defineTool(
      {
        ...shape,
        name: 'bad',
        input: v.object({}),
        output: v.object({ n: v.number() }),
        retryPolicy: { maxAttempts: 3 },
      },
      async () => {
        calls += 1
        return JSON.parse('{"n":"one"}')
      },
    ),
    defineTool(
      { ...shape, name: 'large', input: v.object({}), output: v.object({ text: v.string() }) },
      async () => ({ text: 'x'.repeat(1_100_000) }),
    ),
    defineTool({ ...shape, name: 'bare', input: v.number(), output: v.number() }, async () =>
      JSON.parse('"text"'),
    ),
  ])
  t.match(await executor.execute('bad', {}, context), {
    error: { code: 'invalid_tool_output', retryable: false },
    attempts: 1,
  })
  t.equal(calls, 1)
  t.match(await executor.execute('large', {}, context), {
    error: { code: 'invalid_tool_output', message: /1 MiB/ },
  })
  t.match(await executor.execute('bare', 1, context), {
    error: { code: 'invalid_tool_output', message: /^expected/ },
  })
  t.match(await executor.execute('bare', undefined, context), { error: { code: 'invalid_tool_input' } })
})

t.test('a write tool runs only when approved; no approver, a refusal or an error rejects it', async (t) => {
  let calls = 0
  const { run } = await withTools(t, [
    tool(async ({ text }) => ({ text: text + (calls += 1) }), { capability: 'write' }),
  ])
  const policy = { autoRunRead: true, requireApprovalForWrite: true }
  const refused = { error: { code: 'tool_requires_approval' }, attempts: 0 }
  t.match(await run({ text: 'a' }), refused)
  t.match(await run({ text: 'a' }, { ...policy, approve: async () => false }), refused)
  t.match(
    await run({ text: 'a' }, { ...policy, approve: () => Promise.reject(new Error('no approver')) }),
    refused,
  )
  t.equal(calls, 0)
  t.match(await run({ text: 'a' }, { ...policy, approve: async ({ name }) => name === 'Test.Echo' }), {
    ok: true,
    data: { text: 'a1' },
  })
  t.match(await run({ text: 'a' }, { ...policy, requireApprovalForWrite: false }), { ok: true })
})

t.test('read tools do not run if autoRunRead is off, and disabled tools never run', async (t) => {
  const { run } = await withTools(t, [tool(async (input) => input)])
  t.match(await run({ text: 'a' }, { autoRunRead: false, requireApprovalForWrite: true }), {
    error: { code: 'tool_auto_run_disabled' },
  })
  const off = await withTools(t, [tool(async (input) => input, { enabled: false })])
  t.match(await off.run({ text: 'a' }), { error: { code: 'tool_not_found' } })
  t.strictSame(await off.executor.forModel(), [])
  t.match(off.executor.list(), [{ enabled: false }])
})

t.test('a failed attempt is retried as often as the tool allows, a refused one is not', async (t) => {
  let calls = 0
  const flaky = tool(
    async ({ text }) => {
      calls += 1
      if (calls < 3) throw new Error('secret detail')
      return { text }
    },
    { retryPolicy: { maxAttempts: 3, backoffMs: 1 } },
  )
  const { run, lines } = await withTools(t, [flaky])
  t.match(await run({ text: 'a' }), { ok: true, attempts: 3 })
  t.match(lines.join(''), 'secret detail')
  calls = -9
  const failed = await run({ text: 'a' })
  t.match(failed, {
    ok: false,
    attempts: 3,
    error: { code: 'tool_execution_failed', message: 'The tool failed.', retryable: true },
  })
  const refusing = await withTools(t, [
    tool(
      async () => {
        throw new Refusal({ status: 400, code: 'no', reason: `No. ${'x'.repeat(400)}` })
      },
      { retryPolicy: { maxAttempts: 3 } },
    ),
  ])
  const refused = await refusing.run({ text: 'a' })
  t.match(refused, { attempts: 1, error: { message: /^No\. /, retryable: false } })
  t.equal(refused.error?.message.length, 240)
})

t.test('an attempt times out even if the tool ignores its signal, and cancel ends it at once', async (t) => {
  const signals: AbortSignal[] = []
  const deaf = tool(
    (_, { signal }) => {
      signals.push(signal)
      return new Promise(() => undefined)
    },
    { timeoutMs: 250, retryPolicy: { maxAttempts: 2 } },
  )
  const { run } = await withTools(t, [deaf])
  t.match(await run({ text: 'a' }), {
    attempts: 2,
    error: { code: 'tool_execution_failed', message: /after 0\.25 s/, retryable: true },
  })
  t.ok(signals.every(({ aborted }) => aborted))
  const stop = new AbortController()
  const running = run({ text: 'a' }, undefined, { signal: stop.signal })
  stop.abort()
  t.match(await running, { attempts: 1, error: { message: 'The call was canceled.', retryable: false } })
  t.match(await run({ text: 'a' }, undefined, { signal: stop.signal }), {
    attempts: 1,
    error: { message: 'The call was canceled.' },
  })
  const failing = await withTools(t, [
    tool(() => Promise.reject(new Error('again')), { retryPolicy: { maxAttempts: 5, backoffMs: 60_000 } }),
  ])
  const waiting = new AbortController()
  const pausing = failing.run({ text: 'a' }, undefined, { signal: waiting.signal })
  setTimeout(() => waiting.abort(), 20)
  t.match(await pausing, { attempts: 1, error: { message: 'The call was canceled.' } })
})

t.test(
  'a repeated call of an idempotent tool in one run returns the stored result, for ten minutes and 500 calls',
  async (t) => {
    let calls = 0
    const { run, time } = await withTools(t, [
      tool(
        async ({ text }) => {
          if (text === 'fail') throw new Error('no')
          return { text: `${text}${(calls += 1)}` }
        },
        { idempotent: true },
      ),
    ])
    const first = await run({ text: 'a' })
    t.strictSame((await run({ text: 'a', ignored: 1 })).data, first.data)
    t.equal(calls, 1)
    t.equal((await run({ text: 'a' }, undefined, { traceId: 'run-2' })).attempts, 1)
    t.match(
      [await run({ text: 'fail' }), await run({ text: 'fail' })],
      [{ attempts: 1 }, { attempts: 1 }],
      'a failure is not stored',
    )
    time.advance(600_000)
    t.equal((await run({ text: 'a' })).attempts, 1)
    for (let n = 0; n < 500; n += 1) await run({ text: `other ${n}` })
    t.equal((await run({ text: 'a' })).attempts, 1, 'the oldest is evicted')
    t.equal((await run({ text: 'other 499' })).attempts, 0)
  },
)

t.test('a duplicate tool or an invalid manifest stops the boot', async (t) => {
  await t.rejects(
    withTools(t, [tool(async (input) => input), tool(async (input) => input, { name: 'test.echo ' })]),
    { message: /'test\.echo ' is registered twice/ },
  )
  for (const more of [{ timeoutMs: 249 }, { retryPolicy: { maxAttempts: 6 } }, { name: ' ' }])
    await t.rejects(withTools(t, [tool(async (input) => input, more)]), { message: /invalid manifest/ })
})

t.test('tools get aliases that models can write', (t) => {
  t.strictSame(
    [
      ...createAliases([
        'image.generate',
        'image/generate',
        '2d.draw',
        'x'.repeat(80),
        'x'.repeat(81),
        'plain-name_1',
      ]),
    ],
    [
      ['image_generate', 'image.generate'],
      ['image_generate_2', 'image/generate'],
      ['tool_2d_draw', '2d.draw'],
      ['x'.repeat(64), 'x'.repeat(80)],
      [`${'x'.repeat(62)}_2`, 'x'.repeat(81)],
      ['plain-name_1', 'plain-name_1'],
    ],
  )
  t.end()
})

/** The path of a file with this content. */
function fileOf(t: Test, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tools-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'tools.json'), content)
  return join(folder, 'tools.json')
}

const manifest = {
  ...shape,
  name: 'weather.now',
  capability: 'read',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string', enum: ['Oslo', 'Rome'], description: 'Where.' } },
    required: ['city'],
    additionalProperties: false,
  },
  outputSchema: { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] },
}

t.test(
  'a remote tool gets its arguments and the run but no credentials; its answer is validated',
  async (t) => {
    const answers: (readonly [status: number, body: string])[] = []
    const site = await startSite(t, (_, response) => {
      const [status, body] = answers.shift() ?? [500, '{}']
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
    const path = fileOf(
      t,
      JSON.stringify({
        tools: [
          {
            manifest,
            endpoint: `${site.origin}/now`,
            staticHeaders: { 'x-key': 'Bearer ${env:WEATHER_API_KEY}' },
          },
        ],
      }),
    )
    const { executor, mounted, lines } = await withTools(t, [], {
      ORCHESTRATOR_TOOL_MANIFEST_PATH: path,
      WEATHER_API_KEY: 'marker-of-the-weather',
    })
    const run = (input: unknown) =>
      executor.execute('weather.now', input, {
        ...context,
        userId: 'u',
        plannerProvider: 'agent',
        gdriveFolderId: 'folder',
      })
    answers.push(
      [200, '{"data":{"degrees":7}}'],
      [200, '{"data":{"degrees":"warm"}}'],
      [200, '{"nothing":1}'],
      [503, '{"error":"marker of the upstream"}'],
      [302, '{}'],
    )
    t.match(await run({ city: 'Oslo' }), { ok: true, data: { degrees: 7 } })
    const [seen] = site.seen
    t.match(seen, {
      method: 'POST',
      url: '/now',
      headers: { 'x-key': 'Bearer marker-of-the-weather', 'content-type': 'application/json' },
    })
    t.strictSame(JSON.parse(seen?.body ?? ''), {
      toolName: 'weather.now',
      arguments: { city: 'Oslo' },
      context: { siteId: 'acme', sessionId: 'dev', userId: 'u', traceId: 'run-1', plannerProvider: 'agent' },
    })
    t.match(await run({ city: 'Oslo' }), { error: { code: 'invalid_tool_output' } })
    t.match(await run({ city: 'Oslo' }), {
      error: { code: 'tool_execution_failed', message: /without data/ },
    })
    const failed = await run({ city: 'Oslo' })
    t.match(failed, {
      error: { code: 'tool_execution_failed', message: 'The tool answered with status 503.' },
    })
    t.match(await run({ city: 'Oslo' }), { error: { message: 'The tool answered with status 302.' } })
    for (const input of [{}, { city: 'Bonn' }, { city: 'Oslo', more: 1 }, 'Oslo'])
      t.match(await run(input), { error: { code: 'invalid_tool_input' } }, JSON.stringify(input))
    t.equal(site.seen.length, 5)
    const listed = (await mounted.inject({ url: '/tools' })).text
    t.match(listed, /"source":"remote"/)
    for (const text of [listed, lines.join('')]) t.notMatch(text, /marker-of-the-weather|\/now/)
    t.match(await executor.forModel(['weather.now', 'none']), [
      { tool: 'weather.now', input: { required: ['city'] } },
    ])
  },
)

t.test('an invalid entry of the file is left out with a warning, and the rest is available', async (t) => {
  const with_ = (more: object) => ({ manifest: { ...manifest, ...more }, endpoint: 'https://tools.test/now' })
  const schemas = [
    { type: 'object', pattern: 'x' },
    { type: 'thing' },
    { type: 'object', required: 'city' },
    { additionalProperties: {} },
    { enum: 'a' },
    { properties: [] },
    { items: { format: 'x' } },
    { properties: { a: { minLength: 1 } } },
    'text',
    Array.from({ length: 20 }).reduce<object>((inner) => ({ items: inner }), {}),
  ]
  const entries = [
    with_({}),
    with_({ name: 'WEATHER.NOW' }),
    ...schemas.map((inputSchema, n) => with_({ name: `bad-${n}`, inputSchema })),
    with_({ name: 'slow', timeoutMs: 100 }),
    with_({ name: 'greedy', retryPolicy: { maxAttempts: 9 } }),
    { ...with_({ name: 'file' }), endpoint: 'file:///etc/passwd' },
    { ...with_({ name: 'open' }), endpoint: 'http://tools.test/now' },
    { ...with_({ name: 'keyless' }), staticHeaders: { 'x-key': '${env:NOT_SET}' } },
    { ...with_({ name: 'broken' }), staticHeaders: { 'x key': 'a' } },
    7,
  ]
  const env = {
    ORCHESTRATOR_TOOL_MANIFEST_PATH: fileOf(t, JSON.stringify({ tools: entries })),
    NODE_ENV: 'production',
  }
  const { executor, lines } = await withTools(t, [], env)
  t.strictSame(
    executor.list().map(({ name }) => name),
    ['weather.now'],
  )
  t.equal(lines.filter((line) => line.includes('tool skipped')).length, entries.length - 1)
  const { executor: open } = await withTools(t, [], { ...env, NODE_ENV: 'development' })
  t.strictSame(
    open.list().map(({ name }) => name),
    ['weather.now', 'open'],
    'http is allowed in development only',
  )
})

t.test('a file that cannot be read, or is not a list of tools, stops the boot', async (t) => {
  for (const path of [
    '/nowhere/tools.json',
    fileOf(t, '{'),
    fileOf(t, '[]'),
    fileOf(t, ' '.repeat(1024 * 1024 + 1)),
  ]) {
    await t.rejects(withTools(t, [], { ORCHESTRATOR_TOOL_MANIFEST_PATH: path }), {
      message: /ORCHESTRATOR_TOOL_MANIFEST_PATH/,
    })
  }
})
