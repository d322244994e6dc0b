import t from 'tap'
import * as v from 'valibot'
import { stillClock } from '../../kernel/testing.ts'
import { changes } from '../../plugins/draft/testing.ts'
import { draftKey } from '../../plugins/scope/port.ts'
import { drafts as draftsRef } from '../../plugins/draft/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { pageOf } from '../helpers/content.ts'
import {
  bodyOf,
  editor,
  openDrafts,
  refused,
  statusOf,
  storedBytes,
  textBlock,
  versionIn,
} from '../helpers/stack.ts'

type Headers = Readonly<Record<string, string>>

/** The commit of the first snapshot. */
async function firstCommit({ get }: Pick<ReturnType<typeof openDrafts>, 'get'>): Promise<string | undefined> {
  const Snapshots = v.object({ snapshots: v.array(v.looseObject({ commit: v.string() })) })
  return v.parse(Snapshots, await bodyOf(get('/restore/snapshots'))).snapshots[0]?.commit
}

const create = (slug: string) => ({ op: 'create_page', page: { slug } })

// Versions and keys ------------------------------------------------------------------------------------------------

t.test('a request that states a version is refused when the draft has another one', async (t) => {
  const { get, send, bootstrap, retitle, undo, version, page } = openDrafts(t)
  await bootstrap([pageOf('/'), pageOf('/a', [textBlock('b_1', 'x')])])
  await send('/publish')
  await retitle('/', 'Two')
  await retitle('/', 'Three')
  await undo('/')
  const before = [await version(), await page('/')]
  t.equal(before[0], 4)
  const rename = { ops: [{ op: 'rename_page', pageSlug: '/', newTitle: 'Late' }] }
  const ways: readonly [method: string, path: string, body: object][] = [
    ['POST', '/ops', rename],
    ['PUT', '/draft/site-config', { config: { name: 'Late' } }],
    ['POST', '/draft/bootstrap', { pages: [pageOf('/', [], { title: 'Late' })], overwrite: true }],
    ['POST', '/history/undo', { slug: '/' }],
    ['POST', '/history/redo', { slug: '/' }],
    ['POST', '/history/restore', { targetVersion: 1 }],
    ['POST', '/history/discard', { slug: '/' }],
    ['POST', '/restore/snapshot', { commit: await firstCommit({ get }) }],
  ]
  for (const [method, path, body] of ways) {
    const mismatch = { status: 409, code: 'version_mismatch', currentVersion: 4, error: /version 4/ }
    const unreadable = { status: 400, code: 'bad_request', error: /If-Match/ }
    const forms = ['4', 'W/"4"', '"4", "5"', '""', '"-4"', '"4.0"', '"x"', 'x', '"1234567890123456"', '** ']
    const rows: readonly (readonly [expected: object, stated: object, headers: Headers])[] = [
      ...['"3"', '"5"', '"999999999999999"'].map((form) => [mismatch, {}, { 'if-match': form }] as const),
      [mismatch, { baseVersion: 3 }, {}],
      [mismatch, { baseVersion: 5 }, { 'if-match': '*' }],
      ...forms.map((form) => [unreadable, {}, { 'if-match': form }] as const),
      [unreadable, { baseVersion: 3 }, { 'if-match': '"4"' }],
      ...['4', -1, 4.5, null].map((baseVersion) => [{ status: 400 }, { baseVersion }, {}] as const),
    ]
    for (const [expected, stated, headers] of rows) {
      const answer = await send(path, { ...body, ...stated }, headers, method)
      t.match(refused(answer), expected, `${path} ${JSON.stringify({ ...stated, ...headers })}`)
    }
  }
  t.same([await version(), await page('/')], before, 'none of these was written')

  for (const [at, headers, more] of [
    [4, { 'if-match': '"4"' }, {}],
    [5, {}, { baseVersion: 5 }],
    [6, { 'if-match': '*' }, {}],
    [7, { 'if-match': ' "7" ' }, { baseVersion: 7 }],
    [8, {}, {}],
  ] as const) {
    const ops = [{ op: 'rename_page', pageSlug: '/', newTitle: `At ${at}` }]
    t.equal(versionIn(await send('/ops', { ops, ...more }, headers)), at + 1)
  }
})

