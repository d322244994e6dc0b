import t, { type Test } from 'tap'
import * as v from 'valibot'
import { capturedLog } from '../../../kernel/testing.ts'
import { createRemoteHost, readVariables, serveHttp } from '../../../config/cli/mcp.ts'
import { toToolSettings } from '../../../plugins/mcp/settings.ts'
import { tools } from '../../../plugins/mcp/catalogue.ts'
import { bearer, call, connect, sample, startStub, until } from '../../helpers/mcp.ts'
import { goneOrigin } from '../../helpers/publishing.ts'
import { askOver, startStack } from '../../helpers/stack.ts'

const [access, publish] = ['canary-access-token-0123456789', 'canary-publish-token-0123456789']
const accept = 'application/json, text/event-stream'
const authorized = { authorization: `Bearer ${bearer}`, accept, 'content-type': 'application/json' }
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

/** A standalone MCP server that calls an orchestrator at this address. */
async function own(t: Test, orchestrator: string, more: Readonly<Record<string, string>> = {}) {
  const { log, lines } = capturedLog()
  const env = readVariables({
    MCP_SITE_ID: 'acme',
    MCP_TOOLS: 'all',
    MCP_PORT: '0',
    MCP_BEARER_TOKEN: bearer,
    ORCHESTRATOR_URL: orchestrator,
    ORCHESTRATOR_ACCESS_TOKEN: access,
    PUBLISH_TOKEN: publish,
    ...more,
  })
  const { port, stop } = await serveHttp(
    await createRemoteHost(env, log),
    toToolSettings(env, { hasPublishToken: true }),
    env,
    log,
  )
  t.teardown(stop)
  return { origin: `http://127.0.0.1:${port}`, address: `http://127.0.0.1:${port}/mcp`, lines }
}

const Answer = v.looseObject({
  jsonrpc: v.literal('2.0'),
  error: v.object({ code: v.number(), message: v.string() }),
  id: v.null(),
})

/** Both servers: standalone, and `/mcp` of a service. */
const places = {
  'a port of its own': async (t: Test) => (await own(t, (await startStub(t)).origin)).origin,
  'the service': async (t: Test) => (await startStack(t, { env: { MCP_BEARER_TOKEN: bearer } })).origin,
}

t.test('both servers reject anything but a message', async (t) => {
  for (const [place, start] of Object.entries(places))
    await t.test(place, async (t) => {
      const origin = await start(t)
      const send = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = authorized) =>
        askOver(origin, { method: 'POST', url: '/mcp', headers, body })
      const deep = '['.repeat(100) + ']'.repeat(100)
      const cases = [
        ['', -32_700],
        ['{', -32_700],
        ['nothing', -32_700],
        ['"text"', -32_700],
        ['null', -32_700],
        [new Uint8Array([0xff, 0xfe]), -32_700],
        [`{"a":${deep}}`, -32_700],
        [`{"a":[${'0,'.repeat(200_000)}0]}`, -32_700],
        ['{"__proto__":{}}', -32_700],
        ['{"a":1e999}', -32_700],
        [JSON.stringify([listing, listing]), -32_600],
        ['[]', -32_600],
        [' \n[{', -32_600],
      ] as const
      for (const [body, code] of cases) {
        const answer = await send(body)
        t.equal(answer.status, 400, String(body).slice(0, 30))
        t.equal(v.parse(Answer, answer.json()).error.code, code, String(body).slice(0, 30))
      }
      for (const body of [
        '{}',
        '{"jsonrpc":"2.0","id":1}',
        '{"jsonrpc":"1.0","method":"x","id":1}',
        '{"jsonrpc":"2.0","method":5,"id":1}',
      ]) {
        t.ok((await send(body)).status >= 400, body)
      }
      t.equal(
        (await send(JSON.stringify(listing), { ...authorized, 'content-type': 'text/plain' })).status,
        415,
      )
      t.equal((await send(JSON.stringify(listing), { ...authorized, accept: 'image/png' })).status, 406)
      t.match((await send(JSON.stringify({ ...listing, method: 'tools/none' }))).text, /-32601/)
      t.equal(
        (await send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))).status,
        202,
      )
      t.equal((await send(JSON.stringify(listing))).status, 200, 'and keeps running')
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
      for (const authorization of [
        undefined,
        'Bearer',
        `Bearer ${bearer}x`,
        `Bearer ${bearer.slice(1)}`,
        `Basic ${bearer}`,
        bearer,
      ]) {
        const answer = await askOver(origin, {
          method: 'POST',
          url: '/mcp',
          headers: { accept, ...(authorization && { authorization }) },
          json: listing,
        })
        t.match(
          { status: answer.status, asks: answer.headers.get('www-authenticate'), body: answer.json() },
          { status: 401, asks: 'Bearer', body: { error: 'unauthorized' } },
          authorization ?? 'none',
        )
      }
      const asked = await askOver(origin, {
        method: 'POST',
        url: '/mcp',
        headers: { ...authorized, origin: 'https://evil.example' },
        json: listing,
      })
      t.equal(asked.status, 403)
    })
})

