import { monitorEventLoopDelay } from 'node:perf_hooks'
import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { findExcess } from '../../kernel/http/json-excess.ts'
import { bodyRoutes, type BodyRoute } from './bodies.ts'
import { json, startService, verdictOf, type Answered, type Service } from './service.ts'

const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth)
const bytes = (...codes: readonly number[]): Uint8Array => new Uint8Array(codes)

/** Values that no code behind may ever see. */
const hostile: Readonly<Record<string, string>> = {
  'a list 500,000 deep': nested('[', ']', 500_000),
  'a list one deeper than allowed': nested('[', ']', 65),
  'an object 100,000 deep': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'objects and lists 80,000 deep': `${'[{"a":'.repeat(80_000)}1${'}]'.repeat(80_000)}`,
  'a number beyond all numbers': '1e400',
  'a number with a million digits': '9'.repeat(900_000),
  'a negative number beyond all numbers, deep inside': '{"a":[{"b":-1e999}]}',
  'half a surrogate pair': String.raw`"\ud800"`,
  'two halves in the wrong order': String.raw`["x\udc00\ud800"]`,
  'a key with half a surrogate pair': String.raw`{"\udbff":1}`,
  'the key __proto__': '{"__proto__":{"canary":1}}',
  'the key __proto__ in other words': String.raw`{"\u005f\u005fproto\u005f\u005f":{"canary":1}}`,
  'the key constructor, deep inside': '[[{"constructor":{"prototype":{"canary":1}}}]]',
  'the key prototype': '{"prototype":1}',
}

/** Bodies that are no JSON at all. */
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

/** Bodies of brackets and little else, as large as a route takes them. */
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

t.test('JSON that is a trap is refused by every route, quickly, and changes nothing', async (t) => {
  const service = await startService(t)
  const before = service.stored()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  for (const route of bodyRoutes) {
    const { method, path, limit } = route
    const alone = Object.entries({ ...hostile, ...broken, ...large(route) })
    const beside = Object.entries(hostile).map(([what, value]) => [`${what}, beside what fits`, withKey(route, 'more', value)] as const)
    for (const [what, body] of [...alone, ...beside]) {
      const answer = await service.send({ method, path, body, headers: asJson })
      const expected = Buffer.byteLength(body) > limit ? [413, 'body_too_large'] : [400, 'invalid_json']
      t.strictSame([answer.status, verdictOf(answer)], expected, `${route.name}: ${what}`)
      t.notMatch(answer.text, /canary|session/, 'nothing of it comes back')
    }
  }
  delay.disable()
  const longest = delay.max / 1e6
  t.comment(`the longest pause was ${longest.toFixed(0)} ms`)
  t.ok(longest < 200, `the longest pause was ${longest.toFixed(0)} ms`)
  t.equal(service.stored(), before)
  t.strictSame(Object.keys(Object.prototype), [])
  t.equal((await service.send({ path: '/health' })).text, '{"ok":true}')
})

const partsOf = (value: unknown): readonly unknown[] | undefined =>
  typeof value === 'object' && value !== null ? Object.values(value) : undefined
const countOf = (value: unknown): number => (partsOf(value) ?? []).reduce<number>((sum, each) => sum + countOf(each), 1)
const depthOf = (value: unknown): number => {
  const parts = partsOf(value)
  return parts ? 1 + Math.max(0, ...parts.map(depthOf)) : 0
}

t.test('the bytes of JSON tell how deep it is and how many values it holds', (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom('', ' ', '\r\n\t'), (value, space) => {
      const bytes = Buffer.from(JSON.stringify(value, null, space))
      const [values, depth] = [countOf(value), depthOf(value)]
      const isOneTooMany = findExcess(bytes, { depth, values: values - 1 }) === 'values'
      const isOneTooDeep = depth === 0 || findExcess(bytes, { depth: depth - 1, values }) === 'depth'
      return findExcess(bytes, { depth, values }) === undefined && isOneTooMany && isOneTooDeep
    }),
    { numRuns: 1000 },
  )
  fc.assert(fc.property(fc.uint8Array({ max: 127 }), (bytes) => findExcess(bytes, { depth: 1000, values: 1000 }) === undefined))
  t.end()
})

