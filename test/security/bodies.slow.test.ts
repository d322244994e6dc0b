import t from 'tap'
import { brokenJson, hostileJson, nested } from '../helpers/hostile-json.ts'
import { serve } from '../helpers/raw.ts'
import { bodyRoutes, type BodyRoute } from './bodies.ts'
import { isAnswered, json, startService, verdictOf } from './service.ts'

/** Bodies of mostly brackets, as large as a route accepts. */
const large = ({ limit, values }: BodyRoute): Readonly<Record<string, string>> => ({
  'as deep as it can be': nested(limit / 2),
  'deep and never closed': '['.repeat(limit),
  ...(limit > values * 2 && { 'one value too many': `[${'0,'.repeat(values - 1)}0]` }),
  ...(limit > values * 4 && { 'as many empty objects as it can be': `[${'{},'.repeat(limit / 3 - 2)}0]` }),
})

/** The example of a route with one more key, as JSON text. */
const withKey = ({ example }: BodyRoute, name: string, value: string): string =>
  `${JSON.stringify(example).slice(0, -1)},"${name}":${value}}`

const asJson = { 'content-type': 'application/json' }

t.test('every route refuses hostile JSON and changes nothing', async (t) => {
  const service = await startService(t)
  const before = service.stored()
  for (const route of bodyRoutes) {
    const { method, path, limit } = route
    const values = Object.entries({ ...hostileJson, ...brokenJson })
    const alone = values.map(([what, [body]]) => [what, body] as const)
    const inside = Object.entries(hostileJson).map(
      ([what, [value]]) => [`${what}, next to valid fields`, withKey(route, 'more', value)] as const,
    )
    for (const [what, body] of [...alone, ...inside, ...Object.entries(large(route))]) {
      const answer = await service.send({ method, path, body, headers: asJson })
      const expected = Buffer.byteLength(body) > limit ? [413, 'body_too_large'] : [400, 'invalid_json']
      t.strictSame([answer.status, verdictOf(answer)], expected, `${route.name}: ${what}`)
      t.notMatch(answer.text, /canary|session/, 'nothing of it is in the answer')
    }
  }
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

t.test('hostile JSON from a site or inside a string is not parsed', async (t) => {
  // Quadratic time would exceed the time limit of the file.
  const trap = nested(5 * 1024 * 1024 - 1)
  const origin = await serve(t, (_, response) => response.writeHead(200, asJson).end(trap))
  const { send, written } = await startService(t, {
    env: {
      ORCHESTRATOR_DEFAULT_SITE_ID: 'trap',
      AUTO_BOOTSTRAP_SITE_ORIGIN: origin,
      ORCHESTRATOR_CORS_ORIGINS: origin,
    },
  })
  t.equal((await send({ path: '/draft/slugs?session=dev&siteId=trap' })).status, 200)
  t.match(written(), /draft could not be filled from its site/)
  const diff = await send(json('/publish/diff', { session: 'dev', siteId: 'trap', siteOrigin: origin }))
  t.match(JSON.parse(diff.text), { baselineAvailable: false })
  const ops = [{ op: 'update_site_config', patch: { name: 'A' } }]
  const inText = { session: 'dev', siteId: 'trap', ops, componentsManifest: nested(500_000) }
  t.match(JSON.parse((await send(json('/ops', inText))).text), {
    code: 'schema_violation',
    reason: /64 levels/,
  })
})
