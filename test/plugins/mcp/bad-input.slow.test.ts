import { once } from 'node:events'
import { request } from 'node:http'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { tools } from '../../../plugins/mcp/catalogue.ts'
import {
  access,
  bearer,
  call,
  connect,
  publish,
  sample,
  startOwn,
  startStub,
  type StubAnswer,
} from '../../helpers/mcp.ts'
import { until } from '../../helpers/until.ts'
import { goneOrigin } from '../../helpers/publishing.ts'
import { askOver, editor, startStack } from '../../helpers/stack.ts'

const accept = 'application/json, text/event-stream'
const authorized = { authorization: `Bearer ${bearer}`, accept, 'content-type': 'application/json' }
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

const Answer = v.looseObject({
  jsonrpc: v.literal('2.0'),
  error: v.object({ code: v.number(), message: v.string() }),
  id: v.null(),
})

/** Both servers: standalone, and `/mcp` of a service. */
const places = {
  'a port of its own': async (t: Test) => (await startOwn(t, (await startStub(t)).origin)).origin,
  'the service': async (t: Test) => (await startStack(t, { env: { MCP_BEARER_TOKEN: bearer } })).origin,
}

t.test('both servers reject anything but a message', async (t) => {
  for (const [place, start] of Object.entries(places))
    await t.test(place, async (t) => {
      const origin = await start(t)
      const send = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = authorized) =>
        askOver(origin, { method: 'POST', url: '/mcp', headers, body })
      const deep = '['.repeat(100) + ']'.repeat(100)
      const many = `{"a":[${'0,'.repeat(200_000)}0]}`
      const unparsed = ['', 'nothing', '"text"', 'null', Buffer.from([0xff, 0xfe]), `{"a":${deep}}`, many]
      const cases = [
        ...[...unparsed, '{"__proto__":{}}', '{"a":1e999}'].map((body) => [body, -32_700] as const),
        ...[JSON.stringify([listing, listing]), '[]', ' \n[{'].map((body) => [body, -32_600] as const),
      ]
      for (const [body, code] of cases) {
        const answer = await send(body)
        t.equal(answer.status, 400, String(body).slice(0, 30))
        t.equal(v.parse(Answer, answer.json()).error.code, code, String(body).slice(0, 30))
      }
      for (const more of [{}, { id: 1 }, { jsonrpc: '1.0', method: 'x', id: 1 }, { method: 5, id: 1 }])
        t.ok((await send(JSON.stringify({ jsonrpc: '2.0', ...more }))).status >= 400, JSON.stringify(more))
      const list = JSON.stringify(listing)
      t.equal((await send(list, { ...authorized, 'content-type': 'text/plain' })).status, 415)
      t.equal((await send(list, { ...authorized, accept: 'image/png' })).status, 406)
      t.match((await send(JSON.stringify({ ...listing, method: 'tools/none' }))).text, /-32601/)
      const notice = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
      t.equal((await send(notice)).status, 202)
      t.equal((await send(list)).status, 200, 'and keeps running')
    })
})

t.test('both servers reject other methods and requests without a token', async (t) => {
  for (const [place, start] of Object.entries(places))
    await t.test(place, async (t) => {
      const origin = await start(t)
      for (const method of ['GET', 'DELETE']) {
        const answer = await askOver(origin, { method, url: '/mcp', headers: authorized })
        t.match({ status: answer.status, allow: answer.headers.get('allow') }, { status: 405, allow: 'POST' })
        t.match(answer.json(), { jsonrpc: '2.0', error: { code: -32_000 }, id: null })
      }
      const post = (headers: Readonly<Record<string, string>>) =>
        askOver(origin, { method: 'POST', url: '/mcp', headers: { accept, ...headers }, json: listing })
      const wrong = ['Bearer', `Bearer ${bearer}x`, `Bearer ${bearer.slice(1)}`, `Basic ${bearer}`, bearer]
      for (const headers of [{}, ...wrong.map((authorization) => ({ authorization }))]) {
        const answer = await post(headers)
        t.equal(answer.headers.get('www-authenticate'), 'Bearer')
        t.match(answer, { status: 401, text: /^\{"error":"unauthorized"/ }, JSON.stringify(headers))
      }
      t.equal((await post({ ...authorized, origin: 'https://evil.example' })).status, 403)
    })
})

t.test('a standalone server checks hosts and origins, and reports its health to everyone', async (t) => {
  const { origin } = await startOwn(t, 'http://127.0.0.1:1', {
    MCP_ALLOWED_ORIGINS: 'https://host.example,http://localhost:5000',
    MCP_ALLOWED_HOSTS: 'mcp.example',
  })
  const { port } = new URL(origin)
  // Headers that fetch does not let a caller set.
  const status = async (headers: Readonly<Record<string, string>>): Promise<number | undefined> => {
    const about = { host: '127.0.0.1', port, path: '/mcp', method: 'POST' }
    const sent = request({ ...about, headers: { ...authorized, ...headers } }).end(JSON.stringify(listing))
    const [response] = await once(sent, 'response')
    return response.resume().statusCode
  }
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'mcp.example', 'MCP.example:80'])
    t.equal(await status({ host }), 200, host)
  for (const host of ['evil.example', 'mcp.example.evil', '192.0.2.1'])
    t.equal(await status({ host }), 403, host)
  for (const origin of ['https://host.example', 'http://127.0.0.1:5000'])
    t.equal(await status({ host: 'localhost', origin }), 200, origin)
  for (const origin of ['null', 'https://host.example.evil', 'http://host.example'])
    t.equal(await status({ host: 'localhost', origin }), 403, origin)
  t.equal(await status({ host: 'evil.example', authorization: 'none' }), 403, 'before the token')
  const health = await askOver(origin, { url: '/healthz' })
  t.match(health.json(), { ok: true, name: 'content-orchestrator', version: /^\d/ })
  t.notMatch(health.text, /acme/)
  t.equal((await askOver(origin, { url: '/draft/slugs', headers: authorized })).status, 404)
})

