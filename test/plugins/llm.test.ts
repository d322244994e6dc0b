import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { use } from '../../kernel/index.ts'
import { mountForTest } from '../../kernel/testing.ts'
import { guardedFetch } from '../../plugins/models/connection.ts'
import llm from '../../plugins/models/anthropic/index.ts'
import { costOf, defaultPrices, modelTiers, type ModelCall } from '../../plugins/models/port.ts'
import { createOutbound } from '../../plugins/outbound/testing.ts'
import { traitsOf } from '../../plugins/models/anthropic/to-request.ts'
import { compileCache, environment } from '../helpers/environment.ts'
import { answerOf, clientIn, testKey } from '../helpers/model-planner.ts'
import {
  ending,
  event,
  failing,
  opening,
  prose,
  sending,
  startModelServer,
  toolCall,
  type Script,
} from '../helpers/model-server.ts'

const call: ModelCall = {
  model: 'claude-haiku-5-5',
  maxTokens: 8192,
  tools: [
    {
      name: 'submit_edit_plan',
      description: 'Submits.',
      input: { type: 'object', properties: {} },
      keep: true,
    },
  ],
  forcedTool: 'submit_edit_plan',
  system: [{ text: 'rules', keep: true }, { text: 'site', keep: true }, { text: 'request' }],
  messages: [{ role: 'user', texts: [{ text: 'hello', keep: true }] }],
}

type MountTest = Parameters<typeof mountForTest>[0]

/** The client that the plugin provides with a key and these variables. */
const withKey = (t: MountTest, env: Readonly<Record<string, string>> = {}) =>
  clientIn(t, use(llm, {}), { ANTHROPIC_API_KEY: testKey, ...env })

async function connected(t: MountTest, script: Script, env: Readonly<Record<string, string>> = {}) {
  const server = await startModelServer(t)
  server.script(script)
  const client = await withKey(t, { ANTHROPIC_BASE_URL: server.origin, ...env })
  if (!client) throw new Error('there is no client')
  return { server, client }
}

t.test('without a key there is no client, also with a blank variable', async (t) => {
  t.equal(await clientIn(t, use(llm, {}), {}), undefined)
  t.equal(await withKey(t, { ANTHROPIC_API_KEY: '  ' }), undefined)
})

t.test('every tier has the model that the operator chose', async (t) => {
  const client = await withKey(t, { ANTHROPIC_MODEL_FAST: 'small-one' })
  t.strictSame(
    (['fast', 'balanced', 'reasoning', 'codex'] as const).map((tier) => client?.modelOf(tier)),
    ['small-one', 'claude-sonnet-5-5', 'claude-sonnet-5-5', 'claude-opus-5-5'],
  )
})

t.test('an invalid address, or one with credentials, fails the boot', async (t) => {
  const failure = (env: Readonly<Record<string, string>>): Promise<unknown> =>
    withKey(t, env).catch((error: unknown) => error)
  const problems = [/ANTHROPIC_BASE_URL.*must be an address/]
  for (const address of [
    'api.anthropic.com',
    'ftp://a.test',
    'https://me:secret@a.test',
    'https://a.test/?x=1',
  ])
    t.match(await failure({ ANTHROPIC_BASE_URL: address }), { problems }, address)
  const error = await failure({ ANTHROPIC_API_KEY: 'two words' })
  t.match(error, { problems: [/ANTHROPIC_API_KEY.*copy it again/] })
  t.notMatch(String(error), 'two words')
})

