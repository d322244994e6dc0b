import { monitorEventLoopDelay } from 'node:perf_hooks'
import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { findExcess } from '../../kernel/http/json-excess.ts'
import { bodyRoutes, type BodyRoute } from './bodies.ts'
import { json, startService, verdictOf, type Service } from './service.ts'

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
const withKey = ({ example }: BodyRoute, name: string, value: string): string => `${JSON.stringify(example).slice(0, -1)},"${name}":${value}}`

t.test('JSON that is a trap is refused by every route, quickly, and changes nothing', async (t) => {
  const service = await startService(t)
  const before = service.stored()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  for (const route of bodyRoutes) {
    const beside = Object.entries(hostile).map(([what, value]) => [`${what}, beside what fits`, withKey(route, 'more', value)] as const)
    for (const [what, body] of [...Object.entries({ ...hostile, ...broken, ...large(route) }), ...beside]) {
      const answer = await service.send({ method: route.method, path: route.path, body, headers: { 'content-type': 'application/json' } })
      const expected = Buffer.byteLength(body) > route.limit ? [413, 'body_too_large'] : [400, 'invalid_json']
      t.strictSame([answer.status, verdictOf(answer)], expected, `${route.name}: ${what}`)
      t.notMatch(answer.text, /canary|session/, 'nothing of it comes back')
    }
  }
  delay.disable()
  const longest = delay.max / 1e6
  t.comment(`the longest pause was ${longest.toFixed(0)} ms, at p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms`)
  t.ok(longest < 250, `the longest pause was ${longest.toFixed(0)} ms`)
  t.equal(service.stored(), before)
  t.strictSame(Object.keys(Object.prototype), [])
  t.equal((await service.send({ path: '/health' })).text, '{"ok":true}')
})

const countOf = (value: unknown): number => (typeof value === 'object' && value !== null ? Object.values(value).reduce<number>((sum, each) => sum + countOf(each), 1) : 1)
const depthOf = (value: unknown): number => (typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0)

t.test('the bytes of JSON tell how deep it is and how many values it holds', (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom('', ' ', '\r\n\t'), (value, space) => {
      const [values, depth, bytes] = [countOf(value), depthOf(value), Buffer.from(JSON.stringify(value, null, space))]
      const excess = (limits: Partial<Parameters<typeof findExcess>[1]>) => findExcess(bytes, { depth, values, ...limits })
      return excess({}) === undefined && excess({ values: values - 1 }) === 'values' && (depth === 0 || excess({ depth: depth - 1 }) === 'depth')
    }),
    { numRuns: 1000 },
  )
  fc.assert(fc.property(fc.uint8Array({ max: 127 }), (bytes) => findExcess(bytes, { depth: 1000, values: 1000 }) === undefined))
  t.end()
})

t.test('JSON that is merely odd is read as the parser reads it, and what was checked is what is used', async (t) => {
  const service = await startService(t)
  const raw = (path: string, body: string, method = 'POST') => service.send({ method, path, body, headers: { 'content-type': 'application/json' } })
  const twice = '{"siteId":"first","name":7,"siteId":"second","name":"Second","session":"a","session":"b"}'
  t.match(JSON.parse((await raw('/sites/register', twice)).text), { siteId: 'second', session: 'second::b', config: { name: 'Second' } })
  t.notMatch(service.stored(), /first/)
  t.equal((await raw('/sites/register', '{"siteId":"second","name":"Second","name":7}')).status, 400, 'also where the last one does not fit')

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
  updatedAt: '2099-12-31T00:00:00.000Z', previewVersion: 987_654, version: 987_654, currentVersion: 987_654, actor: { kind: 'system', id: 'canary-actor' }, caller: { via: 'canary-caller' },
  channel: 'canary-channel', source: 'canary-source', id: 'canary-id', requestId: 'canary-request', status: 'canary-status', key: 'canary-key', scope: 'canary-scope', at: 'canary-at', undo: 'canary-undo',
  committedAt: 'canary-committed', rank: 'canary-rank', _internal: 'canary-internal', canary: { deep: ['canary-deep'] },
}
const traces = /canary|2099-12-31|987_?654/

const Snapshots = v.object({ snapshots: v.array(v.object({ commit: v.string() })) })

/** Sends the example of a route with keys that do not belong there. */
async function intrude(service: Service, { path, method, example }: BodyRoute): Promise<{ readonly status: number; readonly text: string }> {
  const [snapshot] = v.parse(Snapshots, JSON.parse((await service.send({ path: '/restore/snapshots' })).text)).snapshots
  const fitting = { ...example, ...('commit' in example && snapshot) }
  const config = v.safeParse(v.object({ config: v.looseObject({}) }), example)
  return service.send(json(path, { ...uninvited, ...fitting, ...(config.success && { config: { ...config.output.config, ...uninvited } }) }, method))
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

const Stamped = v.object({ id: v.string(), updatedAt: v.string() })

t.test('a client sets no time, no version and no author of a change', async (t) => {
  const service = await startService(t)
  const at = { session: 'dev', siteId: 'acme' }
  const ops = (...list: readonly object[]) => service.send(json('/ops', { ...at, ops: list.map((op) => ({ ...uninvited, ...op })) }))
  const page = async (slug: string) => v.parse(Stamped, JSON.parse((await service.send({ path: `/draft/pages?session=dev&siteId=acme&slug=${slug}` })).text))
  const began = new Date().toISOString()
  const block = { id: 'b_1', type: 'RichText', props: { title: 'One', body: 'Text.' } }
  const created = { op: 'create_page', page: { slug: '/', updatedAt: uninvited.updatedAt, blocks: [] } }
  t.equal((await ops(created, { op: 'add_block', pageSlug: '/', block }, { op: 'update_props', pageSlug: '/', blockId: 'b_1', patch: { title: 'Two' } })).status, 200)
  t.equal((await ops({ op: 'update_page_meta', pageSlug: '/', patch: { title: 'Home', ...uninvited } }, { op: 'rename_page', pageSlug: '/', newTitle: 'Start' })).status, 200)
  t.equal((await ops({ op: 'update_site_config', patch: { name: 'Acme', previewUrl: 'https://canary.test', port: 1, ...uninvited } })).status, 200)
  const { updatedAt } = await page('/')
  t.ok(updatedAt >= began && updatedAt <= new Date().toISOString(), `stamped ${updatedAt}`)
  t.notMatch(service.stored(), traces)

  const home = { id: 'p_home', slug: '/', title: 'Home', updatedAt: uninvited.updatedAt, blocks: [] }
  t.equal((await service.send(json('/draft/bootstrap', { ...at, overwrite: true, pages: [home] }))).status, 200)
  t.notMatch((await page('/')).updatedAt, /^2099/, 'a page that is replaced is stamped by the service')
  const log = (await service.send({ path: '/history/log?session=dev&siteId=acme' })).text
  t.match(JSON.parse(log), { currentVersion: 4, entries: [1, 2, 3, 4].map((version) => ({ version, actor: { kind: 'person', id: 'anyone' }, channel: 'api' })) })
})
