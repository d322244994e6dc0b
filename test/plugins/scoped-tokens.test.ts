import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import * as v from 'valibot'
import { gates, type RouteSpec } from '../../kernel/index.ts'
import { capturedLog, stillClock } from '../../kernel/testing.ts'
import { accessSignal, type ScopedToken } from '../../plugins/auth/port.ts'
import {
  createAudit,
  createLimits,
  watchRevocations,
  createScopedTokens,
} from '../../plugins/auth/testing.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import type { Store } from '../../plugins/store/port.ts'
import fc from '../helpers/property.ts'

const minute = 60_000
const day = 24 * 60 * minute

function keeper() {
  const clock = stillClock()
  const storage = createMemoryStore()
  return { clock, store: storage, tokens: createScopedTokens({ store: storage, clock }) }
}
const later = (clock: ReturnType<typeof stillClock>, milliseconds: number): string =>
  new Date(clock.now().getTime() + milliseconds).toISOString()

t.test('a token is found by its text until it ends, and only its digest is kept', async (t) => {
  const { tokens, clock, store } = keeper()
  const brief = await tokens.create({
    name: 'brief',
    can: ['read'],
    site: 'demo',
    expires: later(clock, minute),
  })
  const { id } = brief.token
  t.strictSame(brief.token, {
    id,
    name: 'brief',
    can: ['read'],
    site: 'demo',
    expires: later(clock, minute),
    created: clock.now().toISOString(),
  })
  t.strictSame(await tokens.find(brief.text), brief.token)
  t.ok(tokens.isLive(brief.token))
  t.ok(await tokens.isLiveId(id))
  clock.advance(minute)
  t.notOk(tokens.isLive(brief.token), 'it expires at its exact time')
  t.notOk(await tokens.isLiveId(id))
  const other = await tokens.create({ name: 'other', can: ['edit'] })
  const revoked = await tokens.revoke(other.token.id)
  clock.advance(minute)
  t.strictSame(await tokens.revoke(other.token.id), revoked, 'revoking again has no effect')
  t.notOk(tokens.isLive(revoked ?? other.token))
  t.equal(await tokens.revoke('000000000000'), undefined)
  t.notOk(await tokens.isLiveId('000000000000'))
  const names = (await tokens.list()).map(({ name }) => name)
  t.strictSame(names, ['other', 'brief'])
  for await (const row of store.texts())
    for (const { text } of [brief, other]) t.notOk(row.includes(text.slice(17)))
})

t.test('any other text is rejected as a token', async (t) => {
  const { tokens } = keeper()
  const { text } = await tokens.create({ name: 'one', can: ['read'] })
  const edited = fc
    .tuple(fc.nat(text.length - 1), fc.constantFrom('', '_', 'A', 'é', '0'), fc.nat(2))
    .map(([at, put, drop]) => text.slice(0, at) + put + text.slice(at + drop))
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(edited, fc.string()),
      async (guess) => guess === text || (await tokens.find(guess)) === undefined,
    ),
  )
  t.pass()
})

t.test('use is recorded at most once a minute', async (t) => {
  const { tokens, clock } = keeper()
  const { text } = await tokens.create({ name: 'one', can: ['read'] })
  const touched = async () => {
    const found = await tokens.find(text)
    if (found) await tokens.touch(found)
    return (await tokens.list())[0]?.used
  }
  const first = await touched()
  t.equal(first, clock.now().toISOString())
  clock.advance(minute - 1)
  t.equal(await touched(), first)
  clock.advance(1)
  t.equal(await touched(), clock.now().toISOString())
})

