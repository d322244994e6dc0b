import t, { type Test } from 'tap'
import * as v from 'valibot'
import type { PluginEntry } from '../../config/define-config.ts'
import {
  gates,
  sitesOf,
  systemClock,
  permissions,
  permissionsOf,
  type Injection,
  type MountedRoute,
  type Permission,
} from '../../kernel/index.ts'
import type { NewToken } from '../../plugins/auth/port.ts'
import { createScopedTokens } from '../../plugins/auth/testing.ts'
import { planners } from '../../plugins/chat/port.ts'
import { createComponents, exampleOf } from '../../plugins/docs/testing.ts'
import { store } from '../../plugins/store/port.ts'
import { orchestrator } from '../config/helpers.ts'
import { pageOf } from '../helpers/content.ts'
import { calling, saying, startModelServer } from '../helpers/model-server.ts'
import { editor, eventsIn, refused, startStack, type Stack } from '../helpers/stack.ts'
import { allRoutes, exampleFor, isStream } from './bodies.ts'
import { installationsOf } from './installations.ts'
import { mountHollow, scopedTokens } from './matrix.ts'
import { startService } from './service.ts'
import { giving } from '../helpers/plain.ts'

const bearing = (text: string) => ({ headers: { authorization: `Bearer ${text}` } })
const hero = { id: 'b_hero', type: 'Hero', props: { heading: 'Before' } }
const rename = 'Change the heading of the hero to "After"'

/** The complete service with a draft of the site demo, and tokens for it. */
async function start(
  t: Test,
  plugins: readonly PluginEntry[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const stack = await startStack(t, { plugins, env })
  const tokens = createScopedTokens({ store: await stack.get(store), clock: systemClock })
  await editor(stack.inject, { siteId: 'demo' }).bootstrap([pageOf('/', [hero])])
  /** A client with a token, by default of the site demo. */
  const holder = async (
    can: readonly Permission[],
    site: string | null = 'demo',
    more: Partial<NewToken> = {},
  ) => {
    const { token, text } = await tokens.create({
      name: 'robot',
      can,
      ...(site !== null && { site }),
      ...more,
    })
    const ask = (request: Injection) =>
      stack.inject({ ...request, headers: { ...request.headers, ...bearing(text).headers } })
    const say = (message: string, more: object = {}) =>
      ask({ method: 'POST', url: '/chat', json: { siteId: 'demo', slug: '/', message, ...more } })
    return {
      token,
      text,
      ask,
      say,
      send: (url: string, json: object = {}, method = 'POST') =>
        ask({ method, url, json: { siteId: 'demo', ...json } }),
    }
  }
  const version = () => editor(stack.inject, { siteId: 'demo' }).version()
  return { ...stack, tokens, holder, version }
}

const setHeading = {
  ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch: { heading: 'By operation' } }],
}
const notAllowed = { status: 403, code: 'token_not_allowed' }
const Log = v.object({
  entries: v.array(
    v.looseObject({
      version: v.number(),
      actor: v.looseObject({ kind: v.string(), id: v.optional(v.string()) }),
    }),
  ),
})
const logOf = async ({ inject }: Pick<Stack, 'inject'>) =>
  v.parse(Log, (await inject({ url: '/history/log?siteId=demo' })).json()).entries

/** Gates without scoped tokens; Jira requires its own secret as well, and `probe` is `access` in a mount. */
const ungated = new Set([gates.public.id, 'gate.own-server', 'gate.probe', 'gate.jira'])

t.test('every route accepts only scoped tokens with its permission', async (t) => {
  const texts = new Map<Permission, string>()
  for (const permission of permissions)
    texts.set(permission, (await scopedTokens.create({ name: permission, can: [permission] })).text)
  for (const shape of ['standalone', 'library'] as const) {
    const labels = {
      ...(shape === 'standalone' ? { ORCHESTRATOR_GATE: 'all' } : { hook: 'none' }),
      credential: 'both',
      NODE_ENV: 'development',
      PUBLISH_TOKEN: 'unset',
      AGENT_SURFACE: 'on',
    }
    const installation = installationsOf(shape).find(
      (each) => JSON.stringify(each.labels) === JSON.stringify(labels),
    )
    if (!installation) return t.fail('there is no such installation')
    await using mounted = mountHollow(installation)
    for (const { spec, leftOut } of await mounted.ready()) {
      if (ungated.has(spec.gate.id) || leftOut !== undefined) continue
      const accepted: Permission[] = []
      for (const [permission, text] of texts) {
        const { status } = await mounted.inject({ method: spec.method, url: spec.path, ...bearing(text) })
        if (status === 418) accepted.push(permission)
        else if (status !== 403) t.fail(`${spec.method} ${spec.path} answers ${status}`)
      }
      t.strictSame(accepted, permissionsOf(spec), `${shape}: ${spec.method} ${spec.path}`)
    }
  }
})

