import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createSiteEditor } from '../../config/create-site-editor.ts'
import { randomIds } from '../../kernel/index.ts'
import { capturedLog, stillClock } from '../../kernel/testing.ts'
import { createMemoryBlobs } from '../helpers/memory-blobs.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { jsonFilePublishHandler } from '../../plugins/site/publish/index.ts'
import { fields, noon, page, startWebsite, withDraft } from '../helpers/publishing.ts'
import { draftOf, everyKind, fileWith, read } from '../helpers/site-kinds.ts'
import { bodyOf } from '../helpers/stack.ts'
import { until } from '../helpers/until.ts'
import { emptyList } from '../helpers/plain.ts'

const [hero] = page('/').blocks
const text = { id: 'b/text', type: 'RichText', props: { title: 'Text', body: 'Body' } }

/** Blocks that cannot be read. */
const bad: readonly unknown[] = [
  { id: 'b/typeless', type: null, props: { own: 'kept' } },
  7,
  { type: 'Hero', props: 'text', own: { b: 1, a: [null] } },
  7,
  { id: 'b/\u0000', type: 'Hero', props: {} },
  [{ id: 'x' }],
]
const entry = (...blocks: readonly unknown[]) => ({ ...page('/'), blocks })
const whole = entry(bad[0], hero, ...bad.slice(1), text)
const away = { ...whole, id: 'p/away', slug: '/away' }
const site = [whole, page('/last')]

const Stored = v.array(v.looseObject({ slug: v.string(), blocks: v.array(v.unknown()) }))
const Snapshots = v.object({ snapshots: v.array(v.looseObject({ commit: v.string() })) })
const blocksOf = (stored: unknown, slug = '/') =>
  v.parse(Stored, stored).find((each) => each.slug === slug)?.blocks

const edited = { ...hero, props: { ...hero?.props, heading: 'Edited' } }
const patch = { op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { heading: 'Edited' } }

t.test('a block that cannot be read is published as it was, at its place', (t) =>
  everyKind(t, async (t, start) => {
    const { edit, stored } = await start(t, site, site)
    await edit.send('/draft/follow', {})
    t.equal((await edit.ops([patch])).status, 200)
    t.match(fields(await edit.send('/publish', {})), { status: /ready|triggered/ })
    t.strictSame(blocksOf(stored()), whole.blocks.with(1, edited))
    t.match(await bodyOf(edit.get('/publish/diff')), { summary: { pagesModified: 0 }, conflicts: emptyList })
    t.strictSame(v.parse(Stored, stored()).at(-1), page('/last'))

    const move = { op: 'move_block', pageSlug: '/', blockId: 'b/text' }
    t.equal((await edit.ops([move])).status, 200)
    t.match(fields(await edit.send('/publish', {})), { status: /ready|triggered/ })
    t.strictSame(blocksOf(stored()), [text, ...whole.blocks.with(1, edited).slice(0, -1)])
  }),
)

const locks = [
  { blockId: 'b/typeless', reason: 'type is missing or of the wrong type' },
  { blockId: /^b_locked_[0-9a-f]{12}$/, reason: 'the block is missing or of the wrong type' },
  { blockId: /^b_locked_/, reason: 'props is missing or of the wrong type' },
  { blockId: /^b_locked_[0-9a-f]{12}_1$/, reason: 'the block is missing or of the wrong type' },
  { blockId: /^b_locked_/, reason: 'its id holds a character that cannot be stored' },
  { blockId: /^b_locked_/, reason: 'id is missing or of the wrong type' },
].map((each) => ({ slug: '/', ...each }))

/** A site that implements the routes itself, and a draft of it. */
async function ownSite(t: Test, ...pages: readonly unknown[]) {
  const website = await startWebsite(t, { pages })
  const edit = await draftOf(t, website.origin)
  await bodyOf(edit.get('/publish/diff'))
  const answer = (...now: readonly unknown[]) => {
    website.answers.pages.body = { pages: now }
    return edit.send('/draft/follow', {})
  }
  const sent = () => website.sent().at(-1)?.body['pages']
  return { ...edit, website, answer, sent }
}

t.test('blocks that cannot be read are listed with the reason', async (t) => {
  const { get, ops, undo } = await ownSite(t, whole, page('/last'))
  t.match(await bodyOf(get('/draft/slugs')), { slugs: ['/', '/last'], locked: locks })
  t.match(await bodyOf(get('/publish/diff')), { locked: locks, summary: { pagesModified: 0 } })
  t.notOk('unreadable' in fields(await get('/publish/diff')))
  await ops([{ op: 'remove_block', pageSlug: '/', blockId: 'b/typeless' }, patch])
  t.match(await bodyOf(get('/draft/slugs')), { locked: locks.slice(1) })
  await undo('/')
  t.match(await bodyOf(get('/draft/slugs')), { locked: locks })
})

