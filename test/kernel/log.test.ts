import { mock } from 'node:test'
import * as v from 'valibot'
import t from 'tap'
import {
  createAccessLog,
  createLogger,
  createRedactor,
  defineRefusal,
  type Injection,
} from '../../kernel/index.ts'
import { isJsonType } from '../../kernel/http/body.ts'
import { credentialHeaders } from '../../kernel/http/headers.ts'
import { isMultipartType } from '../../kernel/http/multipart.ts'
import { everyWayIn } from '../../kernel/testing.ts'
import { ok, plain } from '../helpers/plain.ts'

t.test('secrets are redacted in plain text, JSON and URLs', (t) => {
  const redact = createRedactor(['canary', 'canary-long', 'qu"ote\\n', 'a b&ü', 'abc', ''])
  const cases: Readonly<Record<string, string>> = {
    'the canary-long and the canary': 'the [redacted] and the [redacted]',
    [JSON.stringify({ password: 'qu"ote\\n' })]: '{"password":"[redacted]"}',
    '/x?p=a%20b%26%C3%BC&q=1': '/x?p=[redacted]&q=1',
    'abc is too short to redact': 'abc is too short to redact',
    'token cot_0123456789ab_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE.': 'token [redacted].',
    'key sk-ant-REDACTED and AIzaSyA1234567890abcdefghij and ghp_0123456789abcdefghij':
      'key [redacted] and [redacted] and [redacted]',
    'Authorization: Bearer abcd.efgh-ijkl== and Basic dXNlcjpwYXNz':
      'Authorization: [redacted] and [redacted]',
    '/events?accessToken=tok-1&session=dev&sig=ff':
      '/events?accessToken=[redacted]&session=dev&sig=[redacted]',
    'secret=one access_token=two': 'secret=[redacted] access_token=[redacted]',
    'nothing to hide': 'nothing to hide',
  }
  for (const [text, clean] of Object.entries(cases)) t.equal(redact(text), clean)
  t.end()
})

t.test('redaction and content type checks take linear time', (t) => {
  const times = (text: string, length = 3_200_000): string => text.repeat(length / text.length)
  const [json, form] = ['application/json', 'multipart/form-data']
  const secrets = ['Bearer ', 'sk-', 'secret=', 'canar', 'ghp_'].map((text) => times(text, 200_000))
  const judges: readonly (readonly [judge: (text: string) => unknown, texts: readonly string[]])[] = [
    [createRedactor(['canary']), [...secrets, `Bearer${times(' ', 200_000)}`]],
    [isJsonType, [`${json}${times(' ')}x`, `${json};${times('\t')}`, json + times(' ;')]],
    [isMultipartType, [form + times(' '), `${form};${times(' boundary')}`, form + times(' ;')]],
  ]
  for (const [judge, texts] of judges) {
    for (const text of texts) {
      judge(text)
      t.pass(text.slice(0, 30))
    }
  }
  t.end()
})

t.test('the logger and its children write JSON lines at their level, without secrets', (t) => {
  const lines: string[] = []
  const log = createLogger({
    level: 'info',
    secrets: ['canary', 'qu"ote'],
    destination: { write: (line) => void lines.push(line) },
  })
  const headers = Object.fromEntries(credentialHeaders.map((name) => [name, `value-of-${name}`]))
  log.debug('too quiet')
  log.info({ headers, request: { headers: { ...headers, accept: '*/*' } } }, 'with headers')
  log
    .child({ plugin: 'p', key: 'canary' })
    .warn({ err: new Error('canary and qu"ote in an error') }, 'canary in a phrase')
  t.equal(lines.length, 2)
  const [first, second] = lines.map((line): unknown => JSON.parse(line))
  const censored = Object.fromEntries(credentialHeaders.map((name) => [name, '[redacted]']))
  t.match(first, {
    level: 30,
    msg: 'with headers',
    headers: censored,
    request: { headers: { ...censored, accept: '*/*' } },
  })
  t.match(second, {
    level: 40,
    plugin: 'p',
    key: '[redacted]',
    msg: '[redacted] in a phrase',
    err: { message: '[redacted] and [redacted] in an error' },
  })
  t.notMatch(lines.join(), /value-of|canary|qu\\"ote|hostname|pid/)
  t.equal(createLogger({ level: 'silent' }).level, 'silent')
  t.end()
})

t.test('access lines are written in batches: after a delay, at a size limit and on flush', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const writes: string[] = []
  const access = createAccessLog(
    (lines) => void writes.push(lines),
    () => 12,
  )
  const entry = { method: 'GET', route: '/pages/:id', status: 200, milliseconds: 1.26, id: 'i' }
  access.flush()
  access.write(entry)
  access.write(entry)
  t.equal(writes.length, 0)
  mock.timers.tick(250)
  const line =
    '{"level":30,"time":12,"msg":"request","method":"GET","route":"/pages/:id","status":200,"ms":1.3,"id":"i"}\n'
  t.strictSame(writes.splice(0), [line + line])
  const fitting = Math.ceil((16 * 1024) / line.length)
  for (let at = 0; at < fitting; at++) access.write(entry)
  t.strictSame(writes.splice(0), [line.repeat(fitting)], 'written at 16 KB')
  access.write(entry)
  access.flush()
  t.strictSame(writes, [line])
})

