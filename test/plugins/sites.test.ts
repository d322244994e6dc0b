import t from 'tap'
import * as v from 'valibot'
import { give, use, type Seed } from '../../kernel/index.ts'
import { everyWayIn, oneWayIn, mountForTest, openGates } from '../../kernel/testing.ts'
import scopePlugin from '../../plugins/scope/index.ts'
import sitesPlugin from '../../plugins/sites/index.ts'
import { hostSite, registrations, sites } from '../../plugins/sites/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { store } from '../../plugins/store/port.ts'

type SitesOptions = NonNullable<Parameters<typeof use<object>>[1]>

const setting = ({
  env = {},
  options = {},
  seeds = [],
}: {
  readonly env?: Readonly<Record<string, string>>
  readonly options?: SitesOptions
  readonly seeds?: readonly Seed[]
} = {}) => ({
  plugins: [use(sitesPlugin, options), use(scopePlugin, {})],
  seeds: [...openGates, give(store, createMemoryStore()), ...seeds],
  env,
})
const register = (json: object) => ({ method: 'POST', url: '/sites/register', json })
const acme = { siteId: 'Acme Shop!', name: 'Acme' }
const Listed = v.object({ sites: v.array(v.looseObject({ id: v.string() })) })

t.test('a registration is stored under the normalised id and answered with the id as sent', (t) =>
  everyWayIn(t, setting, async (t, ask) => {
    const kept = { tone: 'dry', navLabels: { '/': 'Start' } }
    const full = {
      siteId: 'Acme Shop!',
      name: 'Acme',
      session: ' mine ',
      previewUrl: ' https://acme.example/base ',
      port: 3000,
      purpose: 'Sells anvils',
      config: { name: 'Old name', purpose: 'Old', hosting: 'vercel', ...kept },
    }
    const stored = { purpose: 'Sells anvils', previewUrl: 'https://acme.example/base', port: 3000, ...kept }
    const answer = await ask(register(full))
    t.equal(answer.status, 200)
    t.same(answer.json(), {
      status: 'registered',
      siteId: 'Acme Shop!',
      session: 'acme-shop::mine',
      config: { id: 'Acme Shop!', name: 'Acme', ...stored },
      warnings: [],
    })
    const site = { id: 'acme-shop', name: 'Acme', siteName: 'Acme', demoContent: false, ...stored }
    t.same((await ask({ url: '/sites?session=mine' })).json(), { sites: [site] })
  }),
)

t.test('each field has its own rule', async (t) => {
  const Stored = v.object({ config: v.record(v.string(), v.unknown()) })
  const local = { previewUrl: 'http://localhost:3001', port: 3001 }
  const nothing = { previewUrl: null, port: null, purpose: null, secret: null, config: null, session: null }
  const far = { ...local, previewUrl: 'http://a.test' }
  const accepted: readonly [string, object, object][] = [
    ['name alone', {}, {}],
    ['a port gives an address', { port: 3001 }, local],
    ['an address takes precedence', far, far],
    ['a blank address is ignored', { port: 3001, previewUrl: ' ' }, local],
    ['a port that is not a number is ignored', { port: '3001' }, {}],
    ['a session that is not a string is the default', { session: 7 }, {}],
    ['null is ignored', nothing, {}],
    ['an empty purpose is ignored', { purpose: '', config: { purpose: 'Kept' } }, { purpose: 'Kept' }],
    ['unknown keys are dropped', { config: { gdriveFolderId: 'x', previewUrl: 'javascript:1' } }, {}],
    ['an unknown field', { hosting: 'vercel' }, {}],
  ]
  for (const [name, more, expected] of accepted) {
    const answer = await mountForTest(t, setting()).inject(register({ ...acme, ...more }))
    const { config } = v.parse(Stored, answer.json())
    t.same([answer.status, config], [200, { id: 'Acme Shop!', name: 'Acme', ...expected }], name)
  }

  const noId = /^siteId is required$/
  const refused: readonly [object, RegExp][] = [
    ...[undefined, '', ' '].map((siteId): [object, RegExp] => [{ siteId, name: 'Acme' }, noId]),
    [{ siteId: 7, name: 'Acme' }, /siteId.*expected string/],
    [{ siteId: 'acme' }, /^name is required$/],
    [{ siteId: 'acme', name: '' }, /^name is required$/],
    [{ siteId: 'x'.repeat(65), name: 'Acme' }, /siteId must be at most 64/],
    [{ ...acme, session: 'other::dev' }, /session must be/],
    [{ ...acme, previewUrl: 'javascript:alert(1)' }, /previewUrl must be an http or https address/],
    [{ ...acme, previewUrl: 'file:///etc/passwd' }, /previewUrl must be/],
    [{ ...acme, previewUrl: 'acme.example' }, /previewUrl must be/],
    [{ ...acme, previewUrl: 'http://user:pw@acme.example' }, /without a user name and password/],
    [{ ...acme, previewUrl: 'https://token@acme.example/x' }, /without a user name and password/],
    [{ ...acme, previewUrl: 'https://acme.example/?a=1&secret=k' }, /must not have the parameter 'secret'/],
    [{ ...acme, previewUrl: 3000 }, /previewUrl/],
    [{ ...acme, port: 70_000 }, /port must be a whole number/],
    [{ ...acme, port: 80.5, previewUrl: 'http://acme.test' }, /port must be/],
    [{ ...acme, config: 'x' }, /config/],
    [{ ...acme, config: { constraints: 'short' } }, /'config\.constraints' of the body/],
  ]
  const mounted = mountForTest(t, setting())
  for (const [json, error] of refused) {
    const answer = await mounted.inject(register(json))
    const reason = { error, reason: error, code: 'invalid_request' }
    t.match([answer.status, answer.json()], [400, reason], JSON.stringify(json))
  }
  t.same((await mounted.inject({ url: '/sites' })).json(), { sites: [] })
})