const components = await createComponents()
const fieldsOf = (schema: MountedRoute['spec']['query']): Readonly<Record<string, unknown>> =>
  schema ? { ...Object(exampleOf(components.describe(schema, 'input'), components.resolve)) } : {}

/** A valid request for a route, with or without a named site. */
function requestFor({ spec }: MountedRoute, siteId: string | undefined): Injection {
  const named = sitesOf(spec) === 'named' || sitesOf(spec) === 'own'
  const about = (fields: Readonly<Record<string, unknown>>) => {
    const { siteId: _any, ...rest } = fields
    return named && siteId !== undefined ? { ...rest, siteId } : rest
  }
  const params = fieldsOf(spec.params)
  const path = spec.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name] ?? 'x'))
  const { accessToken: _token, ...query } = spec.query ? about(fieldsOf(spec.query)) : {}
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const method = isStream({ spec } as MountedRoute) && spec.method === 'GET' ? 'HEAD' : spec.method
  const body = exampleFor(spec.method, spec.path)
  return { method, url: `${path}?${search}`, ...(body && { json: about(body) }) }
}

t.test('a token of one site gives no access to another or to the default site, on any route', async (t) => {
  const { holder, inject } = await start(t)
  const { ask } = await holder(permissions)
  const refusedFor = async (route: MountedRoute, siteId?: string) => {
    const { status, text } = await ask(requestFor(route, siteId))
    // An answer to HEAD has no body with the code.
    return status === 403 && (text === '' || text.includes('"token_not_allowed"'))
  }
  let named = 0
  for (const route of allRoutes) {
    const {
      spec: { method, path, gate },
    } = route
    if (ungated.has(gate.id)) continue
    const name = `${method} ${path}`
    const kind = sitesOf(route.spec)
    if (kind === 'named') {
      named++
      t.ok(await refusedFor(route, 'other'), `${name} of another site`)
      const needsSite = ['POST /sites/register', 'GET /publish/content'].includes(name)
      if (!needsSite) t.ok(await refusedFor(route), `${name} of the default site`)
      if (name !== 'POST /publish') t.notOk(await refusedFor(route, 'demo'), `${name} of its own site`)
    } else t.equal(await refusedFor(route), kind === 'all', `${name}, which is about ${kind}`)
  }
  t.ok(named > 40)
  const about = /for the site 'demo', .* about 'other'.* --site other$/
  for (const [url, refusal] of [
    ['/draft/slugs?siteId=other', { ...notAllowed, reason: about }],
    ['/restore/snapshots?siteId=other', notAllowed],
    ['/usage', { ...notAllowed, reason: /about all sites. Make one without --site/ }],
    // A session names no other site.
    ['/draft/slugs?session=other::dev&siteId=demo', { status: 400 }],
  ] as const)
    t.match(refused(await ask({ url })), refusal)
  const own = await ask({ url: '/draft/slugs?siteId=DEMO ' })
  t.equal(own.status, 200, 'every spelling of its site is that site')

  await editor(inject, { siteId: 'other' }).bootstrap([pageOf('/')])
  for (const siteId of ['demo', 'other'])
    await inject({ method: 'POST', url: '/sites/register', json: { siteId, name: siteId } })
  for (const url of ['/sessions', '/sites']) {
    const [own, all] = [await ask({ url }), await inject({ url })].map(({ text }) =>
      ['"demo"', '"other"'].map((id) => text.includes(id)),
    )
    t.strictSame(own, [true, false], `${url} lists only its own site`)
    t.strictSame(all, [true, true])
  }
})