t.test('of many concurrent requests with the same version one is accepted', async (t) => {
  const { bootstrap, retitle, version } = openDrafts(t)
  await bootstrap([pageOf('/')])
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => retitle('/', `Title ${at}`, { 'if-match': '"1"' })),
  )
  t.same(answers.map(({ status }) => status).toSorted(), [200, ...Array<number>(19).fill(409)])
  for (const answer of answers.filter(({ status }) => status === 409))
    t.match(answer.json(), { currentVersion: 2 })
  t.equal(await version(), 2)
})

t.test('a repeated request with the same idempotency key returns the stored response', async (t) => {
  const clock = stillClock()
  const store = createMemoryStore()
  const first = openDrafts(t, { clock, store })
  await first.bootstrap([pageOf('/'), pageOf('/a', [textBlock('b_1', 'x')])])
  await first.send('/publish')
  await first.retitle('/', 'Two')
  const commit = await firstCommit(first)
  const bring = (session: string, page: object) => ({ pages: [page], session })
  const fresh = { ...bring('fresh', pageOf('/', [], { title: 'Site' })), overwrite: true }
  const rows: readonly [path: string, body: object, another?: object][] = [
    ['/ops', { ops: [create('/only')] }],
    ['/history/discard', { slug: '/only' }],
    ['/draft/site-config', { config: { name: 'Once' } }],
    ['/history/undo', { slug: '/' }],
    ['/history/redo', { slug: '/' }],
    ['/history/restore', { targetVersion: 1 }],
    ['/restore/snapshot', { commit }],
    ['/draft/bootstrap', { ...bring('dev', pageOf('/x')), overwrite: true }],
    ['/draft/bootstrap', fresh, { pages: [], session: 'fresh' }],
    ['/draft/bootstrap', bring('fresher', pageOf('/')), bring('fresher', pageOf('/x'))],
  ]
  for (const [at, [path, body, another]] of rows.entries()) {
    const method = path === '/draft/site-config' ? 'PUT' : 'POST'
    const key = { 'idempotency-key': `key-${at}` }
    const answer = await first.send(path, body, key, method)
    t.equal(answer.status, 200, `${path} ${answer.text}`)
    if (at === 7) t.match(answer.json(), { reason: 'recently_restored' }, 'a skipped one stays skipped')
    const version = await first.version()
    const elsewhere = openDrafts(t, { clock, store })
    for (const [where, { send }] of [
      ['here', first],
      ['after a restart', elsewhere],
    ] as const) {
      const again = await send(path, body, key, method)
      t.strictSame([again.status, again.json()], [200, answer.json()], `${path} again, ${where}`)
      if (!another) continue
      const reused = { status: 422, code: 'idempotency_key_reused', error: /new key/ }
      t.match(refused(await send(path, another, key, method)), reused, `${path}, ${where}`)
    }
    t.equal(await elsewhere.version(), version, `${path} was done once`)
  }
  const key = { 'idempotency-key': 'key-0' }
  t.match(refused(await first.retitle('/', 'Other', key)), { status: 422 }, 'another body')
  t.match(refused(await first.config({ name: 'x' }, key)), { status: 422 }, 'another route')
  const second = first.as({ session: 'second', siteId: 'acme' })
  t.equal(await statusOf(second.ops([create('/only')], key)), 200, 'keys are separate for each draft')

  clock.advance(24 * 60 * 60_000 - 1)
  t.match(refused(await first.retitle('/', 'Other', key)), { status: 422 }, 'before a day has passed')
  clock.advance(1)
  t.equal(await statusOf(first.retitle('/', 'Other', key)), 200, 'after a day the key is free')
})