t.test('a registration is merged into the stored one and reports whether it changed anything', async (t) => {
  const mounted = mountForTest(t, setting())
  const status = async (json: object) =>
    v.parse(v.object({ status: v.string() }), (await mounted.inject(register({ ...acme, ...json }))).json())
      .status
  const id = { siteId: 'acme-shop', session: 'dev' }
  const version = async () =>
    (await (await mounted.get(store)).of(registrations).get(id.siteId, id.session))?.version

  const first = { previewUrl: 'http://acme.test', config: { navLabels: { '/': 'A', '/b': 'B' } } }
  t.equal(await status(first), 'registered')
  t.equal(await status(first), 'unchanged')
  t.equal(await status({}), 'unchanged', 'fields that are not sent stay')
  t.equal(await version(), 1, 'and nothing was written')
  const reordered = { config: { navLabels: { '/b': 'B', '/': 'A' } } }
  t.equal(await status(reordered), 'registered', 'the order of keys matters')
  t.equal(await status({ purpose: 'Sells' }), 'registered')
  t.equal(await version(), 3)
  t.same(await (await mounted.get(sites)).registered(id), {
    navLabels: { '/b': 'B', '/': 'A' },
    name: 'Acme',
    previewUrl: 'http://acme.test',
    purpose: 'Sells',
  })
  t.equal(await status({ siteId: 'ACME shop' }), 'unchanged', 'ids are normalised')
})

t.test('outside production pages of a registered origin may call, as long as it is registered', async (t) => {
  const storage = give(store, createMemoryStore())
  const started = (env: Readonly<Record<string, string>> = {}) =>
    mountForTest(t, { ...setting({ env }), seeds: [...openGates, storage], origins: { origins: [] } })
  const mounted = started()
  const [first, twin] = ['http://localhost:4321', 'http://127.0.0.1:4321']
  const [second, third] = ['http://localhost:4322', 'http://localhost:4323']
  const own = { siteId: 'acme-shop', name: '' }
  const isAllowed = async (origin: string, { inject } = mounted): Promise<boolean> => {
    const read = await inject({ url: '/sites', headers: { origin } })
    const changed = await inject({ ...register(own), headers: { origin } })
    const may = read.headers.has('access-control-allow-origin')
    t.equal(changed.status, may ? 400 : 403, 'pages that may read may change')
    return read.headers.get('access-control-allow-origin') === origin
  }
  t.equal(await isAllowed(first), false)
  await mounted.inject(register({ ...acme, previewUrl: `${first}/de?a=b` }))
  await mounted.inject(register({ siteId: 'shop', name: 'Shop' }))
  t.equal(await isAllowed(first), true)
  t.equal(await isAllowed(twin), true, 'also by its other name')
  t.equal(await isAllowed(second), false)
  t.equal(await isAllowed(first, started()), true, 'also after a restart')
  const inProduction = started({ NODE_ENV: 'production' })
  await inProduction.inject(register({ siteId: 'other', name: 'Other', previewUrl: third }))
  for (const origin of [first, third]) t.equal(await isAllowed(origin, inProduction), false, origin)
  await mounted.inject(register({ ...acme, previewUrl: second }))
  t.strictSame([await isAllowed(first), await isAllowed(second)], [false, true])
  await mounted.inject({ method: 'DELETE', url: '/sites?key=acme' })
  t.equal(await isAllowed(second), false)
})