t.test('a standalone server checks hosts and origins, and reports its health to everyone', async (t) => {
  const { origin } = await own(t, 'http://127.0.0.1:1', {
    MCP_ALLOWED_ORIGINS: 'https://host.example,http://localhost:5000',
    MCP_ALLOWED_HOSTS: 'mcp.example',
  })
  const { port } = new URL(origin)
  const status = async (headers: Readonly<Record<string, string>>) =>
    (await rawAsk(port, { ...authorized, ...headers })).status
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'mcp.example', 'MCP.example:80'])
    t.equal(await status({ host }), 200, host)
  for (const host of ['evil.example', 'mcp.example.evil', '192.0.2.1'])
    t.equal(await status({ host }), 403, host)
  for (const origin of ['https://host.example', 'http://127.0.0.1:5000'])
    t.equal(await status({ host: 'localhost', origin }), 200, origin)
  for (const origin of ['null', 'https://host.example.evil', 'http://host.example'])
    t.equal(await status({ host: 'localhost', origin }), 403, origin)
  t.equal(
    await status({ host: 'evil.example', authorization: 'none' }),
    403,
    'the host is checked before the token',
  )
  const health = await askOver(origin, { url: '/healthz' })
  t.match(health.json(), { ok: true, name: 'content-orchestrator', version: /^\d/ })
  t.notMatch(health.text, /acme/)
  t.equal((await askOver(origin, { url: '/draft/slugs', headers: authorized })).status, 404)
})

/** Sends one listing with headers that fetch does not let a caller set. */
async function rawAsk(
  port: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number }> {
  const { request } = await import('node:http')
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly status: number }>()
  const sent = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers }, (response) => {
    response.resume().once('end', () => resolve({ status: response.statusCode ?? 0 }))
  })
  sent.once('error', reject).end(JSON.stringify(listing))
  return promise
}

t.test('a body over 40 MiB is rejected, and a file of 25 MiB is accepted', async (t) => {
  const stub = await startStub(t)
  const { address, origin } = await own(t, stub.origin)
  const answer = await askOver(origin, {
    method: 'POST',
    url: '/mcp',
    headers: authorized,
    body: new Uint8Array(40 * 1024 * 1024 + 1),
  })
  t.equal(answer.status, 413)
  const base64Data = Buffer.alloc(25 * 1024 * 1024, 'a').toString('base64')
  t.notOk(
    (await call(await connect(t, address), 'transcribe-audio', { base64Data, mimeType: 'audio/mpeg' }))
      .isError,
  )
})

const wrong: readonly unknown[] = [null, 5, 'canary', [null], { a: { b: [] } }, -1]