t.test('an idempotency key is stored for applied requests only, and is validated', async (t) => {
  const { send, bootstrap, retitle, version, ops } = openDrafts(t)
  await bootstrap([pageOf('/')])
  const key = { 'idempotency-key': 'k' }
  t.equal(await statusOf(ops([{ op: 'remove_page', pageSlug: '/gone' }], key)), 404)
  t.equal(await statusOf(retitle('/', 'Late', { ...key, 'if-match': '"7"' })), 409)
  t.equal(await statusOf(retitle('/', 'Done', key)), 200, 'a refused request leaves the key free')
  const found = await statusOf(retitle('/', 'Done', { ...key, 'if-match': '"7"' }))
  t.equal(found, 200, 'the stored response is found before the version check')

  for (const bad of ['', 'a b', 'x'.repeat(256)]) {
    const refusal = refused(await send('/history/undo', { slug: '/' }, { 'idempotency-key': bad }))
    t.match(refusal, { status: 400, error: /Idempotency-Key/ }, bad.slice(0, 5))
  }
  for (const good of ['!', '~', '"quoted"', 'x'.repeat(255)]) {
    const answer = retitle('/', `With ${good.slice(0, 9)}`, { 'idempotency-key': good })
    t.equal(await statusOf(answer), 200, good.slice(0, 9))
  }
  const before = await version()
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => retitle('/', 'Together', { 'idempotency-key': 'together' })),
  )
  const texts = new Set(answers.map(({ text }) => text))
  t.same([texts.size, answers[0]?.status, await version()], [1, 200, before + 1], 'one change')
})

// Limits -----------------------------------------------------------------------------------------------------------

