import t, { type Test } from 'tap'
import * as v from 'valibot'
import { clock, give, Refusal, use } from '../../../kernel/index.ts'
import { capturedLog, mountForTest, openGates, stillClock } from '../../../kernel/testing.ts'
import outbound from '../../../plugins/outbound/index.ts'
import toolsPlugin from '../../../plugins/tools/index.ts'
import {
  aliasesFor,
  defineTool,
  toolExecutor,
  tools,
  type Tool,
  type ToolContext,
  type ToolDefinition,
} from '../../../plugins/tools/port.ts'
import { startSite } from '../../helpers/upstream.ts'
import { giving } from '../../helpers/plain.ts'

const { signal: never } = new AbortController()
const context: ToolContext = { siteId: 'acme', sessionId: 'dev', traceId: 'run-1', signal: never }
const shape = {
  description: 'Does something.',
  timeoutMs: 30_000,
  retryPolicy: { maxAttempts: 1 },
  idempotent: false,
}
const Text = v.object({ text: v.string() })
type Text = v.InferOutput<typeof Text>
const a = { text: 'a' }

/** A tool with the given implementation. */
const tool = (
  run: (input: Text, context: ToolContext) => Promise<Text>,
  more: Partial<ToolDefinition<Text, Text>> = {},
): Tool => defineTool({ ...shape, name: 'Test.Echo', input: Text, output: Text, ...more }, run)
const failing = (error: unknown) => () => Promise.reject<Text>(error)

/** The executor with these tools, of which `run` calls the first. */
async function withTools(
  t: Test,
  given: readonly (Tool | undefined)[],
  env: Readonly<Record<string, string>> = {},
) {
  const time = stillClock()
  const { log, lines } = capturedLog()
  const givers = given.map((one, n) => use(giving(`giver-${n}`, tools, one)))
  const mounted = mountForTest(t, {
    plugins: [use(outbound), use(toolsPlugin), ...givers],
    seeds: [...openGates, give(clock, time)],
    env,
    log,
  })
  const executor = await mounted.get(toolExecutor)
  const run = (
    input: unknown,
    policy?: Parameters<typeof executor.execute>[3],
    more: Partial<ToolContext> = {},
  ) => executor.execute(given[0]?.name ?? 'none', input, { ...context, ...more }, policy)
  /** The logged calls. */
  const heard = () => lines.map((line) => Object(JSON.parse(line))).filter(({ msg }) => msg === 'tool called')
  return { executor, heard, time, lines, mounted, run }
}

t.test('a tool is found by any spelling of its name, and every call is checked and reported', async (t) => {
  const { executor, heard, mounted } = await withTools(t, [
    tool(async ({ text }) => ({ text: text.toUpperCase(), more: 'dropped' })),
    undefined,
  ])
  const run = (name: string, input: unknown) => executor.execute(name, input, context)
  t.match(await run(' test.ECHO ', { ...a, extra: 1 }), { ok: true, attempts: 1, latencyMs: Number })
  t.strictSame((await run('test.echo', a)).data, { text: 'A' })
  const wrong = { code: 'invalid_tool_input', retryable: false }
  t.match(await run('other', {}), { ok: false, error: { code: 'tool_not_found' }, attempts: 0 })
  t.match(await run('test.echo', { text: 7 }), { error: { ...wrong, message: /^text: / }, attempts: 0 })
  t.match(await run('test.echo', { text: 'x'.repeat(300_000) }), { error: { ...wrong, message: /256 KiB/ } })
  const refused = { toolName: 'test.echo', ok: false, errorCode: 'invalid_tool_input' }
  t.match(heard(), [
    { toolName: ' test.ECHO ', ok: true },
    { toolName: 'test.echo', ok: true, errorCode: undefined },
    { toolName: 'other', ok: false, errorCode: 'tool_not_found' },
    refused,
    refused,
  ])
  t.match(heard()[2], { attempts: 0, latencyMs: Number, siteId: 'acme', sessionId: 'dev', traceId: 'run-1' })
  t.notOk(
    ['input', 'output', 'data'].some((key) => key in heard()[0]),
    'neither input nor output',
  )
  const { description } = shape
  const listed = { name: 'Test.Echo', description, capability: 'read', source: 'built-in', enabled: true }
  t.strictSame((await mounted.inject({ url: '/tools' })).json(), { tools: [listed] })
})