t.test('a token of one site cannot restore a snapshot of another', async (t) => {
  const { holder, inject, get } = await start(t)
  const { snapshots } = await import('../../plugins/publish/port.ts')
  const stored = await get(snapshots)
  const secret = pageOf('/', [{ ...hero, props: { heading: 'of the other site' } }])
  const now = new Date().toISOString()
  for (const siteId of ['demo', 'other'])
    await stored.keep({ siteId, session: 'dev' }, `k-${siteId}`, { pages: [secret] }, now)
  const { ask, send } = await holder(permissions)
  const Snapshots = v.object({ snapshots: v.array(v.object({ commit: v.string() })) })
  const commitsOf = async (asking: typeof ask, search = '') => {
    const answer = await asking({ url: `/restore/snapshots${search}` })
    return v.parse(Snapshots, answer.json()).snapshots.map(({ commit }) => commit)
  }
  const [own, other] = [await commitsOf(inject, '?siteId=demo'), await commitsOf(inject, '?siteId=other')]
  t.strictSame([await commitsOf(ask), own.length, other.length], [own, 1, 1])
  const foreign = await send('/restore/snapshot', { commit: other[0] })
  t.match(refused(foreign), { status: 400, code: 'unknown_snapshot' })
  t.equal((await send('/restore/snapshot', { commit: own[0] })).status, 200)
})

t.test('a token of one site cannot override the address of its site', async (t) => {
  const { holder } = await start(t)
  const [own, every] = [await holder(permissions), await holder(permissions, null)]
  const siteOrigin = 'http://localhost:3000'
  const routes: Readonly<Record<string, object>> = {
    '/publish': { siteOrigin },
    '/publish/diff': { siteOrigin },
    '/history/discard': { siteOrigin },
    '/preview/screenshot': { previewUrl: siteOrigin },
  }
  for (const [url, json] of Object.entries(routes)) {
    t.match(refused(await own.send(url, json)), { ...notAllowed, reason: /at its registered address/ }, url)
    if (url !== '/publish') t.notMatch((await every.send(url, json)).text, 'token_not_allowed', url)
  }
  t.match(refused(await own.ask({ url: `/publish/diff?siteId=demo&siteOrigin=${siteOrigin}` })), notAllowed)
  t.equal((await own.send('/publish/diff', { siteOrigin: ' ' })).status, 200)
})

t.test('the permission plan permits no edit, and approve applies a pending plan', async (t) => {
  const stack = await start(t)
  const { holder, version } = stack
  const before = await version()
  const planner = await holder(['read', 'plan'])
  // A plan that would be applied at once waits for approval.
  t.match((await planner.say(rename)).json(), { status: 'plan_ready', previewVersion: before })
  t.equal(await version(), before)
  for (const answer of [planner.say('yes'), planner.say('', { executionMode: 'apply_pending_plan' })]) {
    t.match(refused(await answer), {
      ...notAllowed,
      reason: /lacks the permission 'approve'.* --can read,plan,approve --site demo$/,
    })
  }
  const others: Readonly<Record<string, object>> = {
    '/ops': setHeading,
    '/history/undo': { slug: '/' },
    '/history/redo': { slug: '/' },
    '/history/restore': { version: 1 },
    '/history/discard': {},
    '/restore/snapshot': { commit: '0123456789abcdef' },
    '/checks/fix': {},
    '/draft/bootstrap': { pages: [pageOf('/x')], overwrite: true },
    '/publish': {},
    '/sites/register': { name: 'Mine' },
  }
  for (const [url, json] of Object.entries(others))
    t.match(refused(await planner.send(url, json)), notAllowed, url)
  t.match(refused(await planner.send('/draft/site-config', { config: { tone: 'x' } }, 'PUT')), notAllowed)
  t.equal(await version(), before)

  const approver = await holder(['approve'])
  t.match(refused(await approver.say(rename)), { ...notAllowed, reason: /lacks the permission 'plan'/ })
  t.match((await approver.say('yes')).json(), { status: 'applied', previewVersion: before + 1 })
  t.match((await logOf(stack)).at(-1), {
    actor: { kind: 'program', id: approver.token.id, name: approver.token.name },
  })

  const held = await planner.say('Change the heading of the hero to "Open"', { client: { id: 'browser-b' } })
  const { pendingPlanId } = v.parse(v.looseObject({ pendingPlanId: v.string() }), held.json())
  const given = { executionMode: 'apply_pending_plan', pendingPlanId, client: { id: 'browser-a' } }
  t.match((await approver.say('', given)).json(), { status: 'applied' }, 'also the plan of a browser')
  const writer = await holder(['plan', 'edit'])
  t.match((await writer.say('Change the heading of the hero to "Again"')).json(), { status: 'applied' })
  t.match((await writer.send('/ops', setHeading)).json(), { status: 'applied' })
  t.match((await logOf(stack)).at(-1), { actor: { id: writer.token.id } })
})