t.test('a response is streamed in pieces, and the request fits the Messages API', async (t) => {
  const plan = toolCall('{"a":"é"}', { index: 1, size: 3 })
  const stream = opening() + event('ping') + prose('Hm.') + plan + ending('tool_use')
  environment(t, {
    ANTHROPIC_CUSTOM_HEADERS: 'x-more: 1',
    ANTHROPIC_AUTH_TOKEN: 'another',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
  })
  const { server, client } = await connected(t, sending(stream))
  const { pieces, failure } = await answerOf(client, call)
  t.equal(failure, undefined)
  const first = { inputTokens: 100, outputTokens: 1, cacheCreationInputTokens: 20, cacheReadInputTokens: 300 }
  t.strictSame(pieces, [
    { type: 'usage', usage: first },
    { type: 'text', text: 'H' },
    { type: 'text', text: 'm' },
    { type: 'text', text: '.' },
    { type: 'tool_start', id: 'toolu_test', name: 'submit_edit_plan' },
    { type: 'tool_input', json: '' },
    { type: 'tool_input', json: '{"a' },
    { type: 'tool_input', json: '":"' },
    { type: 'tool_input', json: 'é"}' },
    { type: 'tool_end' },
    { type: 'usage', usage: { ...first, outputTokens: 50 } },
    { type: 'stop', reason: 'tool' },
  ])
  const [seen] = server.seen
  const headers = { authorization: `Bearer ${testKey}`, 'user-agent': 'content-orchestrator' }
  t.match(seen, { method: 'POST', url: '/v1/messages', headers })
  t.notMatch(Object.keys(seen?.headers ?? {}).join(' '), /\bx-/, 'no headers describe this machine')
  const cacheMark = { type: 'ephemeral', ttl: '5m' }
  t.match(seen?.body, {
    model: 'claude-haiku-5-5',
    max_tokens: 8192,
    stream: true,
    tools: [{ name: 'submit_edit_plan', cache_control: cacheMark }],
    tool_choice: { type: 'tool', name: 'submit_edit_plan' },
    system: [
      { text: 'rules', cache_control: cacheMark },
      { text: 'site', cache_control: cacheMark },
      { text: 'request', cache_control: undefined },
    ],
    messages: [{ role: 'user', content: [{ text: 'hello', cache_control: cacheMark }] }],
  })
})

t.test('the cache can be disabled, which leaves texts and order unchanged', async (t) => {
  const bodies: unknown[] = []
  for (const word of ['on', 'perhaps', 'OFF', '0']) {
    const env = { ANTHROPIC_PROMPT_CACHE: word }
    const { server, client } = await connected(t, sending(opening() + ending('end_turn')), env)
    await answerOf(client, call)
    const raw = server.seen[0]?.raw ?? ''
    t.equal(raw.includes('cache_control'), word === 'on' || word === 'perhaps', word)
    bodies.push(JSON.parse(raw, (name, value: unknown) => (name === 'cache_control' ? undefined : value)))
  }
  for (const body of bodies) t.strictSame(body, bodies[0])
})

t.test('more cache marks than the provider accepts are omitted', async (t) => {
  const { server, client } = await connected(t, sending(opening() + ending('end_turn')))
  const system = Array.from({ length: 6 }, () => ({ text: 'part', keep: true }) as const)
  await answerOf(client, { ...call, system })
  t.equal(server.seen[0]?.raw.split('cache_control').length, 5)
})

t.test('every model is called in the form that it accepts', async (t) => {
  const { forcedTool, ...free } = call
  const [tool, auto] = [{ type: 'tool', name: forcedTool }, { type: 'auto' }]
  const budget = { type: 'enabled', budget_tokens: 2048 }
  const adaptive = { type: 'adaptive', display: 'summarized' }
  const disabled = { type: 'disabled' }
  const always = { type: 'adaptive' }
  const between = { type: 'between_tools' }
  const cases: readonly (readonly [model: string, quiet: unknown, choice: unknown, thinking: unknown])[] = [
    ['claude-haiku-4-5-20251001', undefined, tool, budget],
    ['claude-opus-4-5', undefined, tool, budget],
    ['claude-sonnet-4-6', disabled, tool, adaptive],
    ['claude-opus-5', disabled, tool, adaptive],
    ['claude-sonnet-5-5', between, auto, adaptive],
    ['anthropic.claude-sonnet-5-5', between, auto, adaptive],
    ['claude-opus-5-5', always, auto, adaptive],
    ['claude-of-next-year', always, auto, adaptive],
    ['some-other', undefined, tool, undefined],
  ]
  const { server, client } = await connected(t, sending(opening() + ending('end_turn')))
  for (const [model, quiet, choice, thinking] of cases) {
    await answerOf(client, { ...call, model })
    await answerOf(client, { ...free, model, thinking: { tokens: 2048, effort: 'medium' } })
    const [calm, deep] = server.seen.slice(-2).map(({ body }) => body)
    t.strictSame([calm?.thinking, calm?.tool_choice], [quiet, choice], model)
    t.strictSame([deep?.thinking, deep?.tool_choice], [thinking, auto], `${model}, thinking`)
    const effort = thinking === adaptive ? { effort: 'medium' } : undefined
    t.strictSame(deep?.output_config, effort, `${model}, effort`)
  }
})