t.test('invalid output is not returned and not retried', async (t) => {
  let calls = 0
  const input = v.object({})
  const thrice = { retryPolicy: { maxAttempts: 3 } }
  const { executor } = await withTools(t, [
    defineTool({ ...shape, ...thrice, name: 'bad', input, output: v.object({ n: v.number() }) }, async () => {
      calls += 1
      return JSON.parse('{"n":"one"}')
    }),
    tool(async () => ({ text: 'x'.repeat(1_100_000) })),
    defineTool({ ...shape, name: 'bare', input: v.number(), output: v.number() }, async () =>
      JSON.parse('"x"'),
    ),
  ])
  const code = 'invalid_tool_output'
  t.match(await executor.execute('bad', {}, context), { error: { code, retryable: false }, attempts: 1 })
  t.equal(calls, 1)
  t.match(await executor.execute('test.echo', a, context), { error: { code, message: /1 MiB/ } })
  t.match(await executor.execute('bare', 1, context), { error: { code, message: /^expected/ } })
  t.match(await executor.execute('bare', undefined, context), { error: { code: 'invalid_tool_input' } })
})

t.test('a write tool runs only when approved; no approver, a refusal or an error rejects it', async (t) => {
  let calls = 0
  const write = tool(async ({ text }) => ({ text: text + (calls += 1) }), { capability: 'write' })
  const { run } = await withTools(t, [write])
  const policy = { autoRunRead: true, requireApprovalForWrite: true }
  for (const approve of [undefined, async () => false, failing(new Error('no approver'))] as const) {
    const outcome = await run(a, approve && { ...policy, approve: async () => (await approve()) === true })
    t.match(outcome, { error: { code: 'tool_requires_approval' }, attempts: 0 })
  }
  t.equal(calls, 0)
  const approve = async ({ name }: { readonly name: string }) => name === 'Test.Echo'
  t.match(await run(a, { ...policy, approve }), { ok: true, data: { text: 'a1' } })
  t.match(await run(a, { ...policy, requireApprovalForWrite: false }), { ok: true })
})

t.test('read tools do not run if autoRunRead is off, and disabled tools never run', async (t) => {
  const { run } = await withTools(t, [tool(async (input) => input)])
  const off = { autoRunRead: false, requireApprovalForWrite: true }
  t.match(await run(a, off), { error: { code: 'tool_auto_run_disabled' } })
  const disabled = await withTools(t, [tool(async (input) => input, { enabled: false })])
  t.match(await disabled.run(a), { error: { code: 'tool_not_found' } })
  t.strictSame(disabled.executor.forModel(['Test.Echo']), [])
  t.match(disabled.executor.list(), [{ enabled: false }])
})

t.test('a failed attempt is retried as often as the tool allows, a refused one is not', async (t) => {
  let failures = 2
  const flaky = async (input: Text) => {
    if ((failures -= 1) >= 0) throw new Error('secret detail')
    return input
  }
  const { run, lines } = await withTools(t, [tool(flaky, { retryPolicy: { maxAttempts: 3, backoffMs: 1 } })])
  t.match(await run(a), { ok: true, attempts: 3 })
  t.match(lines.join(''), 'secret detail')
  failures = 9
  const error = { code: 'tool_execution_failed', message: 'The tool failed.', retryable: true }
  t.match(await run(a), { ok: false, attempts: 3, error })
  const refusal = new Refusal({ status: 400, code: 'no', reason: `No. ${'x'.repeat(400)}` })
  const refusing = await withTools(t, [tool(failing(refusal), { retryPolicy: { maxAttempts: 3 } })])
  t.match(await refusing.run(a), { attempts: 1, error: { message: /^No\. x{236}$/, retryable: false } })
})