t.test('a streamed run is limited to the permissions and the site of its token', async (t) => {
  const { holder, version, origin } = await start(t)
  const before = await version()
  const planner = await holder(['plan'])
  const started = await planner.send('/chat/start', { session: 'dev', slug: '/', message: rename })
  const { streamId } = v.parse(v.object({ streamId: v.string() }), started.json())
  const stream = eventsIn(
    await fetch(`${origin}/chat/stream?streamId=${streamId}&siteId=demo`, bearing(planner.text)),
  )
  t.match((await stream.toLast()).at(-1), { data: { type: 'final', result: { status: 'plan_ready' } } })
  t.equal(await version(), before)
  const elsewhere = await holder(permissions, 'avocado-stories')
  const watched = await elsewhere.ask({ url: `/chat/stream?streamId=${streamId}&afterSeq=0` })
  t.equal(watched.status, 410, 'the stream of another site stays closed')
  const canceled = await elsewhere.ask({ method: 'POST', url: '/chat/cancel', json: { streamId } })
  t.match(refused(canceled), { code: 'not_found' })
})

t.test('on an open server a scoped token limits its holder, and an ended one is refused', async (t) => {
  const { holder, inject, tokens, version } = await start(t)
  const before = await version()
  const reader = await holder(['read'])
  t.equal((await reader.ask({ url: '/draft/slugs?siteId=demo' })).status, 200)
  t.match(refused(await reader.send('/ops', setHeading)), notAllowed)
  t.equal((await reader.ask({ url: '/health' })).status, 200, 'public routes ask for nothing')
  await tokens.revoke(reader.token.id)
  t.strictSame((await reader.ask({ url: '/draft/slugs?siteId=demo' })).json(), { error: 'unauthorized' })
  const expired = await tokens.create({
    name: 'old',
    can: permissions,
    expires: new Date(Date.now() - 1).toISOString(),
  })
  t.equal((await inject({ url: '/draft/slugs', ...bearing(expired.text) })).status, 401)
  t.equal(await version(), before)
  const open = await inject({ method: 'POST', url: '/ops', json: { siteId: 'demo', ...setHeading } })
  t.match(open.json(), { status: 'applied' }, 'without a token nothing changes')
})

t.test('an invalid token is refused even on an open server', async (t) => {
  const { holder, inject } = await start(t)
  const { text } = await holder(['read'])
  const flip = (at: number) => text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1)
  const others = [text.slice(0, -1), `${text}x`, `${text.slice(0, 17)}${'A'.repeat(43)}`]
  for (const guess of ['cot_', 'cot_x', ...others, flip(4), flip(17), flip(30)]) {
    const answer = await inject({ url: '/draft/slugs?siteId=demo', ...bearing(guess) })
    t.strictSame(answer.json(), { error: 'unauthorized' }, guess.replace(text, '<right>'))
  }
  for (const way of [{ headers: { 'x-access-token': text } }, bearing(text)])
    t.equal((await inject({ url: '/draft/slugs?siteId=demo', ...way })).status, 200)
  t.equal((await inject({ url: `/draft/slugs?siteId=demo&accessToken=${text}` })).status, 200)
})

t.test('a token revoked by another process is refused at once, and its streams end', async (t) => {
  const { tokens, holder, dataDir, origin } = await start(t)
  const { token, text, ask } = await holder(['read', 'edit'])
  const stream = eventsIn(await fetch(`${origin}/events?siteId=demo`, bearing(text)))
  t.match(await stream.next(), { retry: 5000 })
  t.equal((await ask({ url: '/draft/slugs?siteId=demo' })).status, 200)
  const revoked = await orchestrator(dataDir, ['token', 'revoke', token.id, '--data-dir', dataDir])
  t.match(revoked, { code: 0, out: `Revoked ${token.id} (robot).\n` })
  t.equal((await ask({ url: '/draft/slugs?siteId=demo' })).status, 401)
  const left = await stream.rest()
  t.match(left.at(-1), { retry: Number }, 'the stream ends as it does when access ends')
  t.match(await tokens.list(), [{ id: token.id, revoked: String }])
})