t.test('tool schemas are strict where the provider supports it', async (t) => {
  const { server, client } = await connected(t, sending(opening() + ending('end_turn')))
  const texts = { type: 'array', items: { type: 'string', description: 'One.' } }
  const properties = { kind: { enum: ['a'] }, texts }
  const closed = { type: 'object', properties, required: ['kind'], additionalProperties: false }
  const optional = (count: number) => {
    const names = Array.from({ length: count }, (_, n) => [`p${n}`, { type: 'string' }])
    return { ...closed, required: [], properties: Object.fromEntries(names) }
  }
  const rows = { type: 'array', items: { type: 'object', properties: {} } }
  const cases: readonly (readonly [name: string, input: object, strict: true | undefined, model?: string])[] =
    [
      ['a closed object', closed, true],
      ['as many optional properties as allowed', optional(24), true],
      ['one more', optional(25), undefined],
      ['an open object', { ...closed, additionalProperties: undefined }, undefined],
      ['an open object in a list', { ...closed, properties: { rows } }, undefined],
      ['an object of anything', { type: 'object', additionalProperties: false }, undefined],
      ['a property of any kind', { ...closed, properties: { kind: {} } }, undefined],
      ['a limit', { ...closed, properties: { kind: { type: 'string', maxLength: 3 } } }, undefined],
      ['another model', closed, undefined, 'some-other'],
    ]
  for (const [name, input, strict, model = call.model] of cases) {
    const tools = [{ name: 'submit_edit_plan', description: 'x', input: { ...input } }]
    await answerOf(client, { ...call, model, tools })
    const [tool] = server.seen.at(-1)?.body.tools ?? []
    t.equal(tool?.strict, strict, name)
    t.equal(tool?.['eager_input_streaming'], strict ? undefined : true, `${name}: else the input is streamed`)
  }
})

/** Models listed by the installed library: known, deprecated, and with a deprecated form of thinking. */
const library = ['resources/messages/messages.d.ts', 'resources/messages/messages.js']
  .map((file) =>
    readFileSync(new URL(`../../node_modules/@anthropic-ai/sdk/${file}`, import.meta.url), 'utf8'),
  )
  .join('')
const namesIn = (part: RegExp): readonly string[] => part.exec(library)?.[1]?.match(/claude-[\w-]+/g) ?? []
const listed = namesIn(/export type Model = ([^;]+);/)
const deprecated = [
  ...namesIn(/const DEPRECATED_MODELS = \{([^}]+)\}/),
  ...namesIn(/const MODELS_TO_WARN_WITH_THINKING_ENABLED = \[([^\]]+)\]/),
]

t.test('the models of the tiers are current, think adaptively, and have a price', async (t) => {
  t.ok(listed.length > 5 && deprecated.length > 0, 'the lists of the installed library are found')
  const client = await withKey(t)
  const one = { inputTokens: 1, outputTokens: 1, cacheCreationInputTokens: 1, cacheReadInputTokens: 1 }
  for (const tier of modelTiers) {
    const model = client?.modelOf(tier) ?? ''
    t.ok(listed.includes(model) && !deprecated.includes(model), `${model} is current`)
    t.equal(traitsOf(model).thinking, 'adaptive')
    t.ok(costOf({ model, ...one }, defaultPrices), `${model} has a price`)
  }
})

t.test('the retry delay is passed on, given as seconds or as a date', async (t) => {
  const waitAfter = async (value: string) => {
    const { client } = await connected(t, failing(529, 'overloaded_error', { 'retry-after': value }))
    return (await answerOf(client, call)).failure?.retryAfterMs
  }
  t.equal(await waitAfter('3'), 3000)
  const untilDate = (await waitAfter(new Date(Date.now() + 60_000).toUTCString())) ?? 0
  t.ok(untilDate > 50_000 && untilDate <= 60_000)
  for (const value of ['soon', '-1', 'Thu, 01 Jan 2026 00:00:00 GMT'])
    t.equal(await waitAfter(value), undefined, value)
})