t.test('the list has one entry per site, of the requested session if it exists', async (t) => {
  const mounted = mountForTest(t, setting({ options: { siteName: 'Own', demoContent: true } }))
  const names = async (query = '') =>
    v
      .parse(Listed, (await mounted.inject({ url: `/sites${query}` })).json())
      .sites.map(({ id, name, siteName }) => [id, name, siteName])
  for (const [siteId, session, name] of [
    ['b-site', 'dev', 'B dev'],
    ['a_site', 'x', 'A x'],
    ['b-site', 'x', 'B x'],
    ['b-site', 'a', 'B a'],
  ] as const) {
    await mounted.inject(register({ siteId, session, name }))
  }
  const [held, registry] = [await mounted.get(store), await mounted.get(sites)]
  const configure = (siteId: string) =>
    held.transaction(async (tx) => {
      const id = { siteId, session: 'dev' }
      await registry.saveDraftConfig(tx, id, { name: 'Any' })
      await (
        await registry.guide(tx, id, { tone: 'calm' })
      )()
    })
  await configure('avocado-stories')
  t.same(
    await names(),
    [
      ['a_site', 'A x', 'A x'],
      ['b-site', 'B dev', 'B dev'],
    ],
    'bare keys are hidden',
  )
  t.same(await names('?session='), await names())
  t.same(await names('?session=x'), [
    ['a_site', 'A x', 'A x'],
    ['b-site', 'B x', 'B x'],
  ])
  t.equal((await mounted.inject({ url: '/sites?session=a::b' })).status, 400)

  await held.transaction((tx) => registry.saveDraftConfig(tx, { siteId: 'my_new-site', session: 'dev' }, {}))
  t.same((await names()).at(-1), ['my_new-site', undefined, 'My New Site'], 'a site known only from a draft')
})

t.test('pages of a registered origin may use the drafts of its sites only', async (t) => {
  const [shared, usual, editor] = ['http://localhost:4321', 'http://localhost:3000', 'http://localhost:4100']
  const { inject } = mountForTest(t, { ...setting(), origins: { origins: [usual, editor], usual: [usual] } })
  for (const [siteId, previewUrl] of [
    ['a', shared],
    ['b', `${shared}/b`],
    ['c', usual],
  ])
    await inject(register({ siteId, name: 'Any', previewUrl }))
  const asked = async (origin: string, siteId?: string) => {
    const query = siteId === undefined ? '' : `?siteId=${siteId}`
    const read = await inject({ url: `/sites/blocks${query}`, headers: { origin } })
    const changed = await inject({ ...register({ siteId, name: 'Any' }), headers: { origin } })
    t.equal(read.headers.get('access-control-allow-origin'), origin, 'a page can read why it was refused')
    return [read.status, changed.status]
  }
  for (const siteId of ['a', 'b', 'B']) t.strictSame(await asked(shared, siteId), [200, 200], siteId)
  t.strictSame(await asked('http://127.0.0.1:4321', 'a'), [200, 200], 'by its other name')
  t.strictSame(await asked(shared, 'c'), [403, 403], 'a site of another origin')
  t.strictSame(await asked(shared), [403, 400], 'the default site')
  t.strictSame(await asked(usual, 'c'), [200, 200])
  t.strictSame(await asked(usual, 'a'), [403, 403], 'an origin that nobody has listed')
  t.strictSame(await asked(editor, 'a'), [200, 200], 'an editor')
  const headers = { origin: shared }
  t.match((await inject({ url: '/sites/blocks?siteId=c', headers })).json(), {
    code: 'origin_not_allowed',
    reason: /localhost:4321 may use the drafts of a, b, .* about 'c'.*ORCHESTRATOR_CORS_ORIGINS/,
  })
  t.equal((await inject({ method: 'DELETE', url: '/sites?key=c', headers })).status, 403, 'all sites')
  t.equal((await inject({ url: '/sites', headers })).status, 200)
  t.equal((await inject({ url: '/sites/blocks?siteId=c' })).status, 200, 'a program sends no origin')
})