t.test('a run ends soon after its token is revoked, and a parked one never starts', async (t) => {
  const { promise: bothPlan, resolve: planned } = Promise.withResolvers<void>()
  let count = 0
  const slow = giving('slow', planners, {
    name: 'slow',
    available: true,
    plan: (_input, { signal }) =>
      new Promise((_, reject) => {
        if (++count === 2) planned()
        signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
      }),
  })
  const { holder, tokens, origin, inject } = await start(t, [slow])
  for (const session of ['a', 'b'])
    await editor(inject, { siteId: 'demo', session }).bootstrap([pageOf('/', [hero])])
  const [one, two, reader] = [await holder(['plan']), await holder(['plan']), await holder(['plan'])]
  const message = 'Make it sparkle'
  const direct = one.say(message, { session: 'a' })
  const park = async () =>
    v.parse(
      v.object({ streamId: v.string() }),
      (await two.send('/chat/start', { session: 'b', slug: '/', message })).json(),
    ).streamId
  const [active, parked] = [await park(), await park()]
  const at = (streamId: string) => `/chat/stream?streamId=${streamId}&siteId=demo&session=b`
  const stream = eventsIn(await fetch(`${origin}${at(active)}`, bearing(reader.text)))
  await bothPlan
  for (const { token } of [one, two]) await tokens.revoke(token.id)
  const reason = 'The token was revoked or has expired.'
  const unauthorized = { error: 'unauthorized', code: 'unauthorized', reason }
  t.strictSame([(await direct).status, (await direct).json()], [401, unauthorized])
  t.match((await stream.toLast()).at(-1), { data: { type: 'canceled' } })
  t.match(refused(await reader.ask({ url: at(parked) })), { code: 'stream_gone' })
})

t.test('a run of the agent ends with its token, and is visible to its site only', async (t) => {
  const model = await startModelServer(t)
  const { promise: asked, resolve: arrived } = Promise.withResolvers<void>()
  const gone = new Promise<void>((resolve) =>
    model.script((response) => {
      arrived()
      response.on('close', () => resolve())
    }),
  )
  const { holder, tokens, inject, origin } = await start(t, [], {
    AGENT_API_KEY: 'sk-ant-marker-agent',
    ANTHROPIC_BASE_URL: model.origin,
  })
  const [mine, other] = [await holder(['agent']), await holder(['agent'], 'else')]
  // A token of another site cannot start a run.
  t.match(refused(await other.send('/agent/start', { message: rename })), notAllowed)
  const { streamId } = v.parse(
    v.object({ streamId: v.string() }),
    (await mine.send('/agent/start', { message: rename })).json(),
  )
  const at = `/agent/stream?streamId=${streamId}`
  t.match(refused(await other.ask({ url: at })), { code: 'stream_gone' })
  t.match(refused(await other.send('/agent/cancel', { streamId })), { code: 'stream_gone' })
  const stream = eventsIn(await fetch(`${origin}${at}`, bearing(mine.text)))
  await asked
  await tokens.revoke(mine.token.id)
  await gone
  await stream.rest()
  t.equal((await mine.ask({ url: at })).status, 401)
  t.match(await logOf({ inject }), [{ version: 1 }], 'nothing was changed after the bootstrap')
})

