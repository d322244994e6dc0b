import { chmod, lstat, mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { mock } from 'node:test'
import t from 'tap'
import type { SiteContent } from '../../plugins/content/adapter.ts'
import { toBaseline } from '../../plugins/content/baseline.ts'
import type { Page } from '../../plugins/content/page.ts'
import { isPlainObject } from '../../plugins/content/plain-object.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { jsonFilePublishHandler } from '../../plugins/site/publish/index.ts'
import { type PublishedAsset, inTurn } from '../../plugins/site/port.ts'
import { emptyList } from '../helpers/plain.ts'

const page = (slug: string, text = ''): Page => ({
  id: `p_${slug}`,
  slug,
  title: slug,
  updatedAt: '2026-01-01T00:00:00.000Z',
  blocks: [{ id: 'b', type: 'Banner', props: { text }, pinned: true }],
  own: 'kept',
})
const context = { baseline: [], published: [], siteConfig: undefined, session: undefined }
const siteConfig = { name: 'Nord', navLabels: { '/': 'Start' }, port: 3000 }
const asset = (fileName: string, data = 'aGVsbG8='): PublishedAsset => ({
  fileName,
  data,
  mimeType: 'image/png',
})
const json = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'))

t.test('the adapter reads both shapes, and a missing file is named with a remedy', async (t) => {
  const wrapper = JSON.stringify({ pages: [page('/')], siteConfig })
  const dir = t.testdir({ 'array.json': JSON.stringify([page('/')]), 'wrapper.json': `\uFEFF${wrapper}` })
  t.strictSame(await jsonFile(join(dir, 'array.json')).readContent(), { pages: [page('/')], redirects: [] })
  t.strictSame(await jsonFile(join(dir, 'wrapper.json')).readContent(), {
    pages: [page('/')],
    siteConfig,
    redirects: [],
  })
  const missing = {
    message: /content file .*at-all\.json does not exist\. .*create the file.*npx content-orchestrator init/,
  }
  await t.rejects(async () => jsonFile(join(dir, 'none', 'at-all.json')).readContent(), missing)
})

t.test('a file that cannot be used is refused with the place, and one bad page costs no other', async (t) => {
  const broken = { ...page('/b'), title: '' }
  const dir = t.testdir({
    'cut.json': '[{"id": "p',
    'empty.json': '',
    'half.json': JSON.stringify([page('/'), broken]),
    'text.json': '"pages"',
    'folder.json': {},
  })
  const fails = (name: string, message: RegExp) =>
    t.rejects(jsonFile(join(dir, name)).readContent(), { message })
  await fails('cut.json', /content file .*cut\.json cannot be used: it is not valid JSON/)
  await fails('empty.json', /not valid JSON/)
  t.match(await jsonFile(join(dir, 'half.json')).readContent(), {
    pages: [page('/')],
    unreadable: [{ slug: '/b', reason: /title/, raw: broken, after: '/' }],
  })
  await fails('text.json', /cannot be used/)
  await fails('folder.json', /cannot be read; check that it is a file/)
})

t.test('only writeOnPublish lets the adapter write, and it keeps the shape of the file', async (t) => {
  const dir = t.testdir({ 'wrapper.json': JSON.stringify({ pages: [], siteConfig: {} }), 'array.json': '[]' })
  t.notOk('writeContent' in jsonFile(join(dir, 'array.json')))
  const content = { pages: [page('/')], siteConfig }
  const write = async (name: string) =>
    jsonFile(join(dir, name), { writeOnPublish: true }).writeContent?.(content)
  t.strictSame(await write('wrapper.json'), { notes: [] })
  t.strictSame(await json(join(dir, 'wrapper.json')), { pages: [page('/')], siteConfig })
  t.match(await write('array.json'), { notes: [/settings.*not stored/] })
  t.strictSame(await json(join(dir, 'array.json')), [page('/')])
  await write('new.json')
  t.strictSame(await jsonFile(join(dir, 'new.json')).readContent(), { pages: [page('/')], redirects: [] })
})

t.test('a publish writes an array and reports what is dropped; the wrapper format keeps it', async (t) => {
  const dir = t.testdir()
  const path = join(dir, 'content', 'pages.json')
  t.match(await jsonFilePublishHandler(path)({ pages: [page('/'), page('/a')], siteConfig }, context), {
    ok: true,
    slugs: ['/', '/a'],
    notes: [/name, logo, navigation.*wrapper/],
  })
  t.strictSame(await json(path), [page('/'), page('/a')])
  t.strictSame(await jsonFilePublishHandler(path)({ pages: [page('/')] }, context), {
    ok: true,
    slugs: ['/'],
  })

  const wrapping = jsonFilePublishHandler(path, { shape: 'wrapper' })
  t.strictSame(await wrapping({ pages: [page('/')], siteConfig }, context), { ok: true, slugs: ['/'] })
  t.strictSame(await json(path), { pages: [page('/')], siteConfig })
  t.strictSame(await jsonFile(path).readContent(), { pages: [page('/')], siteConfig, redirects: [] })
  await wrapping({ pages: [] }, context)
  t.strictSame(await json(path), { pages: [], siteConfig }, 'settings that a publish does not mention stay')
  await wrapping({ pages: [], siteConfig: {} }, context)
  t.strictSame(await json(path), { pages: [], siteConfig: {} })
})

t.test('redirects are stored in a wrapper, and beside an array, in the form of the file', async (t) => {
  const redirects = [{ from: '/a', to: '/', at: '2026-01-01T00:00:00.000Z' }]
  const own = { note: 'of another form' }
  for (const [name, text] of [
    ['array.json', '[]'],
    ['wrapper.json', '{\n\t"title": "Ours",\n\t"pages": []\n}\n'],
  ] as const) {
    const dir = t.testdir({ [name]: text, 'redirects.json': '[\n\t{ "note": "of another form" }\n]\n' })
    const path = join(dir, name)
    const adapter = jsonFile(path, { writeOnPublish: true })
    const before = (await adapter.readContent()).redirects ?? []
    t.strictSame(before, name === 'array.json' ? [own] : [])
    await adapter.writeContent?.({ pages: [page('/')], redirects: [...before, ...redirects] })
    t.strictSame((await adapter.readContent()).redirects, [...before, ...redirects])
    await adapter.writeContent?.({ pages: [page('/')] })
    t.strictSame((await adapter.readContent()).redirects, [...before, ...redirects], 'what is not sent stays')
    const beside = await readFile(join(dir, 'redirects.json'), 'utf8')
    t.match(beside, '{ "note": "of another form" }')
    t.equal(beside.includes('"/a"'), name === 'array.json')
    if (name === 'wrapper.json') t.match(await readFile(path, 'utf8'), /^\{\n\t"title": "Ours",\n\t"pages"/)
  }
})

t.test('a file never has duplicate slugs', async (t) => {
  const dir = t.testdir({ 'pages.json': '[]' })
  const path = join(dir, 'pages.json')
  const pages = [page('/'), page('/a'), page('/a')]
  await t.rejects(async () => jsonFile(path, { writeOnPublish: true }).writeContent?.({ pages }), {
    message: /'\/a' is the slug of two pages/,
  })
  t.match(await jsonFilePublishHandler(path)({ pages }, context), {
    ok: false,
    error: 'write_failed',
    reason: /'\/a'/,
  })
  t.strictSame(await json(path), [])
})

t.test('concurrent publishes never mix, and no reader sees a partial file', async (t) => {
  const dir = t.testdir({ 'pages.json': '[]' })
  const path = join(dir, 'pages.json')
  // The first takes longest to write, so without a queue it would finish last.
  const site = (n: number) => {
    const text = `publish ${n} `.repeat(n === 0 ? 4_000 : 50)
    return Array.from({ length: 40 }, (_, i) => page(`/${i}`, text))
  }
  const publishes = Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      jsonFilePublishHandler(n % 2 ? path : join(dir, '.', 'pages.json'))({ pages: site(n) }, context),
    ),
  )
  let reads = 0
  const running = new AbortController()
  void publishes.then(() => running.abort())
  while (!running.signal.aborted) {
    const { pages } = await jsonFile(path).readContent()
    const texts = new Set(pages.map(({ blocks }) => blocks[0]?.props['text']))
    if (pages.length !== 0 && (pages.length !== 40 || texts.size !== 1)) t.fail('a reader saw a mixture')
    reads++
  }
  t.ok(reads > 1, 'readers ran concurrently with the writers')
  t.ok((await publishes).every(({ ok }) => ok))
  t.strictSame(await json(path), site(11), 'the last request is written last')
  t.strictSame(await readdir(dir), ['pages.json'], 'no temporary files remain')
})