t.test('they are listed by the address that their page has', async (t) => {
  const { get, ops } = await ownSite(t, page('/'), away)
  await ops([{ op: 'rename_page', pageSlug: '/away', newPageSlug: '/moved' }])
  t.match(await bodyOf(get('/draft/slugs')), { locked: [{ slug: '/moved' }] })
  await ops([{ op: 'remove_page', pageSlug: '/moved' }])
  t.notOk('locked' in fields(await get('/draft/slugs')))
})

t.test('nothing changes a block that cannot be read, and its own id removes it', async (t) => {
  const { ops, send, sent, undo, page: read } = await ownSite(t, whole, page('/last'))
  const before = await read('/')
  const at = { pageSlug: '/', blockId: 'b/typeless' }
  for (const op of [
    { op: 'update_props', ...at, patch: { own: 'other' } },
    { op: 'move_block', ...at },
    { op: 'duplicate_block', ...at },
    { op: 'duplicate_block', ...at, toPageSlug: '/last' },
    { op: 'add_item', ...at, listKey: 'items', item: {} },
    { op: 'update_item', ...at, listKey: 'items', index: 0, patch: {} },
    { op: 'remove_item', ...at, listKey: 'items', index: 0 },
    { op: 'move_item', ...at, listKey: 'items', index: 0 },
  ]) {
    const answer = await ops([op])
    t.equal(answer.status, 400, op.op)
    const reason = /b\/typeless on \/ cannot be read: type is missing.* Correct it on the site, or remove it/
    t.match(JSON.stringify(answer.json()), reason)
  }
  t.equal((await ops([{ op: 'remove_block', pageSlug: '/', blockId: 'b/typeless_copy' }])).status, 400)
  t.strictSame(await read('/'), before)

  t.equal((await ops([{ op: 'remove_block', ...at }])).status, 200)
  await send('/publish', {})
  t.strictSame(blocksOf(sent()), whole.blocks.slice(1))
  await undo('/')
  await send('/publish', {})
  t.strictSame(blocksOf(sent()), whole.blocks)
})

t.test('no client makes a block that cannot be read, but one that the draft has is kept', async (t) => {
  const { ops, send, sent, bootstrap, page: read } = await ownSite(t, away, page('/last'))
  const locked = (await read('/away')).blocks.filter(({ type }) => type === 'locked')
  const [first] = locked
  const types = ['locked', 'Hero'].map((type) => ({ type, propsSchema: { type: 'object' } }))
  const manifest = { componentsManifest: { version: 1, blocks: types } }
  for (const op of [
    { op: 'add_block', pageSlug: '/last', block: { ...first, id: 'b_new' } },
    { op: 'create_page', page: { slug: '/new', blocks: [first] } },
  ]) {
    t.equal((await ops([op])).status, 400, op.op)
    const answer = await send('/ops', { ops: [op], ...manifest })
    t.equal(answer.status, 400, op.op)
    t.match(JSON.stringify(answer.json()), /only a site has blocks that cannot be read/)
  }
  const again = { op: 'create_page', page: await read('/away') }
  t.equal((await ops([{ op: 'remove_page', pageSlug: '/away' }, again])).status, 200)
  const pushed = await bootstrap(
    [
      { ...away, blocks: [7, 8] },
      { ...away, title: 'Pushed' },
    ],
    { overwrite: true },
  )
  t.match(fields(pushed), { count: 2, refused: emptyList }, 'the last one of a slug counts')
  const refused = [{ slug: '/away', reason: 'blocks.1: the block is missing or of the wrong type' }]
  t.match(fields(await bootstrap([{ ...away, blocks: [hero, 8] }], { overwrite: true })), {
    code: 'invalid_pages',
    refused,
  })
  t.match(fields(await bootstrap([page('/b'), { ...page('/c'), blocks: locked }], { overwrite: true })), {
    count: 1,
    refused: [{ slug: '/c' }],
  })
  await send('/publish', {})
  t.match(sent(), [
    { slug: '/last' },
    { slug: '/away', title: 'Pushed', blocks: whole.blocks },
    { slug: '/b' },
  ])
})

