import t, { type Test } from 'tap'
import { use, type Used } from '../../kernel/index.ts'
import { capturedLog } from '../../kernel/testing.ts'
import llm from '../../plugins/models/anthropic/index.ts'
import type { ModelCall, ModelClient } from '../../plugins/models/port.ts'
import openai from '../../plugins/models/openai/index.ts'
import * as completions from '../helpers/completions-server.ts'
import { serve } from '../helpers/raw.ts'
import { answerOf, clientIn } from '../helpers/model-planner.ts'
import * as messages from '../helpers/model-server.ts'
import { cutting, hanging, sending, type ModelServer, type Script } from '../helpers/model-server.ts'
import { until } from '../helpers/until.ts'

const key = 'key-of-the-canary-0123456789'
const never = new AbortController().signal
const call: ModelCall = {
  model: 'some-model',
  maxTokens: 8192,
  tools: [
    { name: 'submit_edit_plan', description: 'Submits a plan.', input: { type: 'object', properties: {} } },
  ],
  forcedTool: 'submit_edit_plan',
  system: [{ text: 'rules' }, { text: 'site' }],
  messages: [
    { role: 'user', texts: [{ text: 'hello' }] },
    { role: 'assistant', texts: [{ text: 'yes?' }] },
    { role: 'user', texts: [{ text: 'go on' }] },
  ],
}

/** A provider: its configuration, and the parts of a stream in its format. */
interface Provider {
  readonly name: string
  readonly plugin: (timeoutMs: number) => Used
  readonly env: (address: string) => Readonly<Record<string, string>>
  readonly start: (t: Test) => Promise<ModelServer<unknown>>
  /** Below the configured address. */
  readonly path: string
  readonly keyVariable: string
  readonly opening: () => string
  readonly prose: (text: string) => string
  readonly toolCall: (json: string) => string
  readonly done: string
  readonly doneWithTool: string
  readonly declined: string
  readonly tooLong: string
  readonly failing: typeof messages.failing
  readonly failingMidway: typeof messages.failingMidway
  readonly overloaded: string
}

const providers: readonly Provider[] = [
  {
    name: 'anthropic',
    plugin: (timeoutMs) => use(llm, { timeoutMs }),
    env: (address) => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: address }),
    start: messages.startModelServer,
    path: '/v1/messages',
    keyVariable: 'ANTHROPIC_API_KEY',
    opening: () =>
      messages.opening({
        input_tokens: 100,
        output_tokens: 1,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 300,
      }),
    prose: messages.prose,
    toolCall: (json) => messages.toolCall(json, { index: 1 }),
    done: messages.ending('end_turn'),
    doneWithTool: messages.ending('tool_use'),
    declined: messages.prose('No.') + messages.ending('refusal'),
    tooLong: messages.ending('max_tokens'),
    failing: messages.failing,
    failingMidway: messages.failingMidway,
    overloaded: 'overloaded_error',
  },
  {
    name: 'openai',
    plugin: (timeoutMs) => use(openai, { timeoutMs }),
    env: (address) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: address, OPENAI_MODEL: 'some-model' }),
    start: completions.startCompletionsServer,
    path: '/chat/completions',
    keyVariable: 'OPENAI_API_KEY',
    opening: completions.opening,
    prose: completions.prose,
    toolCall: (json) => completions.toolCall(json, { size: 7 }),
    done: completions.ending('stop'),
    doneWithTool: completions.ending('tool_calls'),
    declined: completions.declining('No.') + completions.ending('stop'),
    tooLong: completions.ending('length'),
    failing: completions.failing,
    failingMidway: completions.failingMidway,
    overloaded: 'server_error',
  },
]

async function clientOf(
  t: Test,
  { plugin, env }: Provider,
  address: string,
  { timeoutMs = 120_000, log = capturedLog().log } = {},
): Promise<ModelClient> {
  const given = await clientIn(t, plugin(timeoutMs), env(address), log)
  if (!given) throw new Error('there is no client')
  return given
}

async function connected(
  t: Test,
  provider: Provider,
  script: Script<unknown>,
  options: Parameters<typeof clientOf>[3] = {},
) {
  const server = await provider.start(t)
  server.script(script)
  return { server, client: await clientOf(t, provider, server.origin, options) }
}

const ask = (client: ModelClient, signal?: AbortSignal) => answerOf(client, call, signal)