t.test('a write that does not end blocks the next one for two minutes', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const source = {}
  const begun: number[] = []
  const ended: Promise<void>[] = []
  void inTurn(source, () => new Promise(() => undefined))
  for (const at of [1, 2]) ended.push(inTurn(source, async () => void begun.push(at)))
  await turn()
  mock.timers.tick(119_999)
  await turn()
  t.strictSame(begun, [])
  mock.timers.tick(1)
  await Promise.all(ended)
  t.strictSame(begun, [1, 2])
})

t.test('sent files are stored next to the content under their generated names', async (t) => {
  const dir = t.testdir()
  const path = join(dir, 'pages.json')
  const assets = {
    'http://localhost:4200/generated-images/gen_1.png': asset('gen_1.png'),
    'http://localhost:4200/gdrive/images/x': asset('gdrive_x.webp', 'AAEC'),
  }
  t.match(await jsonFilePublishHandler(path)({ pages: [], assets }, context), { ok: true })
  t.equal(await readFile(join(dir, 'generated-images', 'gen_1.png'), 'utf8'), 'hello')
  t.strictSame([...(await readFile(join(dir, 'generated-images', 'gdrive_x.webp')))], [0, 1, 2])
  await jsonFilePublishHandler(path, { assetsDir: join(dir, 'public', 'images') })(
    { pages: [], assets },
    context,
  )
  t.strictSame((await readdir(join(dir, 'public', 'images'))).sort(), ['gdrive_x.webp', 'gen_1.png'])
})