t.test('the copy of a page is without blocks that cannot be read, and says so', async (t) => {
  const { ops, page: read } = await ownSite(t, whole)
  const copied = await ops([{ op: 'duplicate_page', pageSlug: '/', newPageSlug: '/copy' }])
  t.match(JSON.stringify(copied.json()), /block b\/typeless of \/ cannot be read; the copy is without it/)
  t.match(await read('/copy'), { blocks: [{ type: 'Hero' }, { type: 'RichText' }] })
  t.equal((await read('/copy')).blocks.length, 2)
})

t.test('what the site changes at such a block is taken, unless the draft has changed it', async (t) => {
  const typeless = { ...hero, type: null }
  const { ops, send, answer, sent, get, page: read } = await ownSite(t, page('/'), page('/last'))
  await answer(entry(typeless, text), page('/last'))
  t.match(
    await read('/'),
    { blocks: [{ id: 'b/', type: 'locked' }, { id: 'b/text' }] },
    'it became unreadable',
  )
  await answer(entry({ ...typeless, other: true }, text), page('/last'))
  t.match(await read('/'), { blocks: [{ unreadable: { raw: { other: true } } }, { id: 'b/text' }] })
  await answer(page('/'), page('/last'))
  t.match(await read('/'), { blocks: [{ id: 'b/', type: 'Hero' }] }, 'it was corrected')
  t.equal((await ops([patch])).status, 200)
  await answer(entry(typeless, text), page('/last'))
  t.match(fields(await send('/publish', {})), {
    code: 'site_conflict',
    conflicts: [{ slug: '/', blockId: 'b/', kind: 'changed' }],
  })
  t.match(await bodyOf(get('/publish/diff')), { conflicts: [{ blockId: 'b/' }] })
  t.equal((await send('/publish', { overwrite: true })).status, 200)
  t.strictSame(blocksOf(sent()), [edited, text])
})

t.test('two bad blocks that the site changed and the draft has not are one value each', async (t) => {
  const ids = ['x', 'x'].map((id, at) => ({ id, type: 5, at }))
  const { ops, send, answer, sent, page: read } = await ownSite(t, entry(...ids, hero))
  t.match(await read('/'), { blocks: [{ id: /^b_locked_/ }, { id: /^b_locked_/ }, { id: 'b/' }] })
  t.equal((await ops([patch])).status, 200)
  await answer(entry(...ids.toReversed(), hero, { ...text, id: 7 }))
  t.equal((await send('/publish', {})).status, 200)
  t.strictSame(blocksOf(sent()), [...ids.toReversed(), edited, { ...text, id: 7 }])
})

