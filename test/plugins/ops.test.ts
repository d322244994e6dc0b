import t from 'tap'
import * as v from 'valibot'
import { use } from '../../kernel/index.ts'
import { everyWayIn, oneWayIn, mountForTest, stillClock, type Ask } from '../../kernel/testing.ts'
import { createRegistry } from '../../plugins/content/registry.ts'
import demo from '../../plugins/demo/index.ts'
import { readManifest } from '../../plugins/draft/port.ts'
import { createMemoryStore, storeUnavailable } from '../../plugins/store/testing.ts'
import type { Store } from '../../plugins/store/port.ts'
import { pageOf, teamWall } from '../helpers/content.ts'
import { startSite } from '../helpers/upstream.ts'
import { until } from '../helpers/until.ts'
import {
  bodyOf,
  draftsInMemory,
  editor,
  refused,
  statusOf,
  textBlock,
  versionIn,
  type SmallOptions,
} from '../helpers/stack.ts'
import { emptyList } from '../helpers/plain.ts'

const startPages = [
  pageOf('/', [textBlock('b_1', 'Hello'), textBlock('b_2', 'World')]),
  pageOf('/about', [textBlock('b_3', 'About')]),
]
const setBody = (body: string, blockId = 'b_1', pageSlug = '/') => ({
  op: 'update_props',
  pageSlug,
  blockId,
  patch: { body },
})

async function open(t: Parameters<typeof mountForTest>[0], options: SmallOptions = {}) {
  const mounted = mountForTest(t, draftsInMemory(options))
  const ask: Ask = (request) => mounted.inject(request)
  const client = editor(ask)
  await client.bootstrap(startPages)
  return { ask, ...client }
}

t.test('an applied batch returns everything that clients read', (t) =>
  everyWayIn(t, draftsInMemory, async (t, ask) => {
    const { bootstrap, ops, slugs, get } = editor(ask)
    await bootstrap(startPages)
    const answer = await ops([
      setBody('Hi'),
      setBody('World', 'b_2'),
      { op: 'add_block', pageSlug: '/about', block: textBlock('b_new', 'New'), afterBlockId: 'b_3' },
    ])
    t.equal(answer.status, 200)
    t.strictSame(answer.json(), {
      status: 'applied',
      summary: 'Changes applied.',
      changes: ['Rich text on page "Home": Body changed to "Hi"', 'Rich text added to page "about"'],
      mentionedSlugs: ['/', '/about'],
      previewVersion: 2,
      focusBlockId: 'b_new',
      appliedCount: 2,
      skippedOps: [
        { index: 2, op: 'update_props', reason: 'unchanged_value', pageSlug: '/', blockId: 'b_2' },
      ],
      fuzzyMatches: [],
      notes: [],
    })
    const copy = { op: 'duplicate_page', pageSlug: '/about', newPageSlug: '/team', newTitle: 'Team' }
    t.match(await bodyOf(ops([copy])), {
      mentionedSlugs: ['/team'],
      updatedSlug: '/team',
      duplicatedPages: [{ slug: '/team', blockIdMap: { b_3: 'b_3_copy', b_new: 'b_new_copy' } }],
    })
    t.match(await bodyOf(ops([{ op: 'remove_page', pageSlug: '/about' }])), {
      changes: ['Page "about" deleted'],
      updatedSlug: '/',
      mentionedSlugs: ['/'],
      previewVersion: 4,
    })
    t.same(await slugs(), ['/', '/team'])
    const log = await bodyOf(get('/history/log'))
    const renaming = { op: 'update_site_config', patch: { name: 'Acme', navLabels: { '/team': 'People' } } }
    t.match(await bodyOf(ops([renaming])), {
      changes: ['Name of the site changed to "Acme"', 'Names in the menu changed'],
    })
    t.match(log, {
      currentVersion: 4,
      entries: [
        { version: 1 },
        {
          version: 2,
          slug: '/',
          opTypes: ['update_props', 'add_block'],
          opCount: 3,
          source: 'direct',
          channel: 'api',
          slugs: ['/', '/about'],
          summary: /Body changed to "Hi", and 1 more change/,
          actor: { kind: 'person' },
        },
        { version: 3, slug: '/team', slugs: ['/team'] },
        { version: 4, slug: '/', opTypes: ['remove_page'], slugs: emptyList },
      ],
    })
  }),
)