t.test('a registered site is listed under any id, also the one of the default site', async (t) => {
  for (const siteId of ['default', 'avocado-stories', '!!!', 'boats']) {
    const env = siteId === 'boats' ? { ORCHESTRATOR_DEFAULT_SITE_ID: 'boats' } : {}
    const { inject } = mountForTest(t, setting({ env }))
    await inject(register({ siteId, name: 'Mine', previewUrl: 'https://boats.example' }))
    const id = siteId === 'boats' ? 'boats' : 'avocado-stories'
    const listed = { id, name: 'Mine', siteName: 'Mine', previewUrl: 'https://boats.example' }
    t.match((await inject({ url: '/sites' })).json(), { sites: [listed] }, siteId)
    await inject({ method: 'DELETE', url: '/sites?key=dev' })
    t.same((await inject({ url: '/sites' })).json(), { sites: [] }, 'until it is removed')
  }
})

t.test('a removal deletes sites that contain the text, and nothing without one', (t) =>
  oneWayIn(t, setting, async (t, ask) => {
    const fill = async () => {
      for (const [siteId, session, port] of [
        ['acme', 'dev', 3001],
        ['acme', 'x', 3002],
        ['zoo', 'dev', 3001],
        ['default', 'dev', 3009],
      ] as const) {
        await ask(register({ siteId, session, port, name: 'Any' }))
      }
    }
    const remove = async (query: string) => (await ask({ method: 'DELETE', url: `/sites${query}` })).json()
    await fill()
    for (const query of ['', '?key=', '?filter=', '?key=&filter=', '?key=nothing', '?filter=:9999']) {
      t.same(await remove(query), { removed: [], remaining: 4 }, query)
    }
    t.same(await remove('?filter=:3001'), { removed: ['acme::dev', 'zoo::dev'], remaining: 2 })
    await fill()
    t.same(
      await remove('?key=acme&filter=:3009'),
      { removed: ['acme::dev', 'acme::x'], remaining: 2 },
      'key first',
    )
    await fill()
    t.same(await remove('?key=::'), { removed: ['acme::dev', 'acme::x', 'zoo::dev'], remaining: 1 })
    t.same(await remove('?key=dev'), { removed: ['dev'], remaining: 0 })
    t.same((await ask({ url: '/sites' })).json(), { sites: [] })
  }),
)

t.test('sites and sessions per site are limited', async (t) => {
  const mounted = mountForTest(t, setting({ options: { maxSites: 3, maxSessions: 2 } }))
  const add = async (siteId: string, session = 'dev') =>
    (await mounted.inject(register({ siteId, session, name: 'Any' }))).json()
  for (const siteId of ['default', 'a', 'b', 'c'])
    t.match(await add(siteId), { status: 'registered' }, siteId)
  t.match(await add('d'), { code: 'too_many_sites', reason: /maxSites/ })
  t.match(await mounted.inject(register({ siteId: 'd', name: 'Any' })), { status: 429 })
  t.match(await add('a'), { status: 'unchanged' }, 'a known site does not count again')
  t.match(await add('a', 'second'), { status: 'registered' })
  t.match(await add('a', 'third'), { code: 'too_many_sessions', reason: /maxSessions/ })
  t.match(await add('default', 'second'), { status: 'registered' }, 'the default site is not counted')
  await mounted.inject({ method: 'DELETE', url: '/sites?key=b::' })
  t.match(await add('d'), { status: 'registered' })
  await t.rejects(mountForTest(t, setting({ options: { maxSites: 0 } })).ready(), {
    message: /sites: option 'maxSites'/,
  })
})