t.test(
  'the error of a provider is kept for the log: its request id, type and text, without the key',
  async (t) => {
    const leaky = JSON.stringify({ error: { message: `bad ${testKey}\n${'x'.repeat(400)}` } })
    const html = { 'content-type': 'text/html' }
    const cases: readonly (readonly [script: Script, log: object])[] = [
      [sending(opening() + ending('refusal')), { kind: 'refused', requestId: 'req_test', type: 'refusal' }],
      [(response) => response.writeHead(403).end(leaky), { text: /^bad \*\*\* x{292}$/ }],
      [(response) => response.writeHead(502, html).end('<p>oops'), { text: /^502 / }],
    ]
    for (const [script, log] of cases) {
      const { failure } = await answerOf((await connected(t, script)).client, call)
      t.notMatch(failure?.message, /req_test|says|midway/)
      t.match(failure?.toLog(), log)
    }
  },
)

t.test('only addresses below the base address are called', async (t) => {
  const service = createOutbound({ allowedOrigins: [] })
  t.teardown(() => service.close())
  const reached = guardedFetch(service, { base: 'http://127.0.0.1:1/proxy', timeoutMs: 30_000 })
  const others = [
    '127.0.0.1:2/proxy/v1',
    '127.0.0.1:1/other',
    '127.0.0.1:1/proxy-other',
    '127.0.0.1:1/proxy/../x',
  ]
  for (const other of [...others, '169.254.169.254/proxy/']) {
    const restricted = { message: /restricted to their base address/ }
    await t.rejects(reached(`http://${other}`), restricted, other)
    await t.rejects(reached(new Request(`http://${other}`)), restricted, other)
  }
  await t.rejects(reached('https://127.0.0.1:1/proxy/v1'), { message: /restricted/ })
  await t.rejects(reached('http://127.0.0.1:1/proxy/v1'), { code: 'upstream_unreachable' }, 'below it')
})

const program = `
  import { createKernel, createLogger, definePlugin, use } from './kernel/index.ts'
  import llm from './plugins/models/anthropic/index.ts'
  import outbound from './plugins/outbound/index.ts'
  import { modelClients } from './plugins/models/port.ts'
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => { if (url.includes('/@anthropic-ai/')) loaded.push(url); return next(url, context) } })
  let client
  const asking = definePlugin({ name: 'asking', tag: 'Chat', needs: { clients: modelClients } })
    .setup(({ needs }) => { client = needs.clients[0]; return {} })
  const env = process.argv[1] ? { ANTHROPIC_API_KEY: process.argv[1], ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' } : {}
  if (process.argv[3] === 'without') registerHooks({ resolve: (name, context, next) => next(name === '@anthropic-ai/sdk' ? 'not-installed' : name, context) })
  const kernel = await createKernel({ shape: 'standalone', plugins: [use(outbound), use(llm), use(asking)], env, log: createLogger({ level: 'silent' }) })
  const atBoot = loaded.length
  let failure
  for (const model of JSON.parse(process.argv[2])) {
    const call = { model, maxTokens: 1, tools: [], system: [], messages: [], thinking: { tokens: 1024, effort: 'low' } }
    failure = await client?.stream(call, new AbortController().signal).next().catch(({ kind, reason }) => [kind, reason])
  }
  console.log(JSON.stringify([atBoot, loaded.length > 0, ...(process.argv[3] ? failure : [])]))
  await kernel.close()
`

t.test(
  'the provider library is loaded by the first call and never without a key, logs nothing, and may be missing',
  (t) => {
    const run = (key: string, ...more: readonly string[]): unknown => {
      const root = fileURLToPath(new URL('../..', import.meta.url))
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ['--input-type=module', '-e', program, key, JSON.stringify(['m', ...deprecated]), ...more],
        { cwd: root, encoding: 'utf8', env: { ANTHROPIC_LOG: 'debug', ...compileCache() } },
      )
      return stderr === '' ? JSON.parse(stdout) : stderr
    }
    t.strictSame(run(''), [0, false])
    t.strictSame(run(testKey), [0, true], 'the check detects the loaded library')
    const remedy = /^The package @anthropic-ai\/sdk is not installed, .* Run npm install @anthropic-ai\/sdk/
    t.match(run(testKey, 'without'), [0, false, 'uninstalled', remedy])
    t.end()
  },
)