t.test('an attempt times out even if the tool ignores its signal, and cancel ends it at once', async (t) => {
  const signals: AbortSignal[] = []
  const deaf = (_: Text, { signal }: ToolContext) => {
    signals.push(signal)
    return new Promise<Text>(() => undefined)
  }
  const { run } = await withTools(t, [tool(deaf, { timeoutMs: 250, retryPolicy: { maxAttempts: 2 } })])
  const late = { code: 'tool_execution_failed', message: /after 0\.25 s/, retryable: true }
  t.match(await run(a), { attempts: 2, error: late })
  t.ok(signals.every(({ aborted }) => aborted))
  const canceled = { attempts: 1, error: { message: 'The call was canceled.', retryable: false } }
  const stop = new AbortController()
  const running = run(a, undefined, { signal: stop.signal })
  stop.abort()
  t.match(await running, canceled)
  t.match(await run(a, undefined, { signal: stop.signal }), canceled)
  const retryPolicy = { maxAttempts: 5, backoffMs: 60_000 }
  const waiting = new AbortController()
  const again = async () => {
    setImmediate(() => waiting.abort())
    throw new Error('again')
  }
  const slow = await withTools(t, [tool(again, { retryPolicy })])
  t.match(await slow.run(a, undefined, { signal: waiting.signal }), canceled)
})

t.test('an idempotent call is answered again for ten minutes, in one run and of 500 calls', async (t) => {
  let calls = 0
  const count = async ({ text }: Text) => {
    if (text === 'fail') throw new Error('no')
    return { text: `${text}${(calls += 1)}` }
  }
  const { run, time } = await withTools(t, [tool(count, { idempotent: true })])
  const first = await run(a)
  t.strictSame((await run({ ...a, ignored: 1 })).data, first.data)
  t.equal(calls, 1)
  t.equal((await run(a, undefined, { traceId: 'run-2' })).attempts, 1)
  for (const _ of 'ab') t.equal((await run({ text: 'fail' })).attempts, 1, 'a failure is not stored')
  time.advance(600_001)
  t.equal((await run(a)).attempts, 1)
  for (let n = 0; n < 500; n += 1) await run({ text: `other ${n}` })
  t.equal((await run(a)).attempts, 1, 'the oldest is evicted')
  t.equal((await run({ text: 'other 499' })).attempts, 0)
})

t.test('a duplicate tool or an invalid manifest stops the boot', async (t) => {
  const twice = [tool(async (input) => input), tool(async (input) => input, { name: 'test.echo ' })]
  await t.rejects(withTools(t, twice), { message: /'test\.echo ' is registered twice/ })
  for (const more of [{ timeoutMs: 249 }, { retryPolicy: { maxAttempts: 6 } }, { name: ' ' }])
    await t.rejects(withTools(t, [tool(async (input) => input, more)]), { message: /invalid manifest/ })
})

t.test('tools get aliases that models can write', (t) => {
  const [long, longer] = ['x'.repeat(80), 'x'.repeat(81)]
  t.strictSame(
    aliasesFor(['image.generate', 'image/generate', '2d.draw', long, longer, 'a-b_1'], ['a-b_1']),
    ['image_generate', 'image_generate_2', 'tool_2d_draw', 'x'.repeat(64), `${'x'.repeat(62)}_2`, 'a-b_1_2'],
  )
  t.end()
})

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

/** The environment with a file of this content. */
const withFile = (t: Test, content: unknown) => ({
  ORCHESTRATOR_TOOL_MANIFEST_PATH: `${t.testdir({
    'tools.json': typeof content === 'string' ? content : JSON.stringify(content),
  })}/tools.json`,
})