for (const provider of providers) {
  const { name, opening, prose, toolCall, failing, failingMidway } = provider
  const contract = (what: string, run: (t: Test) => Promise<void>) => t.test(`${name}: ${what}`, run)

  contract('an answer is streamed in pieces, however its bytes are split, with its usage', async (t) => {
    const stream = opening() + prose('Hm. é') + toolCall('{"a":"é 🥑"}') + provider.doneWithTool
    for (const sizes of [[], [1], [5, 2, 64]]) {
      const { server, client } = await connected(t, provider, sending(stream, { sizes }))
      const { pieces, failure } = await ask(client)
      t.equal(failure, undefined)
      const text = pieces.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('')
      const json = pieces.flatMap((piece) => (piece.type === 'tool_input' ? [piece.json] : [])).join('')
      t.strictSame([text, json], ['Hm. é', '{"a":"é 🥑"}'])
      const order = pieces
        .map(({ type }) => type)
        .filter((type, n, all) => type !== 'usage' && type !== all[n - 1])
      t.strictSame(order, ['text', 'tool_start', 'tool_input', 'tool_end', 'stop'])
      const ofType = (wanted: string) => pieces.findLast(({ type }) => type === wanted)
      t.match(ofType('tool_start'), { name: 'submit_edit_plan' })
      t.match(pieces.at(-1), { type: 'stop', reason: 'tool' })
      const tokens = { inputTokens: 100, outputTokens: 50, cacheCreationInputTokens: 0 }
      t.strictSame(ofType('usage'), { type: 'usage', usage: { ...tokens, cacheReadInputTokens: 300 } })
      const [seen] = server.seen
      const headers = { authorization: `Bearer ${key}`, 'user-agent': 'content-orchestrator' }
      const body = { model: 'some-model', stream: true }
      t.match(seen, { method: 'POST', url: provider.path, headers, body })
      const names = Object.keys(seen?.headers ?? {}).filter((name) => /^(?:x|openai)-/.test(name))
      t.strictSame(names, [], 'no headers about this machine')
      for (const sent of ['rules', 'site', 'hello', 'yes?', 'go on', 'Submits a plan.'])
        t.ok(seen?.raw.includes(sent), sent)
    }
  })

  contract('an answer without a tool ends normally, and a path in the address is preserved', async (t) => {
    const server = await provider.start(t)
    server.script(sending(opening() + prose('Yes.') + provider.done))
    const client = await clientOf(t, provider, `${server.origin}/proxy/`)
    t.match((await ask(client)).pieces.at(-1), { type: 'stop', reason: 'end' })
    t.equal(server.seen[0]?.url, `/proxy${provider.path}`)
    t.match(client, { provider: name, seeingModel: /./, timeoutMs: 120_000 })
    t.match(client.modelOf('fast'), /./)
  })

  contract('each failure has a kind, by status and type, and a reason with the remedy', async (t) => {
    const variable = new RegExp(provider.keyVariable)
    const none = undefined
    const page: Script<unknown> = (response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<p>400')
    const isOpenAi = provider.overloaded === 'server_error'
    const midway = failingMidway(opening() + prose('So'), provider.overloaded)
    const tooLong = sending(opening() + toolCall('{"a":') + provider.tooLong)
    const limited = failing(429, 'rate_limit_error', { 'retry-after': '3' })
    type Case = readonly [Script<unknown>, kind: string, status: number | undefined, reason: RegExp]
    const cases: Readonly<Record<string, Case>> = {
      'bad request': [failing(400, 'invalid_request_error'), 'provider', 400, /credit/],
      'bad key': [failing(401, 'authentication_error'), 'provider', 401, variable],
      'no money': [failing(402, 'billing_error'), 'provider', 402, /billing/],
      'not allowed': [failing(403, 'permission_error'), 'provider', 403, variable],
      'no such model': [failing(404, 'not_found_error'), 'provider', 404, /_MODEL(?:_FAST)?\b/],
      'too large': [failing(413, 'request_too_large'), 'provider', 413, /one block/],
      'an unknown status': [failing(418, 'teapot'), 'provider', 418, /_BASE_URL/],
      'rate limit': [limited, 'provider', 429, /limit/],
      'server error': [failing(500, 'api_error'), 'overload', 500, /Try again/],
      'a bad gateway, with a page': [page, 'overload', 502, /Try again/],
      overload: [failing(529, 'overloaded_error'), 'overload', 529, /overloaded/],
      'overload midway': [midway, 'overload', isOpenAi ? 500 : 529, /overloaded/],
      'limit midway': [failingMidway(opening(), 'rate_limit_error'), 'provider', 429, /limit/],
      'unknown midway': [failingMidway(opening(), 'surprise_error'), 'overload', none, /Try again/],
      'nothing new': [(response) => response.writeHead(304).end(), 'provider', 304, /redirect/],
      'a cut connection': [cutting(opening() + prose('So')), 'network', none, /broke off/],
      'a truncated stream': [sending(opening() + prose('So')), 'network', none, /broke off/],
      'an empty stream': [sending(''), 'network', none, /broke off/],
      'no stream': [(response) => response.socket?.destroy(), 'network', none, /_BASE_URL/],
      garbage: [sending('event: message_start\ndata: {"type": \n\n'), 'network', none, /broke off/],
      refusal: [sending(opening() + provider.declined), 'refused', none, /declined/],
      'too long': [tooLong, 'truncated', none, /length limit/],
    }
    for (const [name, [script, kind, status, reason]] of Object.entries(cases)) {
      const { log, lines } = capturedLog()
      const { server, client } = await connected(t, provider, script, { log })
      const { failure } = await ask(client)
      t.match(failure, { kind, status, reason }, name)
      t.notMatch(failure?.message, /400 words|midway/, `${name}: without the text of the provider`)
      t.equal(server.seen.length, 1, `${name}: no retry`)
      t.notMatch(lines.join(''), /"type": /, `${name}: no content is logged`)
    }
  })

  contract('the log gets the request id, type and text of the provider, and no key', async (t) => {
    const { client } = await connected(t, provider, failing(429, 'rate_limit_error', { 'retry-after': '3' }))
    const { failure } = await ask(client)
    t.equal(failure?.retryAfterMs, 3000)
    const shown = { kind: 'provider', status: 429, requestId: 'req_test', type: 'rate_limit_error' }
    t.match(failure?.toLog(), { ...shown, text: /the provider says rate_limit_error/ })
    for (const script of [provider.declined, toolCall('{"a":') + provider.tooLong, prose('So')]) {
      const { client } = await connected(t, provider, sending(opening() + script))
      const { failure } = await ask(client)
      t.match(failure?.toLog(), { requestId: 'req_test' }, 'a failure in an answer with status 200')
    }
    const { lines, log } = capturedLog()
    const midway = failingMidway(opening(), provider.overloaded)
    for (const script of [failing(401, `bad ${key}`), cutting(opening()), midway]) {
      const { client } = await connected(t, provider, script, { log })
      const { failure } = await ask(client)
      log.error({ err: failure, ...failure?.toLog() }, 'the model failed')
      t.notMatch(JSON.stringify(failure), key)
    }
    const last = { requestId: 'req_test', type: provider.overloaded, text: /it happened midway/ }
    t.match(JSON.parse(lines.at(-1) ?? ''), last)
    t.notMatch(JSON.stringify(lines), key)
  })

  contract('an unreachable provider is a network failure', async (t) => {
    const { failure } = await ask(await clientOf(t, provider, 'http://127.0.0.1:1'))
    t.match(failure, { kind: 'network', reason: /_BASE_URL/ })
  })

  contract('a redirect is not followed, so that the key is not leaked', async (t) => {
    let visits = 0
    const elsewhere = await serve(t, (_, response) => {
      visits += 1
      response.end()
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const { client } = await connected(t, provider, (response) =>
        response.writeHead(status, { location: `${elsewhere}${provider.path}` }).end(),
      )
      t.match((await ask(client)).failure, { kind: 'provider', status, reason: /redirect/ })
    }
    t.equal(visits, 0)
  })

  contract('an answer that takes too long is aborted, and its connection closed', async (t) => {
    const { server, client } = await connected(t, provider, hanging(opening()), { timeoutMs: 100 })
    t.match((await ask(client)).failure, { kind: 'timeout', reason: /within 0.1 seconds/ })
    await server.idle()
    t.equal(server.open(), 0)
  })

  contract('aborting ends the call at any point, and closes the connection', async (t) => {
    for (const script of [hanging(''), hanging(opening()), hanging(opening() + prose('So'))]) {
      const { server, client } = await connected(t, provider, script)
      const abort = new AbortController()
      const answer = ask(client, abort.signal)
      await until(() => server.seen.length > 0, 'the call')
      abort.abort()
      t.match((await answer).failure, { kind: 'aborted' })
      await server.idle()
      t.equal(server.open(), 0)
    }
    const { server, client } = await connected(t, provider, hanging(''))
    t.match((await ask(client, AbortSignal.abort())).failure, { kind: 'aborted' })
    t.equal(server.seen.length, 0, 'no request after an abort')
  })

  contract('leaving the loop during an answer closes the connection', async (t) => {
    const { server, client } = await connected(t, provider, hanging(opening() + prose('So')))
    for await (const piece of client.stream(call, never)) if (piece.type === 'text') break
    await server.idle()
    t.equal(server.open(), 0)
  })
}