t.test('invalid arguments give an error message and send no request', async (t) => {
  const stub = await startStub(t)
  const { address, lines } = await own(t, stub.origin)
  const client = await connect(t, address)
  for (const { name, input } of tools) {
    for (const [argument, schema] of Object.entries(input.entries)) {
      for (const value of wrong.filter((value) => !v.is(schema, value))) {
        const { isError, text } = await call(client, name, { [argument]: value })
        t.ok(
          isError &&
            /^(?:'\S+'|The arguments) of the arguments is not valid: .*[^.]\.$|^\S+ is required$/.test(
              text,
            ) &&
            !/canary|Invalid|received/.test(text),
          `${name} ${argument} ${JSON.stringify(value)}: ${text}`,
        )
      }
    }
  }
  t.strictSame(stub.seen, [])
  t.match(await call(client, 'rename-page', { slug: '/a' }), {
    isError: true,
    text: 'Give at least one of newSlug, newTitle.',
  })
  for (const base64Data of ['data:image/png;base64,', '????'])
    t.match(await call(client, 'upload-image', { base64Data, mimeType: 'image/png' }), {
      isError: true,
      text: /^base64Data is empty or invalid/,
    })
  const older = await connect(t, address, { era: 'legacy' })
  await t.rejects(older.callTool({ name: 'x'.repeat(100_000), arguments: {} }), /no such tool/)
  await t.rejects(client.callTool({ name: '__proto__', arguments: {} }), /no such tool/)
  t.notMatch(lines.join(), /"level":50/)
})

t.test('an error of the service is reported in at most 500 characters', async (t) => {
  const stub = await startStub(t)
  const { address } = await own(t, stub.origin)
  const client = await connect(t, address)
  const cases = [
    [
      { status: 404, body: { error: 'There is none.', code: 'not_found', reason: 'There is none.' } },
      'orchestrator-get-page → 404 not_found There is none.',
    ],
    [
      { status: 401, body: { error: 'unauthorized' } },
      'orchestrator-get-page → 401 unauthorized unauthorized',
    ],
    [{ status: 500, body: '<h1>canary</h1>' }, 'orchestrator-get-page → 500 The answer is not JSON.'],
    [{ status: 200, body: '<h1>canary</h1>' }, 'orchestrator-get-page → 200 The answer is not JSON.'],
    [{ status: 200, body: '{"__proto__":{}}' }, 'orchestrator-get-page → 200 The answer is not JSON.'],
    [{ status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: {} }, 'orchestrator-get-page → 302'],
    [{ status: 409, body: [] }, 'orchestrator-get-page → 409'],
    [
      {
        status: 404,
        body: {
          code: 'not_found',
          reason: 'GET /draft/slugs lists its pages, GET /checks/rules and GET /nothing other things.',
        },
      },
      'orchestrator-get-page → 404 not_found orchestrator-get-outline lists its pages, GET /checks/rules and GET /nothing other things.',
    ],
    [
      { status: 400, body: { code: 'x', reason: 'é'.repeat(1000) } },
      `orchestrator-get-page → 400 x ${'é'.repeat(500 - 'orchestrator-get-page → 400 x '.length)}`,
    ],
  ] as const
  for (const [answer, text] of cases) {
    stub.answers['/draft/pages'] = answer
    t.match(await call(client, 'get-page', { slug: '/' }), { isError: true, text })
  }
})

t.test('an unexpected answer of the service is not a fault', async (t) => {
  const stub = await startStub(t, {
    '/draft/slugs': { body: 5 },
    '/draft/pages': { body: [] },
    '/preview/screenshot': { body: {} },
  })
  const { address, lines } = await own(t, stub.origin)
  const client = await connect(t, address)
  for (const [name, args] of [
    ['get-outline', {}],
    ['get-outline', { slug: '/' }],
    ['get-block', { slug: '/', blockId: 'b' }],
    ['screenshot-page', {}],
  ] as const) {
    t.match(
      await call(client, name, args),
      { isError: true, text: /^The service gave an unexpected answer\./ },
      name,
    )
  }
  await t.rejects(client.listResources(), /gave an unexpected answer/)
  t.notMatch(lines.join(), /"level":50/)
})

