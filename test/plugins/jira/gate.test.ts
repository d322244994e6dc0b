import t, { type Test } from 'tap'
import { give, systemClock, use, type Permission } from '../../../kernel/index.ts'
import auth from '../../../plugins/auth/index.ts'
import { createScopedTokens } from '../../../plugins/auth/testing.ts'
import { allowedOrigins } from '../../../plugins/auth/port.ts'
import { remember } from '../../../plugins/agents/jira/testing.ts'
import { createMemoryStore } from '../../../plugins/store/testing.ts'
import {
  hookSecret,
  signatureOf,
  startTicketService,
  type TicketServiceOptions,
} from '../../helpers/jira-service.ts'

type Headers = Readonly<Record<string, string>>

const message = (key = 'WEB-1') => JSON.stringify({ webhookEvent: 'jira:worklog_updated', issue: { key } })
const json = { 'content-type': 'application/json' }
const production = { NODE_ENV: 'production' }
const noSecret = { JIRA_WEBHOOK_SECRET: '' }
const secret = { 'x-jira-webhook-secret': hookSecret }
const token = 'fixed-token-of-this-test'
const hour = 60 * 60 * 1000

/** The service with the real gates; its callers are local unless they say where they come from. */
async function guarded(t: Test, env: Headers, more: TicketServiceOptions = {}) {
  const service = await startTicketService(t, { bare: true, gates: [], plugins: [use(auth)], env, ...more })
  const local = { host: 'localhost' }
  const ask: typeof service.ask = (request) =>
    service.ask({ remote: '127.0.0.1', ...request, headers: { ...local, ...request.headers } })
  const post = (headers: Headers = {}, body: string | Uint8Array = message(), query = '') =>
    ask({ method: 'POST', url: `/jira/webhook${query}`, headers: { ...json, ...headers }, body })
  const status = (headers: Headers = {}, query = '') => ask({ url: `/jira/status${query}`, headers })
  const process = (headers: Headers = {}, mode = 'review') =>
    ask({ method: 'POST', url: '/jira/process', json: { issueKey: 'WEB-9', mode }, headers })
  return { ...service, post, status, process }
}

t.test('with a secret, callers that send it or sign with it are accepted from any address', async (t) => {
  for (const env of [{}, production]) {
    const { post, status, process } = await guarded(t, env)
    const signed = { 'x-hub-signature': signatureOf(message()) }
    const inQuery = `?secret=${hookSecret}`
    const right = [
      post(secret),
      post({}, message(), inQuery),
      post(signed),
      status(secret),
      status({}, inQuery),
    ]
    for (const answer of await Promise.all(right)) t.equal(answer.status, 200)
    const wrong = [
      post(),
      post({ 'x-jira-webhook-secret': 'no' }),
      post({}, message(), '?secret=no'),
      post({}, message(), `${inQuery}&secret=${hookSecret}`),
      post({ 'x-hub-signature': signatureOf('other') }),
      post({ 'x-hub-signature': signatureOf(message(), 'other') }),
      post({ 'x-hub-signature': signed['x-hub-signature'].replace('sha256', 'sha1') }),
      post({ 'x-hub-signature': '' }),
      post({ 'x-jira-webhook-secret': 'no', ...signed }),
      post({ 'x-access-token': token }),
      // A signature is valid for messages only.
      status({ 'x-hub-signature': signatureOf('') }),
      process({ 'x-hub-signature': signatureOf('{"issueKey":"WEB-9","mode":"review"}') }),
      process(),
    ]
    for (const [at, answer] of (await Promise.all(wrong)).entries()) {
      t.equal(answer.status, 401, `${at}`)
      t.match(answer.json(), { code: 'invalid_webhook_secret', reason: /JIRA_WEBHOOK_SECRET/ })
      t.notMatch(answer.text, hookSecret)
    }
  }
})

t.test('a signature covers the raw bytes', async (t) => {
  const { post } = await guarded(t, {})
  const spaced = `{ "issue" : { "key": "WEB-1" } ,\t"webhookEvent":"x\\u0061" }\n`
  t.equal((await post({ 'x-hub-signature': signatureOf(spaced) }, spaced)).status, 200)
  const other = signatureOf(JSON.stringify(JSON.parse(spaced)))
  t.equal((await post({ 'x-hub-signature': other }, spaced)).status, 401)
})