t.test('JSON that is merely odd is read as the parser reads it, and what was checked is what is used', async (t) => {
  const service = await startService(t)
  const raw = (path: string, body: string, method = 'POST') => service.send({ method, path, body, headers: asJson })
  const twice = '{"siteId":"first","name":7,"siteId":"second","name":"Second","session":"a","session":"b"}'
  const registered: unknown = JSON.parse((await raw('/sites/register', twice)).text)
  t.match(registered, { siteId: 'second', session: 'second::b', config: { name: 'Second' } })
  t.notMatch(service.stored(), /first/)
  const { status } = await raw('/sites/register', '{"siteId":"second","name":"Second","name":7}')
  t.equal(status, 400, 'also where the last one does not fit')

  const many = `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":0`).join()}}`
  for (const route of bodyRoutes.filter(({ limit }) => limit >= 1024 * 1024)) {
    const answer = await raw(route.path, withKey(route, 'more', many), route.method)
    t.ok(answer.status < 500, `${route.name}: 60,000 keys that nobody asked for`)
    t.notMatch(answer.text, /k59999/)
  }
  t.notMatch(service.stored(), /k59999/)
})

/** What only the service itself sets, and what nobody asked for. */
const uninvited = {
  updatedAt: '2099-12-31T00:00:00.000Z', committedAt: '2099-12-31', at: '2099-12-31',
  previewVersion: 987_654, version: 987_654, currentVersion: 987_654, rank: 987_654,
  actor: { kind: 'system', id: 'canary-actor' }, caller: { via: 'canary-caller' }, channel: 'canary-channel',
  source: 'canary-source', id: 'canary-id', requestId: 'canary-request', status: 'canary-status',
  key: 'canary-key', scope: 'canary-scope', undo: 'canary-undo', _internal: 'canary-internal',
  canary: { deep: ['canary-deep'] },
}
const traces = /canary|2099-12-31|987_?654/

const Snapshots = v.object({ snapshots: v.array(v.object({ commit: v.string() })) })
const WithConfig = v.object({ config: v.looseObject({}) })

/** Sends the example of a route with keys that do not belong there. */
async function intrude(service: Service, { path, method, example }: BodyRoute): Promise<Answered> {
  const { snapshots: [snapshot] } = v.parse(Snapshots, JSON.parse((await service.send({ path: '/restore/snapshots' })).text))
  const { output, success } = v.safeParse(WithConfig, example)
  const config = success ? { config: { ...output.config, ...uninvited } } : {}
  return service.send(json(path, { ...uninvited, ...example, ...('commit' in example && snapshot), ...config }, method))
}

t.test('keys that a body does not declare are neither stored nor told, on every route', async (t) => {
  const service = await startService(t, { demo: true })
  const failed: string[] = []
  for (const route of bodyRoutes) {
    const { status, text } = await intrude(service, route)
    if (status !== 200) failed.push(route.name)
    t.notMatch(text, traces, `${route.name} answers ${status}`)
    t.notMatch(service.stored(), traces, `${route.name} stores nothing of it`)
  }
  t.ok(failed.length < bodyRoutes.length / 4, `nearly all of them did what they do, but ${failed.join() || 'none'}`)
  t.notMatch(service.written(), traces)
})

const Stamped = v.object({ updatedAt: v.string() })

t.test('a client sets no time, no version and no author of a change', async (t) => {
  const service = await startService(t)
  const at = { session: 'dev', siteId: 'acme' }
  const ops = async (...list: readonly object[]): Promise<number> => {
    const intruding = list.map((op) => ({ ...uninvited, ...op }))
    return (await service.send(json('/ops', { ...at, ops: intruding }))).status
  }
  const stampOf = async (slug: string): Promise<string> => {
    const { text } = await service.send({ path: `/draft/pages?session=dev&siteId=acme&slug=${slug}` })
    return v.parse(Stamped, JSON.parse(text)).updatedAt
  }
  const began = new Date().toISOString()
  const statuses = [
    await ops(
      { op: 'create_page', page: { slug: '/', updatedAt: uninvited.updatedAt, blocks: [] } },
      { op: 'add_block', pageSlug: '/', block: { id: 'b_1', type: 'RichText', props: { title: 'One', body: 'Text.' } } },
      { op: 'update_props', pageSlug: '/', blockId: 'b_1', patch: { title: 'Two' } },
    ),
    await ops(
      { op: 'update_page_meta', pageSlug: '/', patch: { title: 'Home', ...uninvited } },
      { op: 'rename_page', pageSlug: '/', newTitle: 'Start' },
    ),
    await ops({ op: 'update_site_config', patch: { name: 'Acme', previewUrl: 'https://canary.test', port: 1, ...uninvited } }),
  ]
  t.strictSame(statuses, [200, 200, 200])
  const stamp = await stampOf('/')
  t.ok(stamp >= began && stamp <= new Date().toISOString(), `stamped ${stamp}`)
  t.notMatch(service.stored(), traces)

  const home = { id: 'p_home', slug: '/', title: 'Home', updatedAt: uninvited.updatedAt, blocks: [] }
  t.equal((await service.send(json('/draft/bootstrap', { ...at, overwrite: true, pages: [home] }))).status, 200)
  t.notMatch(await stampOf('/'), /^2099/, 'a page that is replaced is stamped by the service')
  const log = await service.send({ path: '/history/log?session=dev&siteId=acme' })
  const entry = { actor: { kind: 'person', id: 'anyone' }, channel: 'api' }
  t.match(JSON.parse(log.text), { currentVersion: 4, entries: [1, 2, 3, 4].map((version) => ({ version, ...entry })) })
})