t.test('successful answers of quiet routes are no lines of the access log, others are', async (t) => {
  let written = ''
  const access = createAccessLog(
    (lines) => (written += lines),
    () => 12,
    ['/probe'],
  )
  const entry = { method: 'GET', route: '/probe', status: 200, milliseconds: 1, id: 'i' }
  access.write(entry)
  access.write({ ...entry, status: 503 })
  access.write({ ...entry, route: '/probe/other' })
  access.flush()
  t.strictSame(written.match(/"route":"[^"]*","status":\d+/g), [
    '"route":"/probe","status":503',
    '"route":"/probe/other","status":200',
  ])
})

t.test('no credential reaches a log line, an access line or an answer, wherever it was put', async (t) => {
  const canary = 'canary-xq"zw'
  const reason = () => 'The site does not answer. Try again.'
  const upstream = defineRefusal({ status: 503, code: 'upstream', reason })
  const digits = v.pipe(v.string(), v.digits())
  const query = v.object({ accessToken: v.optional(v.string()), page: v.optional(digits) })
  const routes = plain({
    'GET /read/:token': {
      query,
      answer({ log, headers, params }) {
        log.info({ headers: Object.fromEntries(headers), params }, 'read')
        return ok
      },
    },
    'POST /write': { query, body: v.object({ n: v.number() }) },
    'GET /fail': {
      query,
      answer({ query }: { readonly query: { readonly accessToken: string } }) {
        const cause = new Error(canary)
        throw new Error(`cannot fetch https://site.example/?accessToken=${query.accessToken}`, { cause })
      },
    },
    'GET /refuse': {
      query,
      answer({ query }: { readonly query: { readonly accessToken: string } }) {
        throw Object.assign(upstream(), { cause: new Error(`got ${query.accessToken}`) })
      },
    },
  })
  const logged: string[] = []
  const write = (text: string): void => void logged.push(text)
  const log = createLogger({ level: 'trace', secrets: [canary], destination: { write } })
  const access = createAccessLog(write, () => 0)
  const texts: string[] = []
  const json = { 'content-type': 'application/json' }
  const token = encodeURIComponent(canary)
  const post = { url: '/write', method: 'POST' }
  const preflight = { origin: canary, 'access-control-request-method': canary }
  const requests: readonly (readonly [Injection, number])[] = [
    [{ url: `/read/${token}?accessToken=${token}` }, 200],
    [{ url: `/fail?accessToken=${token}` }, 500],
    [{ url: `/refuse?accessToken=${token}` }, 503],
    [{ url: `/nowhere/${token}?accessToken=${token}` }, 404],
    [{ ...post, url: `/write?accessToken=${token}`, json: { n: canary } }, 400],
    [{ ...post, url: `/write?page=${token}`, json: { n: 1 } }, 400],
    [{ ...post, url: `/write?a=${token}&a=${token}`, json: { n: 1 } }, 400],
    [{ ...post, body: `{"${canary}`, headers: json }, 400],
    [{ ...post, body: canary, headers: { 'content-type': canary } }, 415],
    [{ url: `/write?accessToken=${token}`, method: 'OPTIONS', headers: preflight }, 403],
  ]
  await everyWayIn(
    t,
    () => ({ plugins: [routes], log, access, faults: 'answer' }),
    async (t, ask) => {
      const headers = Object.fromEntries(credentialHeaders.map((name) => [name, canary]))
      for (const [request, status] of requests) {
        const answer = await ask({ ...request, headers: { ...headers, ...request.headers } })
        t.equal(answer.status, status, request.url)
        texts.push(answer.text, JSON.stringify([...answer.headers]))
      }
    },
  )
  access.flush()
  const all = logged.join('')
  t.notMatch(all + texts.join(), /canary|xq.{0,3}zw/)
  const found = [...all.matchAll(/"msg":"request".*?"route":"(.*?)"/g)].map(([, route]) => route)
  t.equal(found.length, 3 * requests.length)
  t.strictSame([...new Set(found)], ['/read/:token', '/fail', '/refuse', '(unknown)', '/write'])
  t.match(all, /"message":"cannot fetch https:\/\/site\.example\/\?accessToken=\[redacted\]/)
})