t.test('checks run in a fixed order', (t) =>
  oneWayIn(
    t,
    () => draftsInMemory({ ops: { maxOperations: 3 } }),
    async (t, ask) => {
      const { bootstrap, send, version, page } = editor(ask)
      await bootstrap(startPages)
      const before = JSON.stringify([await version(), await page('/')])
      const good = [setBody('x')]
      const structural = [{ op: 'remove_block', pageSlug: '/', blockId: 'b_1' }]
      const noEdits = { allowStructuralEdits: false, manifestStatus: 'ready', checkedAt: 'now' }
      const tooDeep = '['.repeat(70) + ']'.repeat(70)
      const proto = '{"version":1,"blocks":[],"__proto__":{}}'
      const added = (pageSlug: string) => ({ op: 'add_block', pageSlug, block: textBlock('b_new', 'x') })
      /** What is wrong, the error, the body, and the code if it is not `schema_violation`. */
      const rows: readonly (readonly [what: string, error: RegExp, body: object, code?: string])[] = [
        ['a session that is not a string', /'session'/, { session: 7, ops: good }, 'invalid_request'],
        ['a site that is not a string', /'siteId'/, { siteId: 7, ops: good }, 'invalid_request'],
        ['no operations', /^ops is required/, { ops: undefined, componentsManifest: null }],
        ['null', /^ops: wanted a list/, { ops: null }],
        ['an empty list', /at least one operation/, { ops: [], componentsManifest: null }],
        ['too many', /at most 3/, { ops: [...good, ...good, ...good, {}] }, 'too_many_operations'],
        ['no operation at all', /^ops\[1\]/, { ops: [...good, 7], componentsManifest: null }],
        ['an unknown name', /^ops\[0\]\.op: wanted one of create_page, /, { ops: [{ op: 'explode' }] }],
        ['no manifest', /^componentsManifest/, { ops: good, componentsManifest: null, siteCapabilities: 7 }],
        ['a manifest without JSON', /not JSON/, { ops: good, componentsManifest: '{' }],
        ['a manifest that reaches a prototype', /'__proto__'/, { ops: good, componentsManifest: proto }],
        ['a manifest too deep', /deeper than 64/, { ops: good, componentsManifest: tooDeep }],
        ['capabilities of null', /^siteCapabilities/, { ops: structural, siteCapabilities: null }],
        [
          'capabilities with a string',
          /^siteCapabilities\.manifestStatus/,
          { ops: structural, siteCapabilities: { ...noEdits, manifestStatus: 'fine' } },
        ],
        [
          'the version is checked before the structure',
          /version 1/,
          { ops: structural, siteCapabilities: noEdits, baseVersion: 7 },
          'version_mismatch',
        ],
        [
          'a structural operation',
          /remove_block changes the structure/,
          { ops: structural, siteCapabilities: JSON.stringify(noEdits) },
          'operation_failed',
        ],
        [
          'no such page',
          /ops\[1\].*\/gone/,
          { ops: [setBody('x'), setBody('x', 'b_1', '/gone')] },
          'not_found',
        ],
        ['an unknown prop', /unheard/, { ops: [{ ...setBody(''), patch: { unheard: 1 } }] }],
        ['nothing new', /nothing would change/, { ops: [setBody('Hello')] }, 'no_effective_change'],
        ['a block added twice', /added twice/, { ops: ['/', '/about'].map(added) }],
      ]
      const statuses: Readonly<Record<string, number>> = { too_many_operations: 413, version_mismatch: 409 }
      for (const [what, error, body, code = 'schema_violation'] of rows) {
        const answer = await send('/ops', body)
        const status = statuses[code] ?? (what === 'no such page' ? 404 : 400)
        t.match(refused(answer), { status, code, error, reason: error }, what)
        t.equal(refused(answer).error, refused(answer).reason, `${what}: clients print error`)
        if (['schema_violation', 'not_found', 'operation_failed', 'no_effective_change'].includes(code))
          t.match(answer.json(), { errorCode: code }, `${what}: the error category of the operation`)
      }
      t.equal(JSON.stringify([await version(), await page('/')]), before, 'nothing refused is stored')
    },
  ),
)