t.test('a registration is limited in bytes, with all that earlier requests have stored', async (t) => {
  const stored = { name: 'Any', purpose: 'ü'.repeat(50) }
  const maxRegistrationBytes = Buffer.byteLength(JSON.stringify(stored))
  const mounted = mountForTest(t, setting({ options: { maxRegistrationBytes } }))
  const add = async (json: object) => (await mounted.inject(register({ siteId: 'a', ...json }))).json()
  t.match(await add(stored), { status: 'registered' })
  t.match(await add(stored), { status: 'unchanged' })
  const reason = new RegExp(`${maxRegistrationBytes} bytes.*maxRegistrationBytes`)
  const more = { name: 'Any', config: { logo: '/' } }
  for (const json of [{ ...stored, name: 'Any!' }, more])
    t.match(await add(json), { code: 'registration_too_large', reason })
  t.match(await add({ name: 'Any', purpose: 'short', config: { logo: '/' } }), { status: 'registered' })
})

t.test('the service describes a site to other plugins, registered or not', async (t) => {
  const known = async (options: SitesOptions, seeds: readonly Seed[] = []) => {
    const mounted = mountForTest(t, setting({ options, seeds }))
    return { mounted, known: await mounted.get(sites) }
  }
  const own = { siteId: 'avocado-stories', session: 'dev' }
  const other = { siteId: 'acme', session: 'dev' }

  const bakery = { siteName: 'Bakery', demoContent: true }
  for (const [options, id, expected] of [
    [{}, own, { siteName: 'Avocado Stories', demoContent: false }],
    [bakery, own, bakery],
    [bakery, other, { siteName: 'Acme', demoContent: false }],
  ] as const)
    t.same(await (await known(options)).known.about(id), { id: id.siteId, ...expected })
  const hosted = await known({ siteName: 'Bakery' }, [
    give(hostSite, { siteName: 'Mill', demoContent: true }),
  ])
  t.same(await hosted.known.about(own), { id: 'avocado-stories', siteName: 'Mill', demoContent: true })

  const { mounted, known: service } = await known({})
  t.same(await service.registered(other), {})
  t.equal(await service.previewUrl(other), undefined)
  await mounted.inject(register({ siteId: 'acme', session: 'a', name: 'Acme & Sons' }))
  await mounted.inject(register({ siteId: 'acme', session: 'b', name: 'Acme & Sons', port: 3001 }))
  t.equal(await service.previewUrl(other), 'http://localhost:3001', 'from any session of the site')
  await mounted.inject(register({ siteId: 'acme', name: 'Acme & Sons', previewUrl: 'https://acme.example' }))
  t.equal(await service.previewUrl(other), 'https://acme.example', 'but from its own first')
  t.match(await service.about({ siteId: 'acme', session: 'unseen' }), { siteName: 'Acme & Sons' })
})

t.test(
  'a host that shows drafts of its site names their addresses before those that are registered',
  async (t) => {
    const addressOf = (session = 'published') => `http://${session}.localhost:4200`
    const host = give(hostSite, { demoContent: false, addressOf })
    const mounted = await mountForTest(t, setting({ seeds: [host] }))
    const own = 'avocado-stories'
    await mounted.inject(register({ siteId: own, name: 'Boats', previewUrl: 'http://localhost:3000' }))
    await mounted.inject(register({ siteId: 'acme', name: 'Acme', previewUrl: 'http://localhost:3001' }))
    t.match((await mounted.inject({ url: '/sites?session=spring' })).json(), {
      sites: [
        {
          id: own,
          previewUrl: 'http://spring.localhost:4200',
          publishedUrl: 'http://published.localhost:4200',
        },
        { id: 'acme', previewUrl: 'http://localhost:3001', publishedUrl: undefined },
      ],
    })
    const service = await mounted.get(sites)
    t.equal(await service.previewUrl({ siteId: own, session: 'a' }), 'http://a.localhost:4200')
    t.equal(await service.previewUrl({ siteId: 'acme', session: 'a' }), 'http://localhost:3001')
  },
)
