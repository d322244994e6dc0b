import { registerHooks } from 'node:module'
import t, { type Test } from 'tap'
import { use } from '../../kernel/index.ts'
import { modelTiers, type ModelCall, type ModelPiece, failuresOf } from '../../plugins/models/port.ts'
import openai from '../../plugins/models/openai/index.ts'
import { openAiSettings, ownAddress } from '../../plugins/models/openai/settings.ts'
import { toPieces, toRequest } from '../../plugins/models/openai/client.ts'
import { answerOf, clientIn } from '../helpers/model-planner.ts'
import { boatHome } from '../helpers/boats.ts'
import {
  ending,
  failing,
  opening,
  prose,
  startCompletionsServer,
  toolCall,
} from '../helpers/completions-server.ts'
import { sending } from '../helpers/model-server.ts'
import { bodyOf, editor, startStack } from '../helpers/stack.ts'

const properties = { text: { type: 'string' } }
const input = { type: 'object', properties, required: ['text'], additionalProperties: false }
const call: ModelCall = {
  model: 'qwen',
  maxTokens: 400,
  tools: [{ name: 'submit', description: 'Submits.', input }],
  forcedTool: 'submit',
  system: [{ text: 'rules', keep: true }, { text: 'site' }],
  messages: [
    {
      role: 'user',
      texts: [{ text: 'a' }, { text: 'b' }],
      pictures: [{ type: 'image/png', bytes: Buffer.from('png') }],
    },
    { role: 'assistant', texts: [{ text: 'c' }] },
  ],
}

const given = (t: Test, env: Readonly<Record<string, string>>) => clientIn(t, use(openai, {}), env)

t.test('without the package, a call explains how to install it', async (t) => {
  const hooks = registerHooks({
    resolve: (name, context, next) => next(name === 'openai' ? 'not-installed' : name, context),
  })
  t.teardown(() => hooks.deregister())
  const client = await given(t, { OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' })
  const reason = /Run npm install openai, and restart the server\./
  t.match(client && (await answerOf(client, call)), { failure: { kind: 'uninstalled', reason } })
})

t.test('there is a client if a model and a key or an address are set', async (t) => {
  const key = { OPENAI_API_KEY: 'k' }
  for (const env of [{}, key, { OPENAI_MODEL: 'm' }, { ...key, OPENAI_MODEL: ' ' }])
    t.equal(await given(t, env), undefined, JSON.stringify(env))
  const client = await given(t, { ...key, OPENAI_MODEL: 'm' })
  t.ok(modelTiers.every((tier) => client?.modelOf(tier) === 'm'))
  t.equal(client?.seeingModel, 'm')
  const address = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_MODEL: 'm', OPENAI_VISION_MODEL: 'eye' }
  const local = await given(t, address)
  t.match([local?.provider, local?.seeingModel], ['openai', 'eye'])
  const problems = [/OPENAI_BASE_URL.*must be an address/]
  await t.rejects(given(t, { OPENAI_BASE_URL: 'localhost:11434' }), { name: 'BootError', problems })
})

t.test('a call has the form that OpenAI or other services accept', (t) => {
  const [own, other] = [ownAddress, 'http://127.0.0.1:11434/v1'].map((baseUrl) =>
    toRequest(call, { baseUrl }),
  )
  const text = [
    { role: 'system', content: 'rules\n\nsite' },
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: 'data:image/png;base64,cG5n' } },
        { type: 'text', text: 'a\n\nb' },
      ],
    },
    { role: 'assistant', content: 'c' },
  ]
  t.strictSame([own?.messages, other?.messages], [text, text])
  t.match(own, {
    max_completion_tokens: 400,
    max_tokens: undefined,
    stream_options: { include_usage: true },
    tool_choice: { function: { name: 'submit' } },
    tools: [{ function: { strict: true } }],
  })
  t.match(other, {
    max_completion_tokens: undefined,
    max_tokens: 400,
    tools: [{ function: { strict: undefined } }],
  })
  const { forcedTool: _, ...free } = call
  const open = [{ name: 'x', description: 'y', input: { type: 'object' } }]
  const loose = { tool_choice: 'auto', tools: [{ function: { strict: undefined } }] }
  t.match(toRequest({ ...free, tools: open }, { baseUrl: ownAddress }), loose)
  const none = Object.keys(toRequest({ ...free, tools: [] }, { baseUrl: ownAddress }))
  t.notOk(none.some((name) => name.startsWith('tool')))
  t.end()
})