t.test('without a secret, local callers and token holders are accepted outside production', async (t) => {
  const env = { ...noSecret, ORCHESTRATOR_ACCESS_TOKEN: token }
  const { post, status, process, storage } = await guarded(t, env)
  t.equal((await post()).status, 200)
  t.equal((await status()).status, 200)
  const far = { 'x-forwarded-for': '203.0.113.9' }
  t.match(await post(far), { status: 401, text: /unauthorized/ })
  t.equal((await post({ ...far, 'x-access-token': 'other' })).status, 401)
  t.equal((await post({ ...far, 'x-access-token': token })).status, 200)
  t.equal((await post({ 'x-hub-signature': signatureOf(message(), '') })).status, 200, 'not checked then')

  const scoped = createScopedTokens({ store: storage, clock: systemClock })
  const holding = async (...can: readonly Permission[]) => ({
    ...far,
    'x-access-token': (await scoped.create({ name: 'x', can })).text,
  })
  for (const [mode, permission] of Object.entries({ execute: 'edit', publish: 'publish' } as const)) {
    const refused = await process(await holding('agent'), mode)
    t.match(refused.json(), { code: 'token_not_allowed', reason: `lacks the permission '${permission}'` })
    t.match((await process(await holding('agent', permission), mode)).json(), { error: 'jira_failed' })
  }

  const paged = await guarded(t, noSecret, { seeds: [give(allowedOrigins, ['https://edit.example'])] })
  t.equal((await paged.post({ origin: 'https://evil.example' })).status, 401, 'a page in a local browser')

  const locked = await guarded(t, { ...noSecret, ...production })
  for (const asked of [locked.post(), locked.status(), locked.post({ 'x-hub-signature': 'sha256=' })])
    t.match(await asked, { status: 503, text: /jira_secret_missing.*JIRA_WEBHOOK_SECRET/ })
})

t.test('a mount requires its own credential as well', async (t) => {
  const { post } = await guarded(t, { ORCHESTRATOR_ACCESS_TOKEN: token }, { more: { shape: 'library' } })
  t.equal((await post({}, message(), `?secret=${hookSecret}`)).status, 401)
  t.equal((await post({}, message(), `?accessToken=${token}`)).status, 401)
  t.equal((await post({}, message(), `?secret=${hookSecret}&accessToken=${token}`)).status, 200)
  const signed = { 'x-hub-signature': signatureOf(message()) }
  t.equal((await post(signed, message(), `?accessToken=${token}`)).status, 200)
})

t.test('without Jira settings every route names the variables to set', async (t) => {
  for (const env of [{ JIRA_API_TOKEN: '' }, { JIRA_BASE_URL: '', ...production, ...noSecret }]) {
    const { post, status, process } = await guarded(t, env)
    for (const asked of [post(secret), status(), process()])
      t.match(await asked, { status: 503, text: /jira_not_configured.*JIRA_BASE_URL and JIRA_API_TOKEN/ })
  }
})

t.test('only messages in the format of Jira are accepted', async (t) => {
  const { ask, server } = await startTicketService(t, { bare: true })
  server.open('WEB-1')
  const post = (body: string | Uint8Array, headers: Headers = {}) =>
    ask({ method: 'POST', url: '/jira/webhook', headers: { ...json, ...secret, ...headers }, body })
  const deep = `{"issue":{"key":"WEB-1"},"x":${'['.repeat(100)}${']'.repeat(100)}}`
  const rows: readonly (readonly [status: number, code: string, body: string | Uint8Array, Headers?])[] = [
    ...['', '{', Buffer.from([0x22, 0xff, 0x22]), deep, '{"__proto__":1}'].map(
      (body) => [400, 'invalid_json', body] as const,
    ),
    [415, 'unsupported_media_type', message(), { 'content-type': 'text/plain' }],
    [415, 'unsupported_media_type', message(), { 'content-encoding': 'gzip' }],
    ...['{}', '[]', 'null', message('x'), message('WEB-1/../../myself')].map(
      (body) => [400, 'invalid_webhook', body] as const,
    ),
    [413, 'body_too_large', `"${'x'.repeat(2 * 1024 * 1024)}"`],
  ]
  for (const [status, code, body, headers] of rows) {
    const answer = await post(body, headers)
    t.equal(answer.status, status, String(body).slice(0, 50))
    t.match(answer.json(), { code })
  }
  t.equal((await post(`{"issue":{"key":"WEB-1"},"x":"${'x'.repeat(2_000_000)}"}`)).status, 200)
  t.equal(server.count('/issue/'), 0, 'no run was started')
})