t.test('every limit accepts its maximum and refuses one more', async (t) => {
  const pagesOf = (count: number) => Array.from({ length: count }, (_, at) => pageOf(`/p${at}`))
  await t.test('pages of a draft', async (t) => {
    const { bootstrap, ops, slugs, version, undo } = openDrafts(t, { draft: { maxPagesPerDraft: 3 } })
    const tooMany = { status: 413, code: 'too_many_pages', error: /3 pages/ }
    t.match(refused(await bootstrap(pagesOf(4))), tooMany)
    const other = openDrafts(t, { draft: { maxPagesPerBootstrap: 3 } })
    t.match(refused(await other.bootstrap(pagesOf(4))), tooMany, 'of one bootstrap')
    t.match(await bodyOf(other.bootstrap(pagesOf(3))), { count: 3 })
    await bootstrap(pagesOf(2))
    t.match(await bodyOf(ops([create('/third')])), { previewVersion: 2 })
    t.match(refused(await ops([create('/fourth')])), { status: 413, code: 'too_many_pages' })
    t.match(refused(await ops([{ op: 'duplicate_page', pageSlug: '/p0' }])), { status: 413 })
    t.equal(await statusOf(ops([{ op: 'remove_page', pageSlug: '/third' }, create('/fourth')])), 200)
    t.same([await slugs(), await version()], [['/p0', '/p1', '/fourth'], 3])
    await ops([{ op: 'remove_page', pageSlug: '/fourth' }])
    await ops([create('/fifth')])
    t.match(refused(await undo('/fourth')), { status: 413 }, 'an undo cannot bypass it')
  })
  await t.test('data prepared by a refused change is not visible to other changes', async (t) => {
    const { bootstrap, ops, page, slugs } = openDrafts(t, { draft: { maxPagesPerDraft: 2 } })
    await bootstrap([pageOf('/', [textBlock('b_1', 'x')]), pageOf('/a')])
    const [over, within] = await Promise.all([
      ops([
        { op: 'update_props', pageSlug: '/', blockId: 'b_1', patch: { body: 'Refused' } },
        { op: 'create_page', page: { slug: '/b' } },
      ]),
      ops([{ op: 'update_page_meta', pageSlug: '/', patch: { title: 'Meta' } }]),
    ])
    t.same([over.status, within.status], [413, 200])
    t.match(await page('/'), { meta: { title: 'Meta' }, blocks: [{ props: { body: 'x' } }] })
    t.same(await slugs(), ['/', '/a'])
  })
  await t.test('bytes of a page', async (t) => {
    const fitting = pageOf('/', [textBlock('b_1', 'ü'.repeat(200))])
    const maxPageBytes = Buffer.byteLength(JSON.stringify(fitting))
    const { bootstrap, ops, page, version } = openDrafts(t, { draft: { maxPageBytes } })
    const answer = await bootstrap([fitting, pageOf('/b', [textBlock('b_2', 'ü'.repeat(400))])])
    t.match(answer.json(), { count: 1, slugs: ['/'], refused: [{ slug: '/b', reason: /larger/ }] })
    const update = (body: string) =>
      ops([{ op: 'update_props', pageSlug: '/', blockId: 'b_1', patch: { body } }])
    t.match(refused(await update(`${'ü'.repeat(200)}!`)), {
      status: 413,
      code: 'page_too_large',
      error: /'\/'/,
    })
    t.equal(await statusOf(update(`${'u'.repeat(400)}`)), 200)
    t.same([(await page('/')).blocks[0]?.props['body'], await version()], ['u'.repeat(400), 2])
  })
  await t.test('bytes of a site config', async (t) => {
    const name = 'ü'.repeat(50)
    const maxConfigBytes = Buffer.byteLength(JSON.stringify({ name }))
    const { config, ops, bootstrap, version } = openDrafts(t, { draft: { maxConfigBytes } })
    const error = new RegExp(`larger than ${maxConfigBytes} bytes.*maxConfigBytes`)
    const tooLarge = { status: 413, code: 'config_too_large', error }
    t.equal(await statusOf(config({ name })), 200)
    const more = [
      config({ name: `${name}!` }),
      config({ logo: '/' }),
      ops([{ op: 'update_site_config', patch: { logo: '/' } }]),
      bootstrap([pageOf('/')], { siteConfig: { logo: '/' }, overwrite: true }),
    ]
    for (const each of more) t.match(refused(await each), tooLarge)
    t.equal(await version(), 1)
    t.equal(await statusOf(config({ name: 'short', logo: '/' })), 200)
  })
  await t.test('bytes of a draft', async (t) => {
    const page = (slug: string, body: string) => pageOf(slug, [textBlock(`b_${slug.slice(1)}`, body)])
    const all = [page('/a', 'ü'.repeat(200)), page('/b', 'x'.repeat(100)), page('/c', '')]
    const maxBytesPerDraft = all.reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each)), 0)
    const { bootstrap, ops, undo, redo, slugs, version } = openDrafts(t, { draft: { maxBytesPerDraft } })
    const error = new RegExp(`larger than ${maxBytesPerDraft} bytes.*maxBytesPerDraft`)
    const tooLarge = { status: 413, code: 'draft_too_large', error }
    t.match(refused(await bootstrap([...all.slice(0, 2), page('/c', 'y')])), tooLarge)
    t.equal(await version(), 0)
    t.match(await bodyOf(bootstrap(all)), { count: 3 })
    const set = (slug: string, body: string) =>
      ops([{ op: 'update_props', pageSlug: slug, blockId: `b_${slug.slice(1)}`, patch: { body } }])
    t.match(refused(await set('/c', 'y')), tooLarge)
    t.match(refused(await ops([{ op: 'create_page', page: { slug: '/d' } }])), tooLarge)
    t.equal(await statusOf(set('/b', 'y'.repeat(100))), 200, 'as large as before')
    t.equal(await statusOf(set('/b', 'y'.repeat(90))), 200, 'smaller')
    const at = await Promise.all([
      set('/c', 'y'.repeat(5)),
      set('/a', `${'ü'.repeat(202)}z`),
      set('/a', `${'ü'.repeat(202)}zz`),
    ])
    t.match(at, [{ status: 200 }, { status: 200 }, { status: 413 }], 'counted one after the other')
    t.match(refused(await undo('/b')), tooLarge, 'an undo cannot bypass it')
    await ops([{ op: 'remove_page', pageSlug: '/a' }])
    t.equal(await statusOf(undo('/b')), 200)
    t.match(refused(await undo('/a')), tooLarge)
    t.equal(await statusOf(redo('/b')), 200)
    t.equal(await statusOf(undo('/a')), 200)
    t.same(await slugs(), ['/a', '/b', '/c'])
  })
  await t.test('a draft over the limit may become smaller', async (t) => {
    const store = createMemoryStore()
    const large = openDrafts(t, { store })
    await large.bootstrap(
      ['/a', '/b', '/c'].map((slug) => pageOf(slug, [textBlock('b_1', 'x'.repeat(1000))])),
    )
    const small = openDrafts(t, { store, draft: { maxBytesPerDraft: 500 } })
    const set = (body: string) =>
      small.ops([{ op: 'update_props', pageSlug: '/a', blockId: 'b_1', patch: { body } }])
    for (const [body, status] of [
      ['x'.repeat(1001), 413],
      ['y'.repeat(1000), 200],
      ['x', 200],
    ] as const)
      t.equal(await statusOf(set(body)), status)
    t.equal(await statusOf(small.ops([{ op: 'remove_page', pageSlug: '/b' }])), 200)
    t.equal(await statusOf(set('xx')), 413)
  })
  await t.test('bytes of the changes that are kept', async (t) => {
    const at = { siteId: 'acme', session: 'dev' }
    const changed = async (most?: number) => {
      const store = createMemoryStore()
      const draft = most === undefined ? {} : { keptChangeBytesPerDraft: most }
      const client = openDrafts(t, { store, draft })
      await client.bootstrap([pageOf('/a'), pageOf('/b')])
      await client.retitle('/a', 'Once')
      for (const title of ['One', 'Two', 'Three']) await client.retitle('/b', title)
      const records = store.of(changes)
      return {
        ...client,
        bytes: storedBytes(await records.list(draftKey(at))),
        kept: (await records.rows(draftKey(at))).map(({ key }) => Number(key)),
      }
    }
    const { bytes, kept } = await changed()
    t.same(kept, [1, 2, 3, 4, 5])
    t.same([(await changed(bytes)).kept, (await changed(bytes - 1)).kept], [kept, kept.slice(1)])

    const newest = await changed(1)
    t.same(newest.kept, [5], 'the newest stays, however large it is')
    const steps = async (slug: string) => (await newest.get('/history/status', { slug })).json()
    t.match([await steps('/a'), await steps('/b')], [{ canUndo: false }, { canUndo: true }])
    const drafts = await newest.mounted.get(draftsRef)
    t.same([await drafts.changesAfter(at, 3), (await drafts.changesAfter(at, 4))?.length], [undefined, 1])
    t.match(await bodyOf(newest.send('/history/restore', { targetVersion: 2 })), { code: 'not_found' })
    t.match(await bodyOf(newest.undo('/b')), { status: 'applied', canUndo: false })
    t.match(await bodyOf(newest.undo('/b')), { code: 'nothing_to_undo' })
    t.equal((await newest.page('/b')).title, 'Two')
  })
  await t.test('one transaction deletes a thousand changes at most', async (t) => {
    const store = createMemoryStore()
    const made = 1_200
    const many = openDrafts(t, { store, draft: { maxChangesPerTransaction: 1_000 } })
    await many.bootstrap([pageOf('/')])
    await Promise.all(Array.from({ length: made }, (_, title) => many.retitle('/', `${title}`)))
    const few = openDrafts(t, { store, draft: { keptChangesPerDraft: 10 } })
    const left = async () => await store.of(changes).count(draftKey({ siteId: 'acme', session: 'dev' }))
    const looks: number[] = []
    for (let at = 0; at < 128; at++) {
      const before = await left()
      await few.retitle('/', `Again ${at}`)
      if ((await left()) <= before) looks.push(before + 1 - (await left()))
    }
    t.ok((looks[0] ?? 0) > 900 && (looks[0] ?? 0) < 1_100, `a thousand at first: ${looks.join()}`)
    t.ok((await left()) < 10 + 64)
  })
  await t.test('sessions of a site', async (t) => {
    const { as } = openDrafts(t, { draft: { maxSessionsPerSite: 2 } })
    const change = (session: string, siteId = 'acme') => as({ session, siteId }).config({ name: 'x' })
    t.same([await statusOf(change('a')), await statusOf(change('b'))], [200, 200])
    t.match(refused(await change('c')), { status: 429, code: 'too_many_sessions', error: /2 sessions/ })
    t.match(refused(await as({ session: 'c', siteId: 'acme' }).bootstrap([pageOf('/')])), { status: 429 })
    t.equal(await statusOf(as({ session: 'c', siteId: 'acme' }).get('/draft/slugs')), 200, 'reading is free')
    t.equal(await statusOf(change('a')), 200, 'known sessions continue')
    t.equal(await statusOf(change('c', 'other')), 200, 'every site is counted separately')
  })
  await t.test('sites with drafts, registered or not', async (t) => {
    const store = createMemoryStore()
    const limited = { draft: { maxSites: 2, maxSessionsPerSite: 3 }, store }
    const first = openDrafts(t, limited)
    const change = ({ as }: typeof first, siteId: string, session = 'a') =>
      as({ session, siteId }).config({ name: 'x' })
    const statuses = await Promise.all(['one', 'two'].map((siteId) => statusOf(change(first, siteId))))
    t.same(statuses, [200, 200])
    const tooMany = { status: 429, code: 'too_many_sites', error: /2 sites.*maxSites/ }
    t.match(refused(await change(first, 'three')), tooMany)
    const three = first.as({ session: 'a', siteId: 'three' })
    t.equal(await statusOf(three.get('/draft/slugs')), 200, 'reading is free')
    for (const session of ['a', 'b'])
      t.equal(await statusOf(change(first, 'one', session)), 200, 'known sites continue')
    t.equal(await statusOf(change(openDrafts(t, limited), 'three')), 429, 'a restart forgets none of them')
  })
})