t.test(
  'a remote tool gets its arguments and the run but no credentials; its answer is validated',
  async (t) => {
    const answers: (readonly [status: number, body: string])[] = []
    const site = await startSite(t, (_, response) => {
      const [status, body] = answers.shift() ?? [500, '{}']
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
    const staticHeaders = { 'x-key': 'Bearer ${env:WEATHER_API_KEY}' }
    const { executor, mounted, lines } = await withTools(t, [], {
      ...withFile(t, { tools: [{ manifest, endpoint: `${site.origin}/now`, staticHeaders }] }),
      WEATHER_API_KEY: 'marker-of-the-weather',
    })
    const from = { ...context, userId: 'u', plannerProvider: 'agent', gdriveFolderId: 'folder' }
    const run = (input: unknown) => executor.execute('weather.now', input, from)
    const cases: readonly (readonly [status: number, body: string, outcome: object])[] = [
      [200, '{"data":{"degrees":7}}', { ok: true, data: { degrees: 7 } }],
      [200, '{"data":{"degrees":"warm"}}', { error: { code: 'invalid_tool_output' } }],
      [200, '{"nothing":1}', { error: { code: 'tool_execution_failed', message: /without data/ } }],
      [503, '{"error":"marker"}', { error: { message: 'The tool answered with status 503.' } }],
      [302, '{}', { error: { message: 'The tool answered with status 302.' } }],
    ]
    for (const [status, body, outcome] of cases) {
      answers.push([status, body])
      t.match(await run({ city: 'Oslo' }), outcome)
    }
    const [seen] = site.seen
    const headers = { 'x-key': 'Bearer marker-of-the-weather', 'content-type': 'application/json' }
    t.match(seen, { method: 'POST', url: '/now', headers })
    t.strictSame(JSON.parse(seen?.body ?? ''), {
      toolName: 'weather.now',
      arguments: { city: 'Oslo' },
      context: { siteId: 'acme', sessionId: 'dev', userId: 'u', traceId: 'run-1', plannerProvider: 'agent' },
    })
    for (const input of [{}, { city: 'Bonn' }, { city: 'Oslo', more: 1 }, 'Oslo'])
      t.match(await run(input), { error: { code: 'invalid_tool_input' } }, JSON.stringify(input))
    t.equal(site.seen.length, cases.length)
    const listed = (await mounted.inject({ url: '/tools' })).text
    t.match(listed, /"source":"remote"/)
    for (const text of [listed, lines.join('')]) t.notMatch(text, /marker-of-the-weather|\/now/)
    const [offered] = executor.forModel()
    t.match([offered?.name, await offered?.inputSchema()], ['weather_now', { required: ['city'] }])
  },
)

t.test('an invalid entry of the file is left out with a warning, and the rest is available', async (t) => {
  const entry = (more: object, around: object = {}) => ({
    manifest: { ...manifest, ...more },
    endpoint: 'https://tools.test/now',
    ...around,
  })
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
    entry({}),
    entry({ name: 'WEATHER.NOW' }),
    ...schemas.map((inputSchema, n) => entry({ name: `bad-${n}`, inputSchema })),
    entry({ name: 'slow', timeoutMs: 100 }),
    entry({ name: 'greedy', retryPolicy: { maxAttempts: 9 } }),
    entry({ name: 'file' }, { endpoint: 'file:///etc/passwd' }),
    entry({ name: 'open' }, { endpoint: 'http://tools.test/now' }),
    entry({ name: 'keyless' }, { staticHeaders: { 'x-key': '${env:NOT_SET}' } }),
    entry({ name: 'broken' }, { staticHeaders: { 'x key': 'a' } }),
    7,
  ]
  const env = withFile(t, { tools: entries })
  const { executor, lines } = await withTools(t, [], { ...env, NODE_ENV: 'production' })
  t.match(executor.list(), [{ name: 'weather.now' }])
  t.equal(lines.filter((line) => line.includes('tool skipped')).length, entries.length - 1)
  const { executor: open } = await withTools(t, [], { ...env, NODE_ENV: 'development' })
  t.match(open.list(), [{ name: 'weather.now' }, { name: 'open' }], 'http in development only')
})

t.test('a file that cannot be read, or is not a list of tools, stops the boot', async (t) => {
  const files = ['{', '[]', ' '.repeat(1024 * 1024 + 1)].map((content) => () => withFile(t, content))
  for (const env of [() => ({ ORCHESTRATOR_TOOL_MANIFEST_PATH: '/nowhere/tools.json' }), ...files])
    await t.rejects(withTools(t, [], env()), { message: /ORCHESTRATOR_TOOL_MANIFEST_PATH/ })
})
