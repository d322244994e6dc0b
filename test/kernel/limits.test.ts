import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import * as v from 'valibot'
import {
  allOf,
  defineRefusal,
  events,
  gate,
  gates,
  sitePlaces,
  sitesOf,
  text,
  permissionOf,
  type Caller,
  type CallerLimits,
  type Gate,
  type RouteSpec,
} from '../../kernel/index.ts'
import { mountForTest } from '../../kernel/testing.ts'
import { ok, Ok, plain } from '../helpers/plain.ts'

const Named = v.object({ siteId: v.optional(v.string()) })
const spec = {
  method: 'POST',
  path: '/a',
  gate: gates.access,
  summary: '',
  replies: { 200: Ok },
} as const satisfies RouteSpec

t.test('a route requires the permission it declares, or else that of its gate and method', (t) => {
  t.equal(permissionOf(spec), 'edit')
  t.equal(permissionOf({ ...spec, method: 'DELETE' }), 'edit')
  t.equal(permissionOf({ ...spec, method: 'GET' }), 'read')
  t.equal(permissionOf({ ...spec, gate: gate('in-house') }), 'edit')
  t.equal(permissionOf({ ...spec, gate: gates.publish }), 'publish')
  t.equal(permissionOf({ ...spec, method: 'GET', gate: gates.agent }), 'agent')
  t.equal(permissionOf({ ...spec, gate: gates.publish, can: 'admin' }), 'admin')
  t.end()
})

t.test('a route names a site in path, query or body; else it declares what it concerns', async (t) => {
  const places = (more: Partial<RouteSpec>) => sitePlaces({ ...spec, ...more }).join(' ')
  const one = v.object({ a: v.literal(1) })
  const two = v.object({ a: v.literal(2), ...Named.entries })
  const body = v.union([v.string(), v.picklist(['siteId']), v.variant('a', [one, two])])
  t.equal(places({ path: '/sites/:siteId/pages' }), 'params')
  t.equal(places({ path: '/sites/:siteIds' }), '')
  t.equal(places({ query: v.pipe(Named, v.examples([])) }), 'query')
  t.equal(places({ body }), 'body')
  t.equal(places({ path: '/:siteId', query: Named, body: v.fallback(Named, {}) }), 'params query body')
  t.equal(sitesOf({ ...spec, query: Named }), 'named')
  t.equal(sitesOf(spec), 'all')
  t.equal(sitesOf({ ...spec, sites: 'none' }), 'none')
  const declared = sitesOf({ ...spec, query: Named, sites: 'all' })
  t.equal(declared, 'all', 'a site that may be left out may mean all of them')
})

const foreign = defineRefusal({ status: 403, code: 'foreign', reason: () => 'Another site.' })

/** A service with limited callers, and the calls that their limits received. */
function limited(t: Parameters<typeof mountForTest>[0]) {
  const calls: unknown[] = []
  const access = new AbortController()
  const limits: CallerLimits = {
    site: 'demo',
    signal: access.signal,
    may: (permission) => permission === 'read',
    require: () => undefined,
    checkSite({ query, body }) {
      calls.push({ ...Object(query), ...Object(body) })
      if (Object(body).siteId === 'other') throw foreign()
    },
    onResponse: (status, body) => void calls.push(body === undefined ? status : [status, body]),
  }
  const admitting = (caller: Caller): Gate => ({
    mounting: () => ({ mount: true }),
    admit: () => ({ admit: true, caller }),
  })
  const named = gate('named')
  const both = gate('both')
  const silence = async function* () {
    yield { data: { ok: true } }
    await new Promise<never>(() => undefined)
  }
  let ran = 0
  const robot: Caller = { via: 'token', id: 'robot', limits }
  const routes = plain(
    {
      'POST /change': { gate: named, query: Named, body: Named, answer: () => (ran++, ok) },
      'GET /fail': { gate: named, answer: () => Promise.reject(new Error('broken')) },
      'GET /whose': {
        gate: both,
        replies: { 200: text('text/plain') },
        answer: ({ caller: { via, id, until, limits } }) => ({
          status: 200,
          body: `${via} ${id} ${limits?.site} ${until !== undefined}`,
        }),
      },
      'GET /wait': {
        gate: named,
        timeoutMs: 10_000,
        answer: ({ signal }) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
      'GET /stream': {
        gate: named,
        replies: { 200: events(Ok, { retry: 1, heartbeat: 10_000 }) },
        answer: () => ({ status: 200, body: silence() }),
      },
    },
    [
      [named, admitting(robot)],
      [
        both,
        allOf(
          admitting(robot),
          admitting({ via: 'publish-secret' }),
          admitting({ via: 'loopback', until: Date.now() + 60_000 }),
        ),
      ],
    ],
  )
  const mounted = mountForTest(t, { plugins: [routes], faults: 'answer' })
  return { ...mounted, calls, access, ran: () => ran }
}

t.test('limits check the input before the handler runs, and are notified once of every end', async (t) => {
  const { inject, calls, ran } = limited(t)
  const change = async (json: object, query = '', headers = {}) =>
    (await inject({ method: 'POST', url: `/change${query}`, json, headers })).status
  t.equal(await change({ siteId: 'demo', more: 1 }, '?siteId=demo'), 200)
  t.strictSame(calls.splice(0), [{ siteId: 'demo' }, [200, { ok: true }]])
  const refused = await inject({ method: 'POST', url: '/change', json: { siteId: 'other' } })
  t.match(refused.json(), { code: 'foreign' })
  t.strictSame(calls.splice(0), [{ siteId: 'other' }, 403])
  t.equal(ran(), 1)
  t.equal(await change({ siteId: 1 }), 400)
  t.strictSame(calls.splice(0), [400], 'refused before the limits judge')
  t.equal(await change({}, '?siteId=a', { origin: 'https://evil.example' }), 403)
  t.strictSame(calls.splice(0), [403], 'a foreign origin')
  t.equal((await inject({ url: '/fail' })).status, 500)
  t.strictSame(calls.splice(0), [{}, 500])
})

t.test('behind several gates the limits of each one apply to the caller', async (t) => {
  const { inject } = limited(t)
  t.equal((await inject({ url: '/whose' })).text, 'loopback robot demo true')
})

t.test('requests and streams end when the access of their caller is revoked', async (t) => {
  const { inject, access } = limited(t)
  const waiting = inject({ url: '/wait' })
  const stream = inject({ url: '/stream' })
  await wait(20)
  access.abort(foreign())
  t.match(await waiting, { status: 403 })
  t.match((await stream).text, /^retry: 1\n\ndata: \{"ok":true\}\n\nretry: \d+\n\n$/)
})