t.test('a body over 40 MiB is rejected, and a file of 25 MiB is accepted', async (t) => {
  const stub = await startStub(t)
  const { address, origin } = await startOwn(t, stub.origin)
  const body = new Uint8Array(40 * 1024 * 1024 + 1)
  const answer = await askOver(origin, { method: 'POST', url: '/mcp', headers: authorized, body })
  t.equal(answer.status, 413)
  const file = { base64Data: Buffer.alloc(25 * 1024 * 1024, 'a').toString('base64'), mimeType: 'audio/mpeg' }
  t.notOk((await call(await connect(t, address), 'transcribe-audio', file)).isError)
})

const sentence = /^(?:'\S+'|The arguments) of the arguments is not valid: .*[^.]\.$|^\S+ is required$/
const wrong: readonly unknown[] = [null, 5, 'canary', [null], { a: { b: [] } }, -1]

t.test('invalid arguments give an error message and send no request', async (t) => {
  const stub = await startStub(t)
  const { address, lines } = await startOwn(t, stub.origin)
  const client = await connect(t, address)
  for (const { name, input } of tools) {
    for (const [argument, schema] of Object.entries(input.entries)) {
      for (const value of wrong.filter((value) => !v.is(schema, value))) {
        const { isError, text } = await call(client, name, { [argument]: value })
        const isSentence = sentence.test(text) && !/canary|Invalid|received/.test(text)
        t.ok(isError && isSentence, `${name} ${argument} ${JSON.stringify(value)}: ${text}`)
      }
    }
  }
  t.strictSame(stub.seen, [])
  const neither = await call(client, 'rename-page', { slug: '/a' })
  t.match(neither, { isError: true, text: 'Give at least one of newSlug, newTitle.' })
  for (const base64Data of ['data:image/png;base64,', '????']) {
    const answer = await call(client, 'upload-image', { base64Data, mimeType: 'image/png' })
    t.match(answer, { isError: true, text: /^base64Data is empty or invalid/ })
  }
  const older = await connect(t, address, { era: 'legacy' })
  await t.rejects(older.callTool({ name: 'x'.repeat(100_000), arguments: {} }), /no such tool/)
  await t.rejects(client.callTool({ name: '__proto__', arguments: {} }), /no such tool/)
  t.notMatch(lines.join(), /"level":50/)
})

t.test('an error of the service is reported in at most 500 characters', async (t) => {
  const stub = await startStub(t)
  const { address } = await startOwn(t, stub.origin)
  const client = await connect(t, address)
  const notJson = 'The answer is not JSON.'
  const routes = (first: string) =>
    `${first} lists its pages, GET /checks/rules and GET /nothing other things.`
  const none = { error: 'There is none.', code: 'not_found', reason: 'There is none.' }
  const cases: readonly (readonly [answer: StubAnswer, text: string])[] = [
    [{ status: 404, body: none }, '404 not_found There is none.'],
    [{ status: 401, body: { error: 'unauthorized' } }, '401 unauthorized unauthorized'],
    [{ status: 500, body: '<h1>canary</h1>' }, `500 ${notJson}`],
    [{ body: '<h1>canary</h1>' }, `200 ${notJson}`],
    [{ body: '{"__proto__":{}}' }, `200 ${notJson}`],
    [{ status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: {} }, '302'],
    [{ status: 409, body: [] }, '409'],
    [
      { status: 404, body: { code: 'not_found', reason: routes('GET /draft/slugs') } },
      `404 not_found ${routes('orchestrator-get-outline')}`,
    ],
    [{ status: 400, body: { code: 'x', reason: 'é'.repeat(1000) } }, `400 x ${'é'.repeat(470)}`],
  ]
  for (const [answer, text] of cases) {
    stub.answers['/draft/pages'] = answer
    const failure = { isError: true, text: `orchestrator-get-page → ${text}` }
    t.match(await call(client, 'get-page', { slug: '/' }), failure)
  }
})