t.test('a repeated message is accepted once, by identifier or content, across a restart', async (t) => {
  const { server, deliver, idle, storage, ask } = await startTicketService(t)
  const repeated = { ok: true, skipped: true, reason: 'repeated_delivery' }
  server.open('WEB-1')
  const created = { ...server.created('WEB-1'), timestamp: undefined }
  const same = { 'x-atlassian-webhook-identifier': 'one' }
  t.equal((await deliver(created, same)).status, 202)
  t.strictSame((await deliver({ ...created, timestamp: Date.now() }, same)).json(), repeated)
  await idle()
  const signed = (payload: object, id?: string) => {
    const body = JSON.stringify(payload)
    const headers = { ...json, 'x-hub-signature': signatureOf(body) }
    const identifier = id === undefined ? {} : { 'x-atlassian-webhook-identifier': id }
    return ask({ method: 'POST', url: '/jira/webhook', body, headers: { ...headers, ...identifier } })
  }
  const other = server.created('WEB-1')
  const both = await Promise.all([signed(other), signed(other)])
  t.strictSame(both.map(({ status }) => status).toSorted(), [200, 202], 'concurrent repeats')
  await idle()
  const recorded = server.created('WEB-1')
  t.equal((await signed(recorded, 'two')).status, 202)
  await idle()
  t.strictSame((await signed(recorded, 'three')).json(), repeated, 'under another identifier')
  const old = await signed({ ...server.created('WEB-1'), timestamp: Date.now() - 25 * hour }, 'four')
  t.match(old, { status: 400, text: /webhook_too_old.*a day/ })

  let now = Date.now()
  const time = { now: () => new Date(now) }
  const next = await startTicketService(t, { server, storage, bare: true, time })
  t.strictSame((await next.deliver(created, same)).json(), repeated)
  now += 24 * hour + 60_000
  t.equal((await next.deliver(created, same)).status, 202, 'it is forgotten after a day')
  await next.idle()
})

t.test('a thousand messages are remembered', async (t) => {
  const store = createMemoryStore()
  let now = 0
  const isNew = (name: string) => store.transaction((tx) => remember(tx, [name, `${name} again`], ++now))
  for (let at = 0; at < 1_001; at++) if (!(await isNew(`message ${at}`))) t.fail(`message ${at}`)
  t.notOk(await isNew('message 1'))
  t.ok(await isNew('message 0'), 'the oldest is forgotten')
})

t.test('a manual run is requested by key and mode', async (t) => {
  const { process, server } = await startTicketService(t, { env: { JIRA_PROJECT_KEYS: 'WEB, SHOP' } })
  server.open('WEB-1')
  const rows: readonly (readonly [code: string, key: unknown, mode?: unknown])[] = [
    ...[undefined, '', 7, 'web-1'].map((key) => ['issue_key_required', key] as const),
    ...['delete', null, '__proto__'].map((mode) => ['invalid_mode', 'WEB-1', mode] as const),
    ['project_not_allowed', 'OPS-1'],
  ]
  for (const [code, key, mode] of rows)
    t.match(await process(key, mode), { status: 400, text: new RegExp(code) }, String(key))
  t.equal(server.count('/issue/'), 0)
  const answer = await process('WEB-1')
  t.equal(answer.status, 200)
  const result = { issueKey: 'WEB-1', status: 'success', changes: [], summary: /^A plan/, durationMs: Number }
  t.match(answer.json(), result)
})

t.test('a partial setup is reported at startup', async (t) => {
  const rows: readonly (readonly [Headers, RegExp])[] = [
    [{ JIRA_POLL_ENABLED: '1', JIRA_BASE_URL: '' }, /not configured: set JIRA_BASE_URL and JIRA_API_TOKEN/],
    [{ ...production, ...noSecret }, /Jira webhooks are refused: set JIRA_WEBHOOK_SECRET/],
    [production, /^$/],
    [noSecret, /^$/],
  ]
  for (const [env, expected] of rows) {
    const { ask, lines } = await startTicketService(t, { bare: true, env })
    await ask({ url: '/jira/status' })
    t.match(lines.filter((line) => line.includes('set JIRA_')).join(), expected)
  }
})