t.test('a site that refuses such a block says which one is to be corrected', async (t) => {
  const { ops, send, website } = await ownSite(t, entry(hero, 7))
  await ops([patch])
  website.answers.publish = {
    status: 400,
    body: { ok: false, error: 'invalid_request', reason: 'No block.' },
  }
  t.match(fields(await send('/publish', {})), {
    status: 'failed',
    reason: /^No block\. Nothing was changed\. .*'\/' \(block b_locked_\w+: the block is missing.*Correct/,
  })
})

t.test('addresses of files of the service stay as they are in such a block', async (t) => {
  const files = createMemoryBlobs({ clock: stillClock(noon), ids: randomIds })
  await files.put(Buffer.from('one'), { type: 'image/png', extension: 'png', key: 'upload_1.png' })
  const imageUrl = 'http://localhost:4200/generated-images/upload_1.png'
  const website = await startWebsite(t, { pages: [entry(hero, { imageUrl })] })
  const env = {
    ORCHESTRATOR_CORS_ORIGINS: website.origin,
    ORCHESTRATOR_PUBLIC_ORIGIN: 'http://localhost:4200/',
  }
  const { send, ops, get } = await withDraft(t, { env, files }, [])
  await send('/sites/register', { name: 'Acme', previewUrl: website.origin })
  await get('/publish/diff')
  await ops([{ ...patch, patch: { imageUrl } }])
  t.equal((await send('/publish', {})).status, 200)
  const props = { ...hero?.props, imageUrl: '/generated-images/upload_1.png' }
  t.strictSame(blocksOf(website.sent().at(-1)?.body['pages']), [{ ...hero, props }, { imageUrl }])
})

t.test('a publish at a time sends what the site has in its place then', async (t) => {
  const time = stillClock(noon)
  const website = await startWebsite(t, { pages: [entry(hero, 7)] })
  const { send, ops, get } = await withDraft(
    t,
    { env: { ORCHESTRATOR_CORS_ORIGINS: website.origin }, time },
    [],
  )
  await send('/sites/register', { name: 'Acme', previewUrl: website.origin })
  await get('/publish/diff')
  await ops([patch])
  t.equal((await send('/publish', { at: '2026-01-01T13:00:00Z' })).status, 202)
  website.answers.pages.body = { pages: [entry(7, hero, [8])] }
  time.advance(3_600_000)
  await until(() => website.sent().length > 0, 'the publish')
  t.strictSame(blocksOf(website.sent()[0]?.body['pages']), [7, edited, [8]])
})

t.test('builds and earlier publishes have what the site has', async (t) => {
  const { ops, send, get, answer, sent } = await ownSite(t, whole)
  await ops([patch])
  const now = entry(...whole.blocks.with(1, edited))
  t.match(fields(await get('/publish/content')), { pages: [{ blocks: now.blocks }] })
  t.match(fields(await send('/publish', {})), { status: 'ready' })
  await answer(now)
  await ops([{ ...patch, patch: { heading: 'Again' } }])
  await send('/publish', {})
  const [, , first] = v.parse(Snapshots, fields(await get('/restore/snapshots'))).snapshots
  t.equal((await send('/publish', { commit: first?.commit })).status, 200)
  t.strictSame(blocksOf(sent()), whole.blocks)
})

t.test('a site of this package stores no such block but its own', async (t) => {
  const path = fileWith(t, [whole, page('/last')])
  const options = { adapter: jsonFile(path), publish: jsonFilePublishHandler(path) }
  const editorRoutes = createSiteEditor({ ...options, logger: capturedLog().log })
  t.teardown(() => editorRoutes.close())
  const publish = (...pages: readonly unknown[]) =>
    editorRoutes.inject({ method: 'POST', url: '/api/editor/publish', json: { pages } })
  const [shown] = v.parse(Stored, fields(await editorRoutes.inject({ url: '/api/editor/pages' }))['pages'])
  const stranger = {
    ...page('/x'),
    blocks: [{ ...text, type: 'locked', unreadable: { reason: 'r', raw: 8 } }],
  }
  const cases: readonly (readonly [entry: unknown, reason: RegExp])[] = [
    [{ ...page('/x'), blocks: [8] }, /^pages\.1\.blocks\.0 is missing or of the wrong type/],
    [stranger, /^The block b\/text on \/x cannot be read: r\. This site has no such block/],
  ]
  for (const [odd, reason] of cases) {
    const answer = await publish(whole, odd)
    t.equal(answer.status, 400)
    t.match(answer.json(), { error: 'invalid_request', reason })
  }
  t.strictSame(read(path), [whole, page('/last')])
  t.equal((await publish({ ...whole, title: 'By an older service' }, page('/last'))).status, 200)
  t.strictSame(read(path), [{ ...whole, title: 'By an older service' }, page('/last')])
  t.equal((await publish({ ...page('/moved'), blocks: shown?.blocks })).status, 200)
  t.strictSame(blocksOf(read(path), '/moved'), whole.blocks, 'also as it was shown, on another page')
})

t.test('no earlier state of a page brings back what the site had in such a block', async (t) => {
  const versionOf = async ({ get }: Awaited<ReturnType<typeof ownSite>>) => {
    const History = v.object({ entries: v.array(v.object({ version: v.number() })) })
    return v.parse(History, await bodyOf(get('/history/log'))).entries.at(-1)?.version
  }
  const typeless = { ...hero, id: 'b/locked', type: null }
  const [former, now] = [typeless, { ...typeless, other: true }]
  for (const how of ['restore', 'undo', 'snapshot'] as const)
    await t.test(how, async (t) => {
      const setup = await ownSite(t, entry(hero, former), page('/last'))
      const { ops, send, answer, sent, get } = setup
      await ops([patch])
      t.equal((await send('/publish', {})).status, 200)
      const version = await versionOf(setup)
      const { snapshots } = v.parse(Snapshots, await bodyOf(get('/restore/snapshots')))
      await answer(entry(edited, now), page('/last'))
      await send('/draft/follow', {})
      const followed = await versionOf(setup)
      await ops([{ ...patch, patch: { heading: 'Later' } }])
      if (how === 'restore') await send('/history/restore', { targetVersion: version })
      else if (how === 'undo') await send('/history/undo-change', { version: followed })
      else await send('/restore/snapshot', { commit: snapshots[0]?.commit })
      await send('/publish', {})
      t.strictSame(blocksOf(sent())?.[1], now)
    })
})