t.test(
  'responses of other services are read: complete or repeated calls, bare usage, empty chunks',
  async (t) => {
    const server = await startCompletionsServer(t)
    const client = await given(t, { OPENAI_BASE_URL: server.origin, OPENAI_MODEL: 'm' })
    const piecesOf = async (stream: string) => {
      server.script(sending(stream))
      const pieces: ModelPiece[] = []
      for await (const piece of client?.stream(call, new AbortController().signal) ?? []) pieces.push(piece)
      return pieces
    }
    const uses = toolCall('{}', { name: 'submit' }) + toolCall('{"a":1}', { index: 1, name: 'again' })
    const complete = await piecesOf(opening() + uses + ending('stop'))
    const end = { type: 'tool_end' }
    const [first, second] = [{ name: 'submit' }, { name: 'again' }]
    const expected = [first, { json: '{}' }, end, second, { json: '{"a":1}' }, end, { reason: 'tool' }]
    t.match(
      complete.filter(({ type }) => type !== 'usage'),
      expected,
    )
    t.equal(server.seen[0]?.headers.authorization, 'Bearer none')
    const choice = { index: 0, delta: { tool_calls: [{ index: 0 }] }, finish_reason: 'stop' }
    const chunk = JSON.stringify({ choices: [choice], usage: { prompt_tokens: 3, completion_tokens: 2 } })
    t.match(await piecesOf(`${opening()}data: ${chunk}\n\ndata: [DONE]\n\n`), [
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 2, cacheReadInputTokens: 0 } },
      { type: 'tool_start', name: '' },
      end,
      { type: 'stop' },
    ])
    const filtered = piecesOf(opening() + prose('x') + ending('content_filter'))
    await t.rejects(filtered, { name: 'ModelFailure', kind: 'refused' })
  },
)

t.test('an exhausted quota is 402, a context that is too long is 413', async (t) => {
  const server = await startCompletionsServer(t)
  const client = await given(t, { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: server.origin, OPENAI_MODEL: 'm' })
  for (const [status, code, meant] of [
    [429, 'insufficient_quota', 402],
    [400, 'context_length_exceeded', 413],
    [429, 'rate_limit_exceeded', 429],
  ] as const) {
    server.script(failing(status, 'some_error', {}, code))
    const answer = client?.stream(call, new AbortController().signal)[Symbol.asyncIterator]().next()
    await t.rejects(Promise.resolve(answer), { name: 'ModelFailure', status: meant }, code)
  }
})

t.test('a stream without chunks is a network error', async (t) => {
  const failures = failuresOf({ ...openAiSettings, provider: 'OpenAI', secret: '' })
  const nothing = (async function* () {})()
  await t.rejects(toPieces(nothing, failures, undefined).next(), { name: 'ModelFailure', kind: 'network' })
})

t.test('in the complete service, requests select a provider by name, and the status lists all', async (t) => {
  const server = await startCompletionsServer(t)
  const plan = { intent: 'content_answer', summary_for_user: 'It is about boats.', change_log: [], ops: [] }
  server.script(sending(opening() + toolCall(JSON.stringify(plan)) + ending('tool_calls')))
  const env = {
    OPENAI_BASE_URL: server.origin,
    OPENAI_MODEL: 'qwen',
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
  }
  const stack = await startStack(t, { env })
  const edit = editor(stack.ask)
  await edit.bootstrap([boatHome('Boats.')])
  const ask = async (more: object) =>
    (await edit.send('/chat', { slug: '/', message: 'What mood is this page in?', ...more })).json()
  const shown = { plannerSource: 'openai', availableProviders: ['openai', 'anthropic'] }
  t.match(await bodyOf(edit.get('/status/planner')), shown)
  const debug = { inputTokens: 100, estimatedUsd: null }
  t.match(await ask({}), { status: 'info', plannerSource: 'openai', modelUsed: 'qwen', debug })
  t.match(await ask({ provider: 'openai' }), { plannerSource: 'openai' })
  t.match(await ask({ provider: 'anthropic' }), { status: 'error', plannerSource: 'anthropic' })
  t.match(await ask({ provider: 'unheard-of' }), { plannerSource: 'openai' })
  server.script(failing(401, 'invalid_api_key'))
  t.match(await ask({}), {
    summary: /^The provider of the language model did not answer the request/,
    debug: { reason: /^The provider .* Check OPENAI_API_KEY/ },
  })
})