t.test('an operation that leaves the draft as it is makes no version and no line', async (t) => {
  const { send, ops, get, version, page } = await open(t)
  const list = {
    id: 'b_list',
    type: 'FAQAccordion',
    props: {
      items: [
        { q: 'A', a: 'B' },
        { q: 'C', a: 'D' },
      ],
    },
  }
  await ops([{ op: 'create_page', page: pageOf('/team', [list]) }])
  const row = { pageSlug: '/team', blockId: 'b_list', listKey: 'items' }
  const patch = { name: 'Acme', navLabels: { '/about': 'About' } }
  await ops([{ op: 'update_site_config', patch }])
  const state = async () =>
    JSON.stringify([await version(), await bodyOf(get('/history/log')), await page('/')])
  const before = await state()
  for (const same of [
    [{ op: 'move_block', pageSlug: '/', blockId: 'b_1' }],
    [{ op: 'move_block', pageSlug: '/', blockId: 'b_2', afterBlockId: 'b_1' }],
    [{ op: 'move_page', pageSlug: '/about' }],
    [{ op: 'move_page', pageSlug: '/team', afterPageSlug: '/about' }],
    [{ op: 'update_item', ...row, index: 0, patch: { q: 'A' } }],
    [{ op: 'move_item', ...row, index: 0 }],
    [{ op: 'move_item', ...row, index: 1, afterIndex: 0 }],
    [{ op: 'update_site_config', patch }],
    [{ op: 'update_site_config', patch: {} }],
    [{ op: 'update_site_config', patch: { navGroups: {} } }],
    [
      { op: 'rename_page', pageSlug: '/about', newPageSlug: '/us' },
      { op: 'rename_page', pageSlug: '/us', newPageSlug: '/about', newTitle: 'about' },
    ],
    [setBody('Else'), setBody('Hello')],
  ]) {
    const what = JSON.stringify(same)
    const answer = await ops(same)
    t.equal(answer.status, 200, what)
    t.match(answer.json(), {
      status: 'applied',
      changes: emptyList,
      previewVersion: 3,
      appliedCount: same.length,
      mentionedSlugs: Array,
      notes: emptyList,
    })
    t.equal(await state(), before, what)
  }
  const saved = await send('/draft/site-config', { config: { name: 'Acme' } }, {}, 'PUT')
  t.match(saved.json(), { status: 'ok', config: patch })
  t.equal(await state(), before, 'nor does a patch of the site config')
  t.match(await bodyOf(ops([setBody('Hello', 'b_1'), { op: 'move_block', pageSlug: '/', blockId: 'b_2' }])), {
    changes: ['Rich text moved on page "Home"'],
    previewVersion: 4,
    skippedOps: [{ index: 1 }],
  })
  const about = await bodyOf(get('/history/status', { slug: '/about' }))
  t.strictSame(about, { canUndo: false, canRedo: false }, 'nor an undo of nothing')
})

t.test('the first error includes an example that is accepted unchanged', (t) =>
  oneWayIn(t, draftsInMemory, async (t, ask) => {
    const post = (json: object) => ask({ method: 'POST', url: '/ops', json })
    for (const [at, body] of [
      {},
      { ops: [] },
      { ops: [{ op: 'create_page' }], siteId: 'Acme!', session: ' mine ' },
      { ops: 'x', session: 'fresh' },
    ].entries()) {
      const answer = await post(body)
      t.match(answer.json(), {
        error: String,
        reason: String,
        details: [{ path: /^ops/, message: String }],
        example: { session: String, siteId: String, ops: [{ op: 'create_page' }] },
      })
      const { example } = v.parse(
        v.looseObject({ example: v.record(v.string(), v.unknown()) }),
        answer.json(),
      )
      if (at === 1) continue
      const applied = await post(example)
      t.same([applied.status, versionIn(applied)], [200, 1], JSON.stringify(body))
    }
    const mine = editor(ask, { session: 'mine', siteId: 'acme' })
    t.same(await mine.slugs(), ['/hello'], 'in the requested draft')
  }),
)

t.test('two hundred operations are accepted, and one more is refused', async (t) => {
  const { ops, page, version } = await open(t)
  const many = (count: number) => Array.from({ length: count }, (_, at) => setBody(`Step ${at}`))
  t.match(refused(await ops(many(201))), { status: 413, code: 'too_many_operations', error: /at most 200/ })
  t.match(await bodyOf(ops(many(200))), { previewVersion: 2, appliedCount: 200 })
  t.same([(await page('/')).blocks[0]?.props['body'], await version()], ['Step 199', 2])
})

