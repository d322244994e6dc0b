import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { definePlugin, optional, use, type Seed } from '../../kernel/index.ts'
import { capturedLog, mountForTest, openGates } from '../../kernel/testing.ts'
import { confinedFetch } from '../../plugins/llm/confined-fetch.ts'
import llm from '../../plugins/llm/index.ts'
import { modelClient, ModelFailure, type ModelCall, type ModelClient, type ModelPiece } from '../../plugins/llm/port.ts'
import { environment } from '../helpers/environment.ts'
import {
  cutting, ending, event, failing, failingMidway, hanging, opening, prose, sending, startModelServer, thoughts, toolCall,
  type Script,
} from '../helpers/model-server.ts'

const key = 'key-of-the-canary-0123456789'
const call: ModelCall = {
  model: 'claude-test',
  maxTokens: 8192,
  tools: [{ name: 'submit_edit_plan', description: 'Submits a plan.', input: { type: 'object', properties: {} }, keep: true }],
  forcedTool: 'submit_edit_plan',
  system: [{ text: 'rules', keep: true }, { text: 'site', keep: true }, { text: 'request' }],
  messages: [{ role: 'user', texts: [{ text: 'hello', keep: true }] }],
}
const never = new AbortController().signal

type Test = Parameters<typeof mountForTest>[0]

/** The client that the plugin gives in this environment. */
async function clientIn(t: Test, env: Readonly<Record<string, string>>, options: { readonly timeoutMs?: number } = {}) {
  let given: ModelClient | undefined
  const asking = definePlugin({ name: 'asking', tag: 'Chat', needs: { client: optional(modelClient) } }).setup(({ needs }) => {
    given = needs.client
    return {}
  })
  const seeds: readonly Seed[] = openGates
  const mounted = mountForTest(t, { plugins: [use(llm, options), use(asking)], seeds, env })
  await mounted.ready()
  return given
}

async function connected(t: Test, script: Script, env: Readonly<Record<string, string>> = {}, options: { readonly timeoutMs?: number } = {}) {
  const server = await startModelServer(t)
  server.script(script)
  const client = await clientIn(t, { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.origin, ...env }, options)
  if (!client) throw new Error('there is no client')
  return { server, client }
}

/** The pieces of an answer, and how it failed. */
async function answerOf(client: ModelClient, signal = never, asked = call) {
  const pieces: ModelPiece[] = []
  try {
    for await (const piece of client.stream(asked, signal)) pieces.push(piece)
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    return { pieces, failure: error }
  }
  return { pieces, failure: undefined }
}

t.test('without a key there is no client, also where the variable is blank', async (t) => {
  t.equal(await clientIn(t, {}), undefined)
  t.equal(await clientIn(t, { ANTHROPIC_API_KEY: '  ' }), undefined)
})

t.test('every tier has the model that the operator chose', async (t) => {
  const client = await clientIn(t, { ANTHROPIC_API_KEY: key, ANTHROPIC_MODEL_FAST: 'small-one' })
  t.strictSame(
    (['fast', 'balanced', 'reasoning', 'codex'] as const).map((tier) => client?.modelOf(tier)),
    ['small-one', 'claude-sonnet-4-6', 'claude-sonnet-4-6', 'claude-opus-4-6'],
  )
})

t.test('an address that is none, or carries a login, stops the boot', async (t) => {
  for (const address of ['api.anthropic.com', 'ftp://a.test', 'https://me:secret@a.test', 'https://a.test/?x=1']) {
    const error: unknown = await clientIn(t, { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: address }).catch((error: unknown) => error)
    t.match(error, { problems: [/ANTHROPIC_BASE_URL.*must be an address/] }, address)
  }
  const error: unknown = await clientIn(t, { ANTHROPIC_API_KEY: 'two words' }).catch((error: unknown) => error)
  t.match(error, { problems: [/ANTHROPIC_API_KEY.*copy it again/] })
  t.notMatch(String(error), 'two words')
})

