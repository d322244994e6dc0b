import { monitorEventLoopDelay } from 'node:perf_hooks'
import t from 'tap'
import { serve } from '../helpers/raw.ts'
import { bodyRoutes, type BodyRoute } from './bodies.ts'
import { isAnswered, json, startService, verdictOf } from './service.ts'

/** Milliseconds: the machine may be busy, so the figure is a comment and only a stall is a failure. */
const longestPause = 5_000

const nested = (open: string, close: string, depth: number): string =>
  open.repeat(depth) + close.repeat(depth)
const bytes = (...codes: readonly number[]): Uint8Array => new Uint8Array(codes)

/** Values that must not reach a handler. */
const hostile: Readonly<Record<string, string>> = {
  'a list 500,000 deep': nested('[', ']', 500_000),
  'a list one deeper than allowed': nested('[', ']', 65),
  'an object 100,000 deep': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'objects and lists 80,000 deep': `${'[{"a":'.repeat(80_000)}1${'}]'.repeat(80_000)}`,
  'a number beyond the largest': '1e400',
  'a number with a million digits': '9'.repeat(900_000),
  'a number below the smallest, deep inside': '{"a":[{"b":-1e999}]}',
  'half a surrogate pair': String.raw`"\ud800"`,
  'two halves in the wrong order': String.raw`["x\udc00\ud800"]`,
  'a key with half a surrogate pair': String.raw`{"\udbff":1}`,
  'the key __proto__': '{"__proto__":{"canary":1}}',
  'the key __proto__ in escapes': String.raw`{"\u005f\u005fproto\u005f\u005f":{"canary":1}}`,
  'the key constructor, deep inside': '[[{"constructor":{"prototype":{"canary":1}}}]]',
  'the key prototype': '{"prototype":1}',
}

/** Bodies that are not JSON. */
const broken: Readonly<Record<string, string | Uint8Array>> = {
  'nothing but blanks': ' \r\n\t',
  'an end without a beginning': '}',
  'half an object': '{"session":"dev"',
  'a comma too many': '{"session":"dev",}',
  'two values': '{} {}',
  'a comment': '{}/* */',
  'single quotes': "{'session':'dev'}",
  'a word of JavaScript': '{"session":undefined}',
  'a line break inside a text': '{"session":"d\nev"}',
  'a zero byte': '{"session":"dev"}\0',
  'UTF-16': bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00),
  'a slash in too many bytes': bytes(0x22, 0xc0, 0xaf, 0x22),
  'a surrogate in UTF-8': bytes(0x22, 0xed, 0xa0, 0x80, 0x22),
  'a byte order mark and nothing else': bytes(0xef, 0xbb, 0xbf),
}

/** Bodies of mostly brackets, as large as a route accepts. */
const large = ({ limit, values }: BodyRoute): Readonly<Record<string, string>> => ({
  'as deep as it can be': nested('[', ']', limit / 2),
  'deep and never closed': '['.repeat(limit),
  ...(limit > values * 2 && { 'one value too many': `[${'0,'.repeat(values - 1)}0]` }),
  ...(limit > values * 4 && { 'as many empty objects as it can be': `[${'{},'.repeat(limit / 3 - 2)}0]` }),
})

/** The example of a route with one more key, as JSON text. */
const withKey = ({ example }: BodyRoute, name: string, value: string): string =>
  `${JSON.stringify(example).slice(0, -1)},"${name}":${value}}`

const asJson = { 'content-type': 'application/json' }

t.test('every route refuses hostile JSON quickly and changes nothing', async (t) => {
  const service = await startService(t)
  const before = service.stored()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  for (const route of bodyRoutes) {
    const { method, path, limit } = route
    const alone = Object.entries({ ...hostile, ...broken, ...large(route) })
    const inside = Object.entries(hostile).map(
      ([what, value]) => [`${what}, next to valid fields`, withKey(route, 'more', value)] as const,
    )
    for (const [what, body] of [...alone, ...inside]) {
      const answer = await service.send({ method, path, body, headers: asJson })
      const expected = Buffer.byteLength(body) > limit ? [413, 'body_too_large'] : [400, 'invalid_json']
      t.strictSame([answer.status, verdictOf(answer)], expected, `${route.name}: ${what}`)
      t.notMatch(answer.text, /canary|session/, 'nothing of it is in the answer')
    }
  }
  delay.disable()
  const longest = delay.max / 1e6
  t.comment(`the longest pause was ${longest.toFixed(0)} ms`)
  t.ok(longest < longestPause, 'no other request waits for long')
  t.equal(service.stored(), before)
  t.strictSame(Object.keys(Object.prototype), [])
  t.equal((await service.send({ path: '/health' })).text, '{"ok":true}')
})

t.test('unusual but valid JSON is read as by the parser, and validated values are used', async (t) => {
  const service = await startService(t)
  const raw = (path: string, body: string, method = 'POST') =>
    service.send({ method, path, body, headers: asJson })
  const twice = '{"siteId":"first","name":7,"siteId":"second","name":"Second","session":"a","session":"b"}'
  const registered: unknown = JSON.parse((await raw('/sites/register', twice)).text)
  t.match(registered, { siteId: 'second', session: 'second::b', config: { name: 'Second' } })
  t.notMatch(service.stored(), /first/)
  const { status } = await raw('/sites/register', '{"siteId":"second","name":"Second","name":7}')
  t.equal(status, 400, 'the last one counts, also if it is invalid')

  const many = `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":0`).join()}}`
  for (const route of bodyRoutes.filter(({ limit }) => limit >= 1024 * 1024)) {
    const answer = await raw(route.path, withKey(route, 'more', many), route.method)
    t.ok(isAnswered(answer.status), `${route.name}: 60,000 undeclared keys`)
    t.notMatch(answer.text, /k59999/)
  }
  t.notMatch(service.stored(), /k59999/)
})

t.test('hostile JSON from a site or inside a string delays no other request', async (t) => {
  const trap = nested('[', ']', 5 * 1024 * 1024 - 1)
  const origin = await serve(t, (_, response) => response.writeHead(200, asJson).end(trap))
  const { send, written } = await startService(t, {
    env: {
      ORCHESTRATOR_DEFAULT_SITE_ID: 'trap',
      AUTO_BOOTSTRAP_SITE_ORIGIN: origin,
      ORCHESTRATOR_CORS_ORIGINS: origin,
    },
  })
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  t.equal((await send({ path: '/draft/slugs?session=dev&siteId=trap' })).status, 200)
  t.match(written(), /draft could not be filled from its site/)
  const diff = await send(json('/publish/diff', { session: 'dev', siteId: 'trap', siteOrigin: origin }))
  t.match(JSON.parse(diff.text), { baselineAvailable: false })
  const ops = [{ op: 'update_site_config', patch: { name: 'A' } }]
  const inText = { session: 'dev', siteId: 'trap', ops, componentsManifest: nested('[', ']', 500_000) }
  t.match(JSON.parse((await send(json('/ops', inText))).text), {
    code: 'schema_violation',
    reason: /64 levels/,
  })
  delay.disable()
  const longest = delay.max / 1e6
  t.comment(`the longest pause was ${longest.toFixed(0)} ms`)
  t.ok(longest < longestPause, 'no other request waits for long')
})