t.test('a site may send block types, as an object or as text, and capabilities', async (t) => {
  const { send } = await open(t)
  const manifest = { version: 1, blocks: [teamWall] }
  const wall = { type: 'TeamWall', props: { title: 'Team', rows: [] } }
  const add = (id: string) => [{ op: 'add_block', pageSlug: '/', block: { id, ...wall } }]
  t.match(refused(await send('/ops', { ops: add('b_w1') })), { status: 400, error: /TeamWall/ })
  for (const [id, componentsManifest] of Object.entries({ b_w1: manifest, b_w2: JSON.stringify(manifest) }))
    t.equal(await statusOf(send('/ops', { ops: add(id), componentsManifest })), 200)
  const patch = { title: 'People', office: { ref: 'hq' } }
  const ops = [{ op: 'update_props', pageSlug: '/', blockId: 'b_w1', patch }]
  t.match(await bodyOf(send('/ops', { ops, componentsManifest: manifest })), {
    notes: [/office/],
    message: /office/,
  })

  const status = (ops: readonly object[], more: object) => statusOf(send('/ops', { ops, ...more }))
  const about = { manifestStatus: 'ready', checkedAt: 'now', manifestVersion: 1, blockCount: 0, reason: 'r' }
  const allowed = { siteCapabilities: { ...about, allowStructuralEdits: true } }
  const remove = (blockId: string) => [{ op: 'remove_block', pageSlug: '/', blockId }]
  t.equal(await status(remove('b_1'), { ...allowed, componentsManifest: '' }), 200)
  t.equal(await status(remove('b_2'), { siteCapabilities: '' }), 200, 'a blank value counts as absent')
  const siteCapabilities = { ...about, allowStructuralEdits: false, manifestStatus: 'degraded' }
  t.equal(await status(add('b_w3'), { siteCapabilities, componentsManifest: manifest }), 400)
  const create = [{ op: 'create_page', page: { slug: '/still' } }]
  t.equal(await status(create, { siteCapabilities }), 200, 'page operations are not restricted')
})

t.test('without block types in the request, those of the registered website count', async (t) => {
  const declared = { version: 1, blocks: [teamWall] }
  let status = 200
  const site = await startSite(t, (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(declared))
  })
  const clock = { at: Date.parse('2026-01-01T12:00:00Z'), now: () => new Date(clock.at) }
  const { send, get } = await open(t, { clock })
  const add = (id: string) => ({
    ops: [
      { op: 'add_block', pageSlug: '/', block: { id, type: 'TeamWall', props: { title: 'Us', rows: [] } } },
    ],
  })
  t.match(refused(await send('/ops', add('b_w1'))), { status: 400, error: /TeamWall/ })
  const previewUrl = `${site.origin}/home`
  t.equal(await statusOf(send('/sites/register', { name: 'Acme', previewUrl })), 200)
  for (const id of ['b_w1', 'b_w2']) t.equal(await statusOf(send('/ops', add(id))), 200)
  t.strictSame(
    site.seen.map(({ url }) => url),
    ['/api/editor/blocks'],
    'an answer is kept for 10 s',
  )
  t.match(await bodyOf(get('/sites/blocks')), declared)
  t.equal(site.seen.length, 2, 'an editor that starts gets the newest')
  t.match(refused(await send('/ops', { ops: [setBody('Hi')] })), { reason: /does not declare|not declared/ })
  const componentsManifest = { version: 1, blocks: [{ type: 'RichText', propsSchema: { type: 'object' } }] }
  t.equal(await statusOf(send('/ops', { ...add('b_w3'), componentsManifest })), 400, 'what is sent counts')
  const asked = async (answer: number, id: string) => {
    const before = site.seen.length
    status = answer
    clock.at += 10_000
    t.equal(await statusOf(send('/ops', add(id))), 200, 'a request does not wait while the website is asked')
    await until(() => site.seen.length > before, 'the website was asked')
  }
  await asked(500, 'b_w3')
  await asked(404, 'b_w4')
  let tries = 0
  const isRefused = async () => (await send('/ops', add(`b_n${tries++}`))).text.includes('TeamWall')
  await until(isRefused, 'nothing is declared any more')
})

t.test(
  'a row of a polymorphic list needs its discriminator, and the refusal names the allowed values',
  async (t) => {
    const { send, version } = await open(t)
    const componentsManifest = { version: 1, blocks: [teamWall] }
    const post = (ops: readonly object[]) => send('/ops', { ops, componentsManifest })
    const block = { id: 'b_w1', type: 'TeamWall', props: { title: 'Team', rows: [] } }
    t.equal(await statusOf(post([{ op: 'add_block', pageSlug: '/', block }])), 200)
    const add = (item: object) =>
      post([{ op: 'add_item', pageSlug: '/', blockId: 'b_w1', listKey: 'rows', item }])
    const before = await version()
    const answer = await add({ name: 'Ada' })
    const reason = /needs kind: one of person, note/
    t.match(refused(answer), { status: 400, code: 'schema_violation', reason })
    t.equal(await version(), before, 'nothing was written')
    t.equal(await statusOf(add({ kind: 'person', name: 'Ada' })), 200)
    t.equal(await statusOf(add({ kind: 'robot', name: 'R2' })), 200, 'an undeclared branch is accepted')
  },
)