t.test('with a token for agents alone an agent reads, and changes nothing', async (t) => {
  const model = await startModelServer(t)
  const { holder, inject } = await start(t, [], {
    AGENT_API_KEY: 'sk-ant-marker-agent',
    ANTHROPIC_BASE_URL: model.origin,
  })
  const day = 24 * 60 * 60 * 1000
  const chat = async (can: readonly Permission[], days: number) => {
    const { send } = await holder(can, 'demo', { expires: new Date(Date.now() + days * day).toISOString() })
    model.script(
      calling([
        ['get_page', { pageSlug: '/' }],
        ['rename_page', { pageSlug: '/', newTitle: 'By an agent' }],
      ]),
      saying('Tried.'),
    )
    return send('/agent/chat', { message: rename })
  }
  const answer = await chat(['agent'], 30)
  const error = /lacks the permission 'edit'.*--can agent,edit/
  const refusal = { type: 'tool_error', toolName: 'rename_page', error }
  t.equal(answer.status, 200)
  t.match(answer.json(), { toolCallCount: 2, events: [{ type: 'status' }, { type: 'status' }, refusal] })
  t.match(await logOf({ inject }), [{ version: 1 }], 'nothing was changed after the bootstrap')
  t.equal((await chat(['agent', 'edit'], 90)).status, 200)
  t.match(await logOf({ inject }), [{ version: 1 }, { version: 2 }])
})

t.test('the secret of a token is in no log line and not in the store', async (t) => {
  const { send, written, stored, dataDir } = await startService(t, {
    env: { ORCHESTRATOR_GATE: 'all', ORCHESTRATOR_ACCESS_TOKEN: 'a-fixed-token-of-32-characters-00' },
  })
  const made = await orchestrator(
    dataDir,
    `token create --can read,edit,admin --data-dir ${dataDir}`.split(' '),
  )
  const text = made.out.trim()
  const secret = text.slice(17)
  t.match(text, /^cot_[0-9a-f]{12}_[\w-]{43}$/)
  const inQuery = `?accessToken=${text}`
  for (const path of ['/draft/slugs', `/draft/slugs${inQuery}`, '/metrics', '/audit', `/nowhere${inQuery}`])
    t.ok((await send({ path, headers: { 'x-access-token': text } })).status < 500, path)
  const body = JSON.stringify({ token: text, ops: text })
  const headers = { authorization: `Bearer ${text}`, 'content-type': 'application/json' }
  t.equal((await send({ method: 'POST', path: '/ops', headers, body })).status, 400)
  const audit = await send({ path: '/audit', headers: { 'x-access-token': text } })
  t.match(JSON.parse(audit.text), {
    entries: [{ route: '/ops', method: 'POST', status: 400, name: 'unnamed' }],
  })
  for (const all of [written(), stored(), audit.text, made.err]) t.notOk(all.includes(secret))
})

t.test('the audit log lists what tokens changed and were refused, newest first', async (t) => {
  const { holder, inject, version, tokens } = await start(t)
  const writer = await holder(['read', 'edit'])
  const reader = await holder(['read'], null)
  await writer.ask({ url: '/draft/slugs?siteId=demo' })
  await writer.send('/ops', { ...setHeading, session: 'dev' })
  await writer.send('/ops', { ...setHeading, siteId: 'other' })
  await reader.send('/ops', setHeading)
  await tokens.revoke(writer.token.id)
  await writer.send('/history/undo', { slug: '/' })
  const Entries = v.object({ entries: v.array(v.looseObject({ id: v.string(), status: v.number() })) })
  const read = async (search = '') =>
    v.parse(Entries, (await inject({ url: `/audit${search}` })).json()).entries
  const all = await read()
  const [byWriter, byReader] = [writer, reader].map(({ token }) => ({ token: token.id, name: 'robot' }))
  const onOps = { method: 'POST', route: '/ops' }
  const applied = { siteId: 'demo', session: 'dev', status: 200, previewVersion: await version() }
  t.match(all, [
    { ...byWriter, method: 'POST', route: '/history/undo', status: 401 },
    { ...byReader, ...onOps, status: 403 },
    { ...byWriter, ...onOps, siteId: 'other', status: 403 },
    { ...byWriter, ...onOps, ...applied, at: String, id: String },
  ])
  t.equal(all.length, 4, 'reads are not logged')
  t.equal(Object.keys(all[3] ?? {}).length, 10, 'and nothing of their content')
  t.strictSame(await read('?siteId=demo'), all.slice(3))
  t.strictSame(await read(`?token=${reader.token.id}`), all.slice(1, 2))
  t.strictSame(await read(`?limit=2`), all.slice(0, 2))
  t.strictSame(await read(`?limit=2&before=${all[1]?.id}`), all.slice(2))
  t.match(refused(await reader.ask({ url: '/audit' })), notAllowed)
})