t.test('an unexpected answer of the service is not a fault', async (t) => {
  const stub = await startStub(t, {
    '/draft/slugs': { body: 5 },
    '/draft/pages': { body: [] },
    '/preview/screenshot': { body: {} },
  })
  const { address, lines } = await startOwn(t, stub.origin)
  const client = await connect(t, address)
  for (const [name, args] of [
    ['get-outline', {}],
    ['get-outline', { slug: '/' }],
    ['get-block', { slug: '/', blockId: 'b' }],
    ['screenshot-page', {}],
  ] as const) {
    const answer = await call(client, name, args)
    t.match(answer, { isError: true, text: /^The service gave an unexpected answer\./ }, name)
  }
  await t.rejects(client.listResources(), /gave an unexpected answer/)
  t.notMatch(lines.join(), /"level":50/)
})

t.test('an unreachable service is named, without secrets', async (t) => {
  const gone = await goneOrigin()
  const { address, lines } = await startOwn(t, gone)
  const client = await connect(t, address)
  const text = `${gone} cannot be reached (ECONNREFUSED); start it, or name another in ORCHESTRATOR_URL`
  t.match(await call(client, 'list-block-types'), { isError: true, text })
  const named = { isError: true, text: `orchestrator-publish-content → ${text}` }
  t.match(await call(client, 'publish-content'), named)
  t.notMatch(lines.join(), /canary|a-bearer/)
})

t.test('returned secrets are redacted, and content that only looks like one is not', async (t) => {
  const stub = await startStub(t)
  const { address, lines } = await startOwn(t, stub.origin)
  const client = await connect(t, address)
  const secrets = { title: `Basic pricing, ${access}, ${publish} and ${bearer}` }
  stub.answers['/draft/pages'] = { body: sample('GET /draft/pages', secrets) }
  const title = 'Basic pricing, [redacted], [redacted] and [redacted]'
  t.match((await call(client, 'get-page', { slug: '/' })).json(), { title })
  const uri = 'orchestrator://pages/%2F'
  t.match(JSON.stringify(await client.readResource({ uri })), /Basic pricing, \[redacted\]/)
  stub.answers['/draft/pages'] = { status: 400, body: { code: 'bad_request', reason: `Not ${access}` } }
  t.match((await call(client, 'get-page', { slug: '/' })).text, /Not \[redacted\]$/)
  const result = await client.readResource({ uri }).then(String, String)
  t.match(result, /400 bad_request/)
  t.notMatch(result + lines.join(), /canary|a-bearer/)

  const stack = await startStack(t, { env: { MCP_BEARER_TOKEN: bearer, ORCHESTRATOR_ACCESS_TOKEN: access } })
  await editor(stack.ask).ops([{ op: 'create_page', page: { slug: '/s', title: `${bearer} ${access}` } }])
  const inner = await connect(t, `${stack.origin}/mcp?siteId=acme`)
  t.match((await call(inner, 'get-page', { slug: '/s' })).json(), { title: '[redacted] [redacted]' })
})

t.test('a host that disconnects aborts the request to the orchestrator', async (t) => {
  const stub = await startStub(t, { '/chat': { hangs: true } })
  const { address } = await startOwn(t, stub.origin)
  for (const era of ['legacy', 'auto'] as const) {
    const client = await connect(t, address, { era })
    const asked = call(client, 'preview-plan', { message: 'Hello' }).then(
      () => 'answered',
      () => 'left',
    )
    await until(() => stub.seen.length > 0)
    await client.close()
    await until(() => stub.closed.includes('/chat'))
    t.equal(await asked, 'left')
    stub.closed.length = 0
    stub.seen.splice(0)
  }
})

t.test('the client name only marks the actor as an agent', async (t) => {
  const stack = await startStack(t, { env: { ORCHESTRATOR_GATE: 'all', ORCHESTRATOR_ACCESS_TOKEN: access } })
  const by = { authorization: `Bearer ${access}` }
  let count = 0
  const change = (headers: Readonly<Record<string, string>>) => {
    const ops = [{ op: 'update_site_config', patch: { name: `A ${++count}` } }]
    const json = { siteId: 'acme', ops }
    return askOver(stack.origin, { method: 'POST', url: '/ops', headers: { ...by, ...headers }, json })
  }
  const Entry = v.object({ actor: v.unknown(), channel: v.string() })
  const actor = async () => {
    const log = await askOver(stack.origin, { url: '/history/log?siteId=acme', headers: by })
    return v.parse(v.object({ entries: v.array(Entry) }), log.json()).entries.at(-1)
  }
  t.equal((await change({ 'x-orchestrator-client': 'anna' })).status, 200)
  t.strictSame(await actor(), { actor: { kind: 'agent', id: 'fixed', client: 'anna' }, channel: 'mcp' })
  for (const name of ['', 'x'.repeat(65), 'caf\u00e9']) {
    await change({ 'x-orchestrator-client': name })
    t.strictSame(await actor(), { actor: { kind: 'agent', id: 'fixed' }, channel: 'mcp' }, name)
  }
  await change({})
  t.strictSame(await actor(), { actor: { kind: 'person', id: 'fixed' }, channel: 'api' })
  t.equal((await change({ authorization: 'Bearer none', 'x-orchestrator-client': 'anna' })).status, 401)
})