// Hostile input ----------------------------------------------------------------------------------------------------

t.test('odd slugs, ids and keys break nothing', async (t) => {
  const { ask, bootstrap, version, page } = openDrafts(t)
  await bootstrap([pageOf('/', [textBlock('b_1', 'x')])])
  const before = JSON.stringify([await version(), await page('/')])
  const plain = '/x y|../..|__proto__|constructor|toString|/%00'.split('|')
  const slugs = [...plain, '/a\u0000b', '\u0000', '/\u2028', '/\u{1F600}', '/a\nb', `/${'x'.repeat(5000)}`]
  const oddBlock = { id: '__proto__', type: 'constructor', props: { toString: 1, hasOwnProperty: null } }
  const odd = editor(ask, { siteId: 'acme', session: 'odd' })
  for (const slug of slugs) {
    const name = JSON.stringify(slug).slice(0, 30).replaceAll('\u2028', 'LS')
    const brought = await odd.bootstrap([pageOf(slug, [oddBlock])], { overwrite: true })
    const answers = await Promise.all([
      ...[
        create(slug),
        { op: 'remove_page', pageSlug: slug },
        { op: 'rename_page', pageSlug: slug, newPageSlug: `${slug}x` },
      ].map((op) => odd.ops([op])),
      ...['undo', 'redo', 'discard'].map((way) => odd.send(`/history/${way}`, { slug })),
      ...['/draft/pages', '/history/status', '/history/log'].map((path) => odd.get(path, { slug })),
    ])
    for (const { status, text } of [brought, ...answers]) t.equal(status >= 500 && text, false, name)
  }
  t.equal(Reflect.get({}, 'canary'), undefined)
  t.equal(JSON.stringify([await version(), await page('/')]), before)
})