t.test('fields that a client may not set are dropped or overwritten', async (t) => {
  const clock = stillClock()
  const { ops, send, page, get } = await open(t, { clock })
  const now = '2026-01-01T12:00:00.000Z'
  const created = { slug: '/x', id: 'mine', updatedAt: '2099-01-01T00:00:00.000Z', theme: 'kept' }
  await ops([{ op: 'create_page', page: created, actor: { kind: 'system' }, previewVersion: 99 }])
  t.match(await page('/x'), { updatedAt: now, theme: 'kept' })
  const forged = { source: 'chat', summary: 'Forged', requestId: 'forged', previewVersion: 99, at: 'never' }
  const extra = { ops: [setBody('x')], actor: { kind: 'agent' }, channel: 'chat', ...forged }
  const answer = await send('/ops', extra)
  t.notOk(answer.text.includes('orged'))
  const own = { version: 3, source: 'direct', channel: 'api', actor: { kind: 'person' }, at: now }
  const entries = [{ ...own, summary: /^Rich text on page "Home": Body changed to/ }]
  t.match(await bodyOf(get('/history/log', { limit: '1' })), { entries })
})

t.test('in a public demo the playground restricts operations', async (t) => {
  const mounted = mountForTest(
    t,
    draftsInMemory({ plugins: [use(demo)], env: { DEMO_MODE: '1' }, sites: { demoContent: true } }),
  )
  const { ops } = editor((request) => mounted.inject(request))
  const update = (blockId: string, patch: object) => ({ op: 'update_props', pageSlug: '/', blockId, patch })
  const refusal = { status: 400, code: 'planner_refusal', error: /demo/ }
  t.match(refused(await ops([{ op: 'remove_page', pageSlug: '/faq' }])), refusal)
  t.match(refused(await ops([update('b_cta_home', { title: 'x' })])), refusal)
  t.equal(await statusOf(ops([update('b_hero_home', { heading: 'Hi' })])), 200)
})

t.test(
  'while the store cannot write, changes are refused, reads continue, and memory keeps no partial change',
  async (t) => {
    const sound = createMemoryStore()
    let broken: 'no' | 'before' | 'after' = 'no'
    const store: Store = {
      ...sound,
      transaction: (run) =>
        sound.transaction(async (tx) => {
          if (broken === 'before') throw storeUnavailable('The disk is full.')
          const result = await run(tx)
          if (broken === 'after') throw storeUnavailable('The disk is full.')
          return result
        }),
    }
    const { ops, page, version, get, slugs } = await open(t, { store })
    await ops([setBody('Stored')])
    for (broken of ['before', 'after'] as const) {
      const batch = [
        setBody('Lost'),
        { op: 'create_page', page: { slug: '/lost' } },
        { op: 'move_page', pageSlug: '/lost' },
      ]
      const refusal = refused(await ops(batch, { 'idempotency-key': 'k' }))
      t.match(refusal, { status: 503, code: 'store_unavailable' }, broken)
      t.match(await page('/'), { blocks: [{ props: { body: 'Stored' } }, {}] })
      t.same([await version(), await slugs()], [2, ['/', '/about']])
      t.match(await bodyOf(get('/history/log')), { currentVersion: 2 })
    }
    broken = 'no'
    const again = ops([setBody('Again'), { op: 'create_page', page: { slug: '/kept' } }], {
      'idempotency-key': 'k',
    })
    t.match(await bodyOf(again), { status: 'applied', previewVersion: 3 }, 'it recovers without a restart')
    t.same([(await page('/')).blocks[0]?.props['body'], await slugs()], ['Again', ['/', '/about', '/kept']])
  },
)

t.test(
  'the block types that a site sends with every request are parsed once, and again when they change',
  (t) => {
    const registry = createRegistry()
    const propsSchema = { type: 'object', properties: { amount: { type: 'string' } } }
    const declared = (displayName: string) => ({
      version: 1,
      blocks: [{ type: 'Price', displayName, propsSchema }],
    })
    const first = readManifest(declared('Price'), registry)
    t.equal(readManifest(structuredClone(declared('Price')), registry), first)
    t.equal(readManifest(JSON.stringify(declared('Price')), registry), first, 'as an object or as text')
    t.equal(readManifest(declared('Fee'), registry)?.get('Price')?.displayName, 'Fee')
    t.throws(() => readManifest({ ...declared('Price'), blocks: 7 }, registry), { code: 'schema_violation' })
    const meta = { displayName: 'Own', description: 'What it costs' }
    registry.register({ type: 'Price', propsSchema: {}, meta })
    t.match(readManifest(declared('Price'), registry)?.get('Price'), { description: meta.description })
    t.end()
  },
)
