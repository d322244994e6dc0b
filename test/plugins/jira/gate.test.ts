import { once } from 'node:events'
import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { give, systemClock, use, type Permission } from '../../../kernel/index.ts'
import auth from '../../../plugins/auth/index.ts'
import { createScopedTokens } from '../../../plugins/auth/scoped/tokens.ts'
import { allowedOrigins } from '../../../plugins/auth/port.ts'
import { remember } from '../../../plugins/jira/records.ts'
import { createMemoryStore } from '../../../plugins/store/memory.ts'
import {
  hookSecret,
  signatureOf,
  startTicketService,
  type TicketServiceOptions,
} from '../../helpers/jira-service.ts'
import { askOver } from '../../helpers/stack.ts'

const Refused = v.looseObject({
  error: v.string(),
  code: v.optional(v.string()),
  reason: v.optional(v.string()),
})
const message = (key = 'WEB-1') => JSON.stringify({ webhookEvent: 'jira:worklog_updated', issue: { key } })
const json = { 'content-type': 'application/json' }

/** With the real gates, over a socket. */
async function listening(t: Test, env: Readonly<Record<string, string>>, more: TicketServiceOptions = {}) {
  const service = await startTicketService(t, { bare: true, gates: [], plugins: [use(auth)], env, ...more })
  const server = createServer((request, response) => void service.mounted.node(request, response)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const post = (
    headers: Readonly<Record<string, string>> = {},
    body: string | Uint8Array = message(),
    query = '',
  ) =>
    askOver(origin, { method: 'POST', url: `/jira/webhook${query}`, headers: { ...json, ...headers }, body })
  const get = (headers: Readonly<Record<string, string>> = {}, query = '') =>
    askOver(origin, { url: `/jira/status${query}`, headers })
  return { ...service, origin, post, get }
}

const production = { NODE_ENV: 'production' }
const noSecret = { JIRA_WEBHOOK_SECRET: '' }

t.test('with a secret, callers that send it or sign with it are accepted from any address', async (t) => {
  for (const env of [{}, production]) {
    const { post, get, origin, ask } = await listening(t, env)
    t.equal((await post({ 'x-jira-webhook-secret': hookSecret })).status, 200)
    t.equal((await post({}, message(), `?secret=${hookSecret}`)).status, 200)
    t.equal((await post({ 'x-hub-signature': signatureOf(message()) })).status, 200)
    t.equal((await get({ 'x-jira-webhook-secret': hookSecret })).status, 200)
    t.equal((await get({}, `?secret=${hookSecret}`)).status, 200)
    const wrong: readonly (readonly [string, Parameters<typeof post>])[] = [
      ['nothing', []],
      ['a wrong secret', [{ 'x-jira-webhook-secret': 'no' }]],
      ['a wrong secret in the query', [{}, message(), '?secret=no']],
      ['two secrets', [{}, message(), `?secret=${hookSecret}&secret=${hookSecret}`]],
      ['another signature', [{ 'x-hub-signature': signatureOf('other') }]],
      ['a signature by another secret', [{ 'x-hub-signature': signatureOf(message(), 'other') }]],
      [
        'another kind of signature',
        [{ 'x-hub-signature': signatureOf(message()).replace('sha256', 'sha1') }],
      ],
      ['an empty signature', [{ 'x-hub-signature': '' }]],
      [
        'a wrong secret with a signature',
        [{ 'x-jira-webhook-secret': 'no', 'x-hub-signature': signatureOf(message()) }],
      ],
      ['an access token', [{ 'x-access-token': 'fixed' }]],
    ]
    for (const [name, request] of wrong) {
      const answer = await post(...request)
      t.equal(answer.status, 401, name)
      t.match(
        v.parse(Refused, answer.json()),
        { code: 'invalid_webhook_secret', reason: /JIRA_WEBHOOK_SECRET/ },
        name,
      )
      t.notMatch(answer.text, hookSecret)
    }
    t.equal(
      (await get({ 'x-hub-signature': signatureOf('') })).status,
      401,
      'a signature is valid for messages only',
    )
    t.equal(
      (
        await askOver(origin, {
          method: 'POST',
          url: '/jira/process',
          json: { issueKey: 'WEB-1' },
          headers: { 'x-hub-signature': signatureOf('{"issueKey":"WEB-1"}') },
        })
      ).status,
      401,
    )
    t.equal((await ask({ method: 'POST', url: '/jira/process', json: { issueKey: 'WEB-1' } })).status, 401)
  }
})

t.test('a signature covers the raw bytes', async (t) => {
  const { post } = await listening(t, {})
  const spaced = `{ "issue" : { "key": "WEB-1" } ,\t"webhookEvent":"x\\u0061" }\n`
  t.equal((await post({ 'x-hub-signature': signatureOf(spaced) }, spaced)).status, 200)
  t.equal(
    (await post({ 'x-hub-signature': signatureOf(JSON.stringify(JSON.parse(spaced))) }, spaced)).status,
    401,
  )
})

t.test('without a secret, local callers and token holders are accepted outside production', async (t) => {
  const { post, get, ask, storage } = await listening(t, {
    ...noSecret,
    ORCHESTRATOR_ACCESS_TOKEN: 'fixed-token-of-this-test',
  })
  t.equal((await post()).status, 200)
  t.equal((await get()).status, 200)
  const far = { 'x-forwarded-for': '203.0.113.9' }
  const refusal = await post(far)
  t.equal(refusal.status, 401)
  t.match(refusal.json(), { error: 'unauthorized' })
  t.equal(
    (await post({ ...far, 'x-access-token': 'fixed-token-of-this-test' }, message('WEB-2'))).status,
    200,
  )
  t.equal((await post({ ...far, 'x-access-token': 'other' })).status, 401)
  t.equal(
    (await post({ 'x-hub-signature': signatureOf(message(), '') }, message('WEB-4'))).status,
    200,
    'a signature is ignored then',
  )

  const scoped = createScopedTokens({ store: storage, clock: systemClock })
  for (const [mode, permission] of [
    ['execute', 'edit'],
    ['publish', 'publish'],
  ] as const) {
    const process = async (...can: readonly Permission[]) =>
      ask({
        method: 'POST',
        url: '/jira/process',
        json: { issueKey: 'WEB-9', mode },
        headers: { 'x-access-token': (await scoped.create({ name: mode, can })).text },
      })
    t.match((await process('agent')).json(), {
      code: 'token_not_allowed',
      reason: new RegExp(`lacks the permission '${permission}'`),
    })
    t.match(
      (await process('agent', permission)).json(),
      { issueKey: 'WEB-9', error: 'jira_failed' },
      'it is tried: there is no such ticket',
    )
  }

  const paged = await listening(t, noSecret, { seeds: [give(allowedOrigins, ['https://edit.example'])] })
  t.equal(
    (await paged.post({ origin: 'https://evil.example' })).status,
    401,
    'a page in a local browser is not a local caller',
  )

  const locked = await listening(t, { ...noSecret, ...production })
  for (const answer of [
    await locked.post(),
    await locked.get(),
    await locked.post({ 'x-hub-signature': 'sha256=' }),
  ]) {
    t.equal(answer.status, 503)
    t.match(answer.json(), { code: 'jira_secret_missing', reason: /JIRA_WEBHOOK_SECRET/ })
  }
})

t.test('a mount requires its own credential as well', async (t) => {
  const { ask } = await startTicketService(t, {
    bare: true,
    gates: [],
    plugins: [use(auth)],
    env: { ORCHESTRATOR_ACCESS_TOKEN: 'fixed-token-of-this-test' },
    more: { shape: 'library' },
  })
  const post = (query: string, headers: Readonly<Record<string, string>> = {}) =>
    ask({ method: 'POST', url: `/jira/webhook${query}`, headers: { ...json, ...headers }, body: message() })
  t.equal((await post(`?secret=${hookSecret}`)).status, 401)
  t.equal((await post('?accessToken=fixed-token-of-this-test')).status, 401)
  t.equal((await post(`?secret=${hookSecret}&accessToken=fixed-token-of-this-test`)).status, 200)
  t.equal(
    (await post('?accessToken=fixed-token-of-this-test', { 'x-hub-signature': signatureOf(message()) }))
      .status,
    200,
  )
})

t.test('without Jira settings every route names the variables to set', async (t) => {
  for (const env of [
    { JIRA_API_TOKEN: '' },
    { JIRA_BASE_URL: '' },
    { JIRA_BASE_URL: '', ...production, ...noSecret },
  ]) {
    const { post, get, origin } = await listening(t, env)
    for (const answer of [
      await post({ 'x-jira-webhook-secret': hookSecret }),
      await get(),
      await askOver(origin, { method: 'POST', url: '/jira/process', json: {} }),
    ]) {
      t.equal(answer.status, 503)
      t.match(answer.json(), { code: 'jira_not_configured', reason: /JIRA_BASE_URL and JIRA_API_TOKEN/ })
    }
  }
})

t.test('only messages in the format of Jira are accepted', async (t) => {
  const { ask, secret, server } = await startTicketService(t, { bare: true })
  server.open('WEB-1')
  const post = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
    ask({ method: 'POST', url: '/jira/webhook', headers: { ...json, ...secret, ...headers }, body })
  const deep = `{"issue":{"key":"WEB-1"},"x":${'['.repeat(100)}${']'.repeat(100)}}`
  const rows: readonly (readonly [string, Parameters<typeof post>, number, string])[] = [
    ['no body', [''], 400, 'invalid_json'],
    ['no JSON', ['{'], 400, 'invalid_json'],
    ['not UTF-8', [Buffer.from([0x22, 0xff, 0x22])], 400, 'invalid_json'],
    ['deep', [deep], 400, 'invalid_json'],
    ['unsafe', ['{"__proto__":1}'], 400, 'invalid_json'],
    ['a text', [message(), { 'content-type': 'text/plain' }], 415, 'unsupported_media_type'],
    ['encoded', [message(), { 'content-encoding': 'gzip' }], 415, 'unsupported_media_type'],
    ['no ticket', ['{}'], 400, 'invalid_webhook'],
    ['a list', ['[]'], 400, 'invalid_webhook'],
    ['null', ['null'], 400, 'invalid_webhook'],
    ['another key', [message('x')], 400, 'invalid_webhook'],
    ['a path', [message('WEB-1/../../myself')], 400, 'invalid_webhook'],
    ['too large', [`"${'x'.repeat(2 * 1024 * 1024)}"`], 413, 'body_too_large'],
  ]
  for (const [name, request, status, code] of rows) {
    const answer = await post(...request)
    t.equal(answer.status, status, name)
    t.equal(v.parse(Refused, answer.json()).code, code, name)
  }
  t.equal(
    (await post(`{"issue":{"key":"WEB-1"},"x":"${'x'.repeat(2_000_000)}"}`)).status,
    200,
    'a long message is accepted',
  )
  t.equal(server.count('/issue/'), 0, 'no run was started')
})

t.test('a repeated message is accepted once, by identifier or content, across a restart', async (t) => {
  const { server, deliver, idle, storage, ask, secret } = await startTicketService(t)
  server.open('WEB-1')
  const created = { ...server.created('WEB-1'), timestamp: undefined }
  const same = { 'x-atlassian-webhook-identifier': 'one' }
  t.equal((await deliver(created, same)).status, 202)
  t.strictSame((await deliver({ ...created, timestamp: Date.now() }, same)).json(), {
    ok: true,
    skipped: true,
    reason: 'repeated_delivery',
  })
  await idle()
  const other = server.created('WEB-1')
  const plain = () => ask({ method: 'POST', url: '/jira/webhook', json: other, headers: secret })
  const [first, second] = await Promise.all([plain(), plain()])
  t.strictSame([first.status, second.status].toSorted(), [200, 202], 'concurrent repeats are accepted once')
  await idle()
  t.strictSame((await plain()).json(), { ok: true, skipped: true, reason: 'repeated_delivery' })

  const recorded = JSON.stringify(server.created('WEB-1'))
  const replay = (id: string, body = recorded) =>
    ask({
      method: 'POST',
      url: '/jira/webhook',
      body,
      headers: { ...json, 'x-hub-signature': signatureOf(body), 'x-atlassian-webhook-identifier': id },
    })
  t.equal((await replay('two')).status, 202)
  await idle()
  t.strictSame(
    (await replay('three')).json(),
    { ok: true, skipped: true, reason: 'repeated_delivery' },
    'a recorded message under another identifier',
  )
  const old = await replay(
    'four',
    JSON.stringify({ ...server.created('WEB-1'), timestamp: Date.now() - 25 * 60 * 60 * 1000 }),
  )
  t.equal(old.status, 400)
  t.match(old.json(), { code: 'webhook_too_old', reason: /a day/ })

  const next = await startTicketService(t, { server, storage, bare: true })
  t.equal((await next.deliver(created, same)).status, 200)
  let now = Date.now()
  const later = await startTicketService(t, {
    server,
    storage,
    bare: true,
    time: { now: () => new Date(now) },
  })
  now += 24 * 60 * 60 * 1000 + 60_000
  t.equal((await later.deliver(created, same)).status, 202, 'it is forgotten after a day')
  await later.idle()
})

t.test('a thousand messages are remembered', async (t) => {
  const store = createMemoryStore()
  let now = 0
  const isNew = (name: string) => store.transaction((tx) => remember(tx, [name, `${name} again`], ++now))
  for (let at = 0; at < 1_001; at++) t.ok(await isNew(`message ${at}`))
  t.notOk(await isNew('message 1'))
  t.ok(await isNew('message 0'), 'the oldest is forgotten')
})

t.test('a manual run is requested by key and mode', async (t) => {
  const { process, server } = await startTicketService(t, { env: { JIRA_PROJECT_KEYS: 'WEB, SHOP' } })
  server.open('WEB-1')
  const rows: readonly (readonly [unknown, unknown, string])[] = [
    [undefined, undefined, 'issue_key_required'],
    ['', undefined, 'issue_key_required'],
    [7, undefined, 'issue_key_required'],
    ['web-1', undefined, 'issue_key_required'],
    ['WEB-1', 'delete', 'invalid_mode'],
    ['WEB-1', null, 'invalid_mode'],
    ['WEB-1', '__proto__', 'invalid_mode'],
    ['OPS-1', undefined, 'project_not_allowed'],
  ]
  for (const [key, mode, code] of rows) {
    const answer = await process(key, mode)
    t.equal(answer.status, 400, String(key))
    t.match(answer.json(), { code })
  }
  t.equal(server.count('/issue/'), 0)
  const answer = await process('WEB-1')
  t.equal(answer.status, 200)
  t.match(answer.json(), {
    issueKey: 'WEB-1',
    status: 'success',
    changes: [],
    summary: /^A plan/,
    durationMs: Number,
  })
})

t.test('a partial setup is reported at startup', async (t) => {
  const rows: readonly (readonly [Readonly<Record<string, string>>, RegExp | undefined])[] = [
    [
      { JIRA_POLL_ENABLED: '1', JIRA_BASE_URL: '' },
      /Jira is not configured: set JIRA_BASE_URL and JIRA_API_TOKEN/,
    ],
    [{ ...production, ...noSecret }, /Jira webhooks are refused: set JIRA_WEBHOOK_SECRET/],
    [production, undefined],
    [noSecret, undefined],
  ]
  for (const [env, expected] of rows) {
    const { ask, lines } = await startTicketService(t, { bare: true, env })
    await ask({ url: '/jira/status' })
    const logged = lines.filter((line) => line.includes('set JIRA_')).join()
    if (expected) t.match(logged, expected)
    else t.equal(logged, '')
  }
})