t.test('an unreachable service is named, without secrets', async (t) => {
  const gone = await goneOrigin()
  const { address, lines } = await own(t, gone)
  const client = await connect(t, address)
  t.match(await call(client, 'list-block-types'), {
    isError: true,
    text: `${gone} cannot be reached (ECONNREFUSED); start it, or name another in ORCHESTRATOR_URL`,
  })
  t.match(await call(client, 'publish-content'), {
    isError: true,
    text: `orchestrator-publish-content → ${gone} cannot be reached (ECONNREFUSED); start it, or name another in ORCHESTRATOR_URL`,
  })
  t.notMatch(lines.join(), /canary|a-bearer/)
})

t.test('returned secrets are redacted, and content that only looks like one is not', async (t) => {
  const stub = await startStub(t)
  const { address, lines } = await own(t, stub.origin)
  const client = await connect(t, address)
  stub.answers['/draft/pages'] = {
    body: sample('GET /draft/pages', { title: `Basic pricing, ${access}, ${publish} and ${bearer}` }),
  }
  t.match((await call(client, 'get-page', { slug: '/' })).json(), {
    title: 'Basic pricing, [redacted], [redacted] and [redacted]',
  })
  t.match(
    JSON.stringify(await client.readResource({ uri: 'orchestrator://pages/%2F' })),
    /Basic pricing, \[redacted\]/,
  )
  stub.answers['/draft/pages'] = { status: 400, body: { code: 'bad_request', reason: `Not ${access}` } }
  t.match((await call(client, 'get-page', { slug: '/' })).text, /Not \[redacted\]$/)
  const result = await client.readResource({ uri: 'orchestrator://pages/%2F' }).then(String, String)
  t.match(result, /400 bad_request/)
  t.notMatch(result + lines.join(), /canary|a-bearer/)

  const stack = await startStack(t, { env: { MCP_BEARER_TOKEN: bearer, ORCHESTRATOR_ACCESS_TOKEN: access } })
  await stack.ask({
    method: 'POST',
    url: '/ops',
    json: {
      siteId: 'acme',
      ops: [{ op: 'create_page', page: { slug: '/s', title: `${bearer} ${access}` } }],
    },
  })
  const inner = await connect(t, `${stack.origin}/mcp?siteId=acme`)
  t.match((await call(inner, 'get-page', { slug: '/s' })).json(), { title: '[redacted] [redacted]' })
})

t.test('a host that disconnects aborts the request to the orchestrator', async (t) => {
  const stub = await startStub(t, { '/chat': { hangs: true } })
  const { address } = await own(t, stub.origin)
  for (const era of ['legacy', 'auto'] as const) {
    const client = await connect(t, address, { era })
    const asked = call(client, 'preview-plan', { message: 'Hello' }).then(
      () => 'answered',
      () => 'left',
    )
    t.ok(await until(() => stub.seen.length > 0))
    await client.close()
    t.ok(await until(() => stub.closed.includes('/chat')), era)
    t.equal(await asked, 'left')
    stub.closed.length = 0
    stub.seen.splice(0)
  }
})

t.test('the client name only marks the actor as an agent', async (t) => {
  const stack = await startStack(t, { env: { ORCHESTRATOR_GATE: 'all', ORCHESTRATOR_ACCESS_TOKEN: access } })
  const change = (headers: Readonly<Record<string, string>>) =>
    askOver(stack.origin, {
      method: 'POST',
      url: '/ops',
      headers: { authorization: `Bearer ${access}`, ...headers },
      json: { siteId: 'acme', ops: [{ op: 'update_site_config', patch: { name: 'A' } }] },
    })
  const actor = async () => {
    const { entries } = v.parse(
      v.object({ entries: v.array(v.looseObject({ actor: v.unknown(), channel: v.string() })) }),
      (
        await askOver(stack.origin, {
          url: '/history/log?siteId=acme',
          headers: { authorization: `Bearer ${access}` },
        })
      ).json(),
    )
    const { actor, channel } = entries.at(-1) ?? {}
    return { actor, channel }
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