t.test('an answer comes in pieces, and the request is what the Messages API takes', async (t) => {
  const stream = opening() + event('ping') + prose('Hm.') + toolCall('{"a":"é"}', { index: 1, size: 3 }) + ending('tool_use')
  environment(t, { ANTHROPIC_CUSTOM_HEADERS: 'x-more: 1', ANTHROPIC_AUTH_TOKEN: 'another', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' })
  const { server, client } = await connected(t, sending(stream))
  const { pieces, failure } = await answerOf(client)
  t.equal(failure, undefined)
  const first = { inputTokens: 100, outputTokens: 1, cacheCreationInputTokens: 20, cacheReadInputTokens: 300 }
  t.strictSame(pieces, [
    { type: 'usage', usage: first },
    { type: 'text', text: 'H' }, { type: 'text', text: 'm' }, { type: 'text', text: '.' },
    { type: 'tool_start', name: 'submit_edit_plan' },
    { type: 'tool_input', json: '' }, { type: 'tool_input', json: '{"a' }, { type: 'tool_input', json: '":"' }, { type: 'tool_input', json: 'é"}' },
    { type: 'tool_end' },
    { type: 'usage', usage: { ...first, outputTokens: 50 } },
    { type: 'stop', reason: 'tool' },
  ])
  const [seen] = server.seen
  t.match(seen, { method: 'POST', url: '/v1/messages', headers: { authorization: `Bearer ${key}`, 'user-agent': 'content-orchestrator' } })
  t.strictSame(Object.keys(seen?.headers ?? {}).filter((name) => name.startsWith('x-')), [], 'nothing is told about this machine')
  const kept = { type: 'ephemeral', ttl: '5m' }
  t.match(seen?.body, {
    model: 'claude-test', max_tokens: 8192, stream: true,
    tools: [{ name: 'submit_edit_plan', cache_control: kept }],
    tool_choice: { type: 'tool', name: 'submit_edit_plan' },
    system: [{ text: 'rules', cache_control: kept }, { text: 'site', cache_control: kept }, { text: 'request', cache_control: undefined }],
    messages: [{ role: 'user', content: [{ text: 'hello', cache_control: kept }] }],
  })
})

t.test('a path in the base address is kept', async (t) => {
  const server = await startModelServer(t)
  server.script(sending(opening() + prose('Yes.') + ending('end_turn')))
  const client = await clientIn(t, { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: `${server.origin}/proxy/` })
  if (!client) throw new Error('there is no client')
  t.match((await answerOf(client)).pieces.at(-1), { type: 'stop', reason: 'end' })
  t.equal(server.seen[0]?.url, '/proxy/v1/messages')
})

t.test('the cache can be switched off, which leaves texts and order as they are', async (t) => {
  const bodies: unknown[] = []
  for (const [word, isOn] of [['on', true], ['OFF', false], ['0', false], ['no', false], ['false', false], ['perhaps', true]] as const) {
    const { server, client } = await connected(t, sending(opening() + ending('end_turn')), { ANTHROPIC_PROMPT_CACHE: word })
    await answerOf(client)
    const raw = server.seen[0]?.raw ?? ''
    t.equal(raw.includes('cache_control'), isOn, word)
    bodies.push(JSON.parse(raw, (name, value: unknown) => (name === 'cache_control' ? undefined : value)))
  }
  for (const body of bodies) t.strictSame(body, bodies[0])
})

t.test('more marks than the provider takes are left out', async (t) => {
  const { server, client } = await connected(t, sending(opening() + ending('end_turn')))
  const system = Array.from({ length: 6 }, () => ({ text: 'part', keep: true }) as const)
  await answerOf(client, never, { ...call, system })
  t.equal(server.seen[0]?.raw.split('cache_control').length, 5)
})

t.test('a model that may think is asked to, and what it thinks is told apart', async (t) => {
  const { server, client } = await connected(t, sending(opening() + thoughts('well') + toolCall('{}', { index: 1 }) + ending('tool_use')))
  const { forcedTool: _, ...free } = call
  const { pieces } = await answerOf(client, never, { ...free, thinkingTokens: 2048 })
  t.match(pieces[1], { type: 'thinking', text: 'well' })
  t.match(server.seen[0]?.body, { thinking: { type: 'enabled', budget_tokens: 2048 }, tool_choice: { type: 'auto' } })
})

t.test('each failure has its kind, by status and type, and a reason that names the remedy', async (t) => {
  const cases: readonly (readonly [name: string, Script, kind: string, status: number | undefined, reason: RegExp])[] = [
    ['bad request', failing(400, 'invalid_request_error'), 'provider', 400, /credit/],
    ['bad key', failing(401, 'authentication_error'), 'provider', 401, /ANTHROPIC_API_KEY/],
    ['no money', failing(402, 'billing_error'), 'provider', 402, /billing/],
    ['not allowed', failing(403, 'permission_error'), 'provider', 403, /ANTHROPIC_API_KEY/],
    ['no such model', failing(404, 'not_found_error'), 'provider', 404, /ANTHROPIC_MODEL_FAST/],
    ['too large', failing(413, 'request_too_large'), 'provider', 413, /one block/],
    ['a status nobody knows', failing(418, 'teapot'), 'provider', 418, /ANTHROPIC_BASE_URL/],
    ['rate limit', failing(429, 'rate_limit_error', { 'retry-after': '3' }), 'provider', 429, /limit/],
    ['a fault', failing(500, 'api_error'), 'overload', 500, /Try again/],
    ['a bad gateway, with a page', (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<p>400'), 'overload', 502, /Try again/],
    ['overload', failing(529, 'overloaded_error'), 'overload', 529, /overloaded/],
    ['overload midway', failingMidway(opening() + prose('So'), 'overloaded_error'), 'overload', 529, /overloaded/],
    ['rate limit midway', failingMidway(opening(), 'rate_limit_error'), 'provider', 429, /limit/],
    ['an unknown error midway', failingMidway(opening(), 'surprise_error'), 'overload', undefined, /Try again/],
    ['a cut connection', cutting(opening() + prose('So')), 'network', undefined, /broke off/],
    ['an end before the end', sending(opening() + prose('So')), 'network', undefined, /broke off/],
    ['nothing at all', sending(''), 'network', undefined, /broke off/],
    ['no stream', (response) => response.socket?.destroy(), 'network', undefined, /ANTHROPIC_BASE_URL/],
    ['garbage', sending('event: message_start\ndata: {"type": \n\n'), 'network', undefined, /broke off/],
    ['refusal', sending(opening() + prose('No.') + ending('refusal')), 'refused', undefined, /declined/],
    ['too long', sending(opening() + toolCall('{"a":') + ending('max_tokens')), 'truncated', undefined, /cut off/],
  ]
  for (const [name, script, kind, status, reason] of cases) {
    const { server, client } = await connected(t, script)
    const { failure } = await answerOf(client)
    t.match(failure, { kind, status, reason }, name)
    t.notMatch(failure?.message, /400 words|midway/, `${name}: nothing of what the provider said`)
    t.equal(server.seen.length, 1, `${name}: nobody asks again unasked`)
  }
})

t.test('how long to wait is passed on', async (t) => {
  const { client } = await connected(t, failing(529, 'overloaded_error', { 'retry-after': '3' }))
  t.equal((await answerOf(client)).failure?.retryAfterMs, 3000)
})

t.test('nobody is there', async (t) => {
  const client = await clientIn(t, { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' })
  if (!client) throw new Error('there is no client')
  t.match((await answerOf(client)).failure, { kind: 'network', reason: /ANTHROPIC_BASE_URL/ })
})

t.test('a redirect is not followed: the key goes nowhere else', async (t) => {
  let visits = 0
  const elsewhere = createServer((_, response) => {
    visits += 1
    response.end()
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  t.teardown(() => elsewhere.close())
  const address = elsewhere.address()
  const port = typeof address === 'object' && address ? address.port : 0
  for (const status of [301, 302, 303, 307, 308]) {
    const { client } = await connected(t, (response) => response.writeHead(status, { location: `http://127.0.0.1:${port}/v1/messages` }).end())
    t.match((await answerOf(client)).failure, { kind: 'provider', status, reason: /redirect/ })
  }
  t.equal(visits, 0)
})

t.test('nothing but what lies below the base address is reached', async (t) => {
  const reached = confinedFetch('http://127.0.0.1:1/proxy')
  for (const address of ['http://127.0.0.1:2/proxy/v1', 'https://127.0.0.1:1/proxy/v1', 'http://127.0.0.1:1/other', 'http://127.0.0.1:1/proxy-other', 'http://127.0.0.1:1/proxy/../x', 'http://169.254.169.254/proxy/']) {
    await t.rejects(reached(address), { message: /base address only/ }, address)
    await t.rejects(reached(new Request(address)), { message: /base address only/ }, address)
  }
  await t.rejects(reached('http://127.0.0.1:1/proxy/v1'), { message: 'fetch failed' }, 'below it is asked')
})

t.test('an answer that takes too long is given up, and its connection closed', async (t) => {
  const { server, client } = await connected(t, hanging(opening()), {}, { timeoutMs: 100 })
  t.match((await answerOf(client)).failure, { kind: 'timeout', reason: /within 0.1 seconds/ })
  await server.idle()
  t.equal(server.open(), 0)
})

t.test('aborting ends the call wherever it is, and closes the connection', async (t) => {
  for (const script of [hanging(''), hanging(opening()), hanging(opening() + prose('So'))]) {
    const { server, client } = await connected(t, script)
    const abort = new AbortController()
    const answer = answerOf(client, abort.signal)
    while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    abort.abort()
    t.match((await answer).failure, { kind: 'aborted' })
    await server.idle()
    t.equal(server.open(), 0)
  }
  const { server, client } = await connected(t, hanging(''))
  t.match((await answerOf(client, AbortSignal.abort())).failure, { kind: 'aborted' })
  t.equal(server.seen.length, 0, 'nothing is asked after an abort')
})

t.test('leaving in the middle of an answer closes the connection', async (t) => {
  const { server, client } = await connected(t, hanging(opening() + prose('So')))
  for await (const piece of client.stream(call, never)) if (piece.type === 'text') break
  await server.idle()
  t.equal(server.open(), 0)
})

t.test('the key is in no log line and in no failure', async (t) => {
  const { lines, log } = capturedLog()
  for (const script of [failing(401, 'authentication_error'), cutting(opening()), failing(529, 'overloaded_error')]) {
    const { client } = await connected(t, script)
    const { failure } = await answerOf(client)
    log.error({ err: failure }, 'the model failed')
    t.notMatch(JSON.stringify(failure), key)
  }
  t.notMatch(JSON.stringify(lines), key)
})

const program = `
  import { createKernel, createLogger, definePlugin, optional, use } from './kernel/index.ts'
  import llm from './plugins/llm/index.ts'
  import { modelClient } from './plugins/llm/port.ts'
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => { if (url.includes('/@anthropic-ai/')) loaded.push(url); return next(url, context) } })
  let client
  const asking = definePlugin({ name: 'asking', tag: 'Chat', needs: { client: optional(modelClient) } })
    .setup(({ needs }) => { client = needs.client; return {} })
  const env = process.argv[1] ? { ANTHROPIC_API_KEY: process.argv[1], ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' } : {}
  const kernel = await createKernel({ shape: 'standalone', plugins: [use(llm), use(asking)], env, log: createLogger({ level: 'silent' }) })
  const atBoot = loaded.length
  const call = { model: 'm', maxTokens: 1, tools: [], system: [], messages: [] }
  await client?.stream(call, new AbortController().signal).next().catch(() => undefined)
  console.log(JSON.stringify([atBoot, loaded.length > 0]))
  await kernel.close()
`

t.test('the library of the provider is loaded by the first call, never without a key, and writes nothing', (t) => {
  const run = (key: string): unknown => {
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program, key], { cwd: root, encoding: 'utf8', env: { ANTHROPIC_LOG: 'debug' } })
    return stderr === '' ? JSON.parse(stdout) : stderr
  }
  t.strictSame(run(''), [0, false])
  t.strictSame(run(key), [0, true], 'the check sees it when it is loaded')
  t.end()
})