t.test('a thousand tokens are stored, and ended ones are deleted after a month', async (t) => {
  const { tokens, clock } = keeper()
  const request = { name: 'one', can: ['read'] } as const
  for (let at = 0; at < 999; at++) await tokens.create(request)
  const { token } = await tokens.create({ ...request, expires: later(clock, day) })
  clock.advance(30 * day)
  await t.rejects(tokens.create(request), { code: 'too_many_tokens', reason: /1000 scoped tokens/ })
  clock.advance(day + 1)
  await tokens.create(request)
  t.notOk((await tokens.list()).some(({ id }) => id === token.id))
  await t.rejects(tokens.create(request), { code: 'too_many_tokens' })
})

t.test('a signal aborts soon after its token ends, also after failed reads', async (t) => {
  const closing = new AbortController()
  const state: Record<string, boolean | Error> = { a: true, b: new Error('the disk is gone') }
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const signalOf = watchRevocations(
    {
      isLiveId: async (id) => {
        const found = state[id] ?? false
        if (found instanceof Error) throw found
        return found
      },
    },
    { closing: closing.signal },
  )
  const poll = async () => (mock.timers.tick(1000), await turn())
  const [a, b] = [signalOf('a'), signalOf('b')]
  t.equal(signalOf('a'), a)
  t.equal(accessSignal({ via: 'anyone' }).aborted, false)
  const limits = createLimits({ ...robot, id: 'a' }, route, {
    scope: undefined,
    audit: createAudit({ store: createMemoryStore(), clock: stillClock(), log: capturedLog().log, most: 1 }),
    signalOf,
  })
  const access = accessSignal({ via: 'token', limits })
  state['a'] = false
  await poll()
  t.ok(access.aborted)
  t.match(a.reason, { status: 401, error: 'unauthorized' })
  t.notOk(b.aborted)
  state['b'] = false
  await poll()
  t.ok(b.aborted)
  t.not(signalOf('a'), a, 'an ended token is watched again when it is requested again')
  closing.abort()
})

const robot: ScopedToken = { id: 'robot', name: 'robot', can: ['read'], created: '2026-01-01T00:00:00.000Z' }
const Named = v.object({ siteId: v.optional(v.string()) })
const route = {
  method: 'POST',
  path: '/a',
  gate: gates.access,
  summary: '',
  query: Named,
  replies: { 200: v.object({}) },
} as const satisfies RouteSpec

t.test('the audit log keeps the newest entries, and a store that cannot write is logged', async (t) => {
  const clock = stillClock()
  const { log, lines } = capturedLog()
  const storage = createMemoryStore()
  const audit = createAudit({ store: storage, clock, log, most: 50 })
  for (let at = 0; at < 300; at++) {
    if (at % 10 === 0) clock.advance(1)
    audit.write({ token: 'robot', name: 'robot', method: 'POST', route: `/${at}`, status: 200 })
  }
  const query = { siteId: undefined, token: undefined, limit: 1000, before: undefined }
  const entries = await audit.list(query)
  const newest = Array.from({ length: 50 }, (_, at) => ({ route: `/${299 - at}` }))
  t.match(entries, newest)
  t.equal(entries.length, 50)
  const broken: Store = { ...storage, transaction: () => Promise.reject(new Error('the disk is full')) }
  const failing = createAudit({ store: broken, clock, log, most: 50 })
  failing.write({ token: 'robot', name: 'robot', method: 'POST', route: '/x', status: 200 })
  await failing.settled()
  t.match(lines.join(''), /audit entry could not be written/)
})

t.test('without the scope plugin a token of one site is refused on requests that name a site', (t) => {
  const { store, clock } = keeper()
  const audit = createAudit({ store, clock, log: capturedLog().log, most: 1 })
  const limits = createLimits({ ...robot, site: 'demo' }, route, {
    scope: undefined,
    audit,
    signalOf: () => new AbortController().signal,
  })
  t.throws(() => limits.checkSite({ params: {}, query: { siteId: 'demo' }, body: undefined }), {
    code: 'token_not_allowed',
  })
  t.throws(() => limits.require('edit'), { code: 'token_not_allowed', reason: /lacks the permission 'edit'/ })
  t.equal(limits.require('read'), undefined)
  t.end()
})