t.test('a publish with a file of any other name or form is refused completely', async (t) => {
  const dir = t.testdir({ site: { 'pages.json': '["old"]' } })
  const path = join(dir, 'site', 'pages.json')
  const publish = (assets: Record<string, PublishedAsset>) =>
    jsonFilePublishHandler(path)({ pages: [page('/')], assets }, context)
  const paths = '../evil.png ..%2fevil.png a/b.png a\\b.png /etc/evil.png \uFF0E\uFF0E/evil.png évil.png'
  const kinds = 'evil.svg evil.html evil .png a..png a.png.js evil.PNG'
  const odd = ['a b.png', 'a\u0000.png', `${'a'.repeat(161)}.png`, 'a.png\n', '']
  const refused = { ok: false, slugs: [], error: 'asset_refused', reason: /not accepted: send/ }
  for (const name of [...paths.split(' '), ...kinds.split(' '), ...odd]) {
    const result = await publish({ a: asset('fine.png'), b: asset(name) })
    t.match(result, refused, JSON.stringify(name))
  }
  for (const data of ['', 'not base64!', 'data:image/png;base64,AAAA', 'AA\nAA']) {
    const result = await publish({ a: asset('fine.png', data) })
    t.match(result, { ok: false, error: 'asset_refused', reason: /fine\.png is not base64/ })
  }
  t.strictSame(await json(path), ['old'])
  t.strictSame(await readdir(join(dir, 'site')), ['pages.json'])
  t.strictSame(await readdir(dir), ['site'])
})

t.test('a failed write is reported without a local path, and the next one works', async (t) => {
  const dir = t.testdir({ occupied: 'a file where a folder should be' })
  const path = join(dir, 'occupied', 'pages.json')
  const publish = jsonFilePublishHandler(path)
  const result = await publish({ pages: [page('/')] }, context)
  t.match(result, { ok: false, slugs: emptyList, error: 'write_failed' })
  t.match(result.reason, /pages\.json could not be written \(E[A-Z]+\): check/)
  t.notMatch(result.reason, dir)

  await mkdir(join(dir, 'pages.json'))
  const onFolder = jsonFilePublishHandler(join(dir, 'pages.json'))
  const onFolderResult = await onFolder({ pages: [] }, context)
  t.match(onFolderResult, { ok: false, error: 'write_failed' }, 'a folder is not replaced')
  t.strictSame((await readdir(dir)).sort(), ['occupied', 'pages.json'], 'a failure leaves no files behind')
  t.match(await jsonFilePublishHandler(join(dir, 'other.json'))({ pages: [] }, context), { ok: true })
})

t.test('a symlinked content file stays a link, and the file mode is kept', async (t) => {
  const dir = t.testdir({ real: { 'pages.json': '[]' } })
  await chmod(join(dir, 'real', 'pages.json'), 0o640)
  await symlink(join('real', 'pages.json'), join(dir, 'pages.json'))
  await jsonFilePublishHandler(join(dir, 'pages.json'))({ pages: [page('/')] }, context)
  t.ok((await lstat(join(dir, 'pages.json'))).isSymbolicLink())
  t.strictSame(await json(join(dir, 'real', 'pages.json')), [page('/')])
  t.equal((await stat(join(dir, 'real', 'pages.json'))).mode & 0o777, 0o640)
})

/**
 * Pages in a key order of their own, with what the service does not know; the second is repaired at every
 * read.
 */
const ownOrder = [
  {
    $note: ['a', 'b'],
    title: 'Home',
    blocks: [
      { props: { rows: [{ text: 'Old words' }, { text: 'Others' }], ratio: 1 }, id: 'b_1', type: 'Own' },
      { type: 'Own', pinned: true, props: {}, id: 'b_2' },
    ],
    updatedAt: '2026-01-01T00:00:00.000Z',
    slug: '/',
    id: 'p_home',
  },
  { slug: '/about', meta: null, blocks: [{ type: 'Own' }], title: 'About' },
]
/** The JSON of a value with an escape and a number that nothing but this file spells like that. */
const spelled = (value: unknown, indent?: string | number): string =>
  JSON.stringify(value, null, indent)
    .replace('Others', String.raw`Oth\u0065rs \/`)
    .replace(/("ratio": ?)1/, '$11.0e0')
const indented = spelled(ownOrder, 2)
const wrapped = { version: 3, pages: ownOrder, siteConfig: { port: 1, logo: null, name: 'Nord' }, end: [] }
const forms = {
  'two blanks': `${indented}\n`,
  'four blanks': `${spelled(ownOrder, 4)}\n`,
  tabs: `${spelled(ownOrder, '\t')}\n`,
  minified: spelled(ownOrder),
  'CRLF and a byte order mark': `\uFEFF${indented.replaceAll('\n', '\r\n')}\r\n`,
  'no line end at the end': indented,
  'short arrays on one line': indented.replace(/\[\s+"a",\s+"b"\s+\]/, '["a", "b"]'),
  'a page a line': `[\n${ownOrder.map((each) => spelled(each)).join(',\n')}\n]\n`,
  'a wrapper with more keys': `${spelled(wrapped, 2)}\n`,
}
const inOrder = (_: string, value: unknown): unknown =>
  isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

/**
 * The content of a file as the service has it after a change of words: repaired, in its order of keys, with
 * ids of rows.
 */
function changed(text: string): SiteContent {
  const read = JSON.stringify(toBaseline(JSON.parse(text.replace(/^\uFEFF/, ''))))
  const withWords = read
    .replace('Old words', 'New words')
    .replaceAll('},{"text"', ',"id":"itm_0000000000"},{"id":"itm_0000000001","text"')
  return toBaseline(JSON.parse(withWords, inOrder)) ?? { pages: [] }
}

for (const [form, text] of Object.entries(forms)) {
  t.test(`a publish into a file with ${form} changes the changed words only`, async (t) => {
    const dir = t.testdir({ 'adapter.json': text, 'handler.json': text })
    const [adapter, handler] = [join(dir, 'adapter.json'), join(dir, 'handler.json')]
    await jsonFile(adapter, { writeOnPublish: true }).writeContent?.(changed(text))
    const shape = text.startsWith('{') ? 'wrapper' : 'array'
    t.match(await jsonFilePublishHandler(handler, { shape })(changed(text), context), { ok: true })
    const expected = text.replace('Old words', 'New words')
    for (const path of [adapter, handler]) t.equal(await readFile(path, 'utf8'), expected)
  })
}

t.test('new, moved and removed parts of a content file are laid out like the others', async (t) => {
  const path = join(t.testdir({ 'pages.json': '' }), 'pages.json')
  const publish = jsonFilePublishHandler(path)
  const pages = ['/', '/a', '/b', '/c'].map((slug) => page(slug, slug))
  const [first, second, third, fourth] = pages
  if (!first || !second || !third || !fourth) throw new Error('four pages')
  const meta = { title: 'New', own: [1, { deep: [] }] }
  const states: readonly (readonly Page[])[] = [
    [first, second, third, fourth],
    [third, { ...page('/new'), meta }, first],
    [
      { ...third, meta },
      { ...first, blocks: [] },
    ],
    [first],
    [],
    [second],
  ]
  for (const indent of [2, '\t', undefined]) {
    for (const state of states) {
      await writeFile(path, JSON.stringify(pages, null, indent))
      await publish({ pages: state }, context)
      t.equal(await readFile(path, 'utf8'), JSON.stringify(state, null, indent))
    }
  }
  await writeFile(path, '[]')
  await publish({ pages }, context)
  t.equal(await readFile(path, 'utf8'), `${JSON.stringify(pages, null, 2)}\n`, 'an empty file has no form')
  await writeFile(path, '{ broken')
  await publish({ pages }, context)
  t.equal(await readFile(path, 'utf8'), `${JSON.stringify(pages, null, 2)}\n`, 'nor has another text')
  await writeFile(path, '[{"id":"p","slug":"/lost","slug":"/","title":"T","updatedAt":"1","blocks":[]}]')
  await publish({ pages: [{ id: 'p', slug: '/', title: 'T', updatedAt: '2', blocks: [] }] }, context)
  t.match(await json(path), [{ slug: '/', updatedAt: '2' }], 'of a repeated key the last counts')
})

t.test('content that is read and written has its blocks that cannot be read as they were', async (t) => {
  const bad = [7, { id: 'b', type: null, props: {} }]
  const path = join(t.testdir(), 'pages.json')
  await writeFile(path, JSON.stringify([{ ...page('/'), blocks: bad }]))
  const file = jsonFile(path, { writeOnPublish: true })
  const { pages } = await file.readContent()
  t.match(pages, [{ blocks: [{ type: 'locked' }, { id: 'b', type: 'locked' }] }])
  await file.writeContent?.({ pages: pages.map((each) => ({ ...each, title: 'New' })) })
  t.strictSame(await json(path), [{ ...page('/'), title: 'New', blocks: bad }])
})
