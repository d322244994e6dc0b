import sharp from 'sharp'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { give, randomIds, systemClock, use } from '../../../kernel/index.ts'
import { capturedLog, mountForTest, stillClock } from '../../../kernel/testing.ts'
import { createMemoryBlobs } from '../../helpers/memory-blobs.ts'
import { blobs } from '../../../plugins/blobs/port.ts'
import gdrive from '../../../plugins/media/gdrive/index.ts'
import media from '../../../plugins/media/index.ts'
import { endless, htmlPage, redirecting, stalling } from '../../helpers/answers.ts'
import {
  folderType,
  googleError,
  startDrive,
  tokenError,
  type Fault,
  type Stored,
} from '../../helpers/drive-server.ts'
import { at, startImageChat, named, sourceOf } from '../../helpers/image-sources.ts'
import { files, png } from '../../helpers/media-files.ts'
import { page, publishing, startWebsite } from '../../helpers/publishing.ts'
import { draftsInMemory, editor, refused, startStack } from '../../helpers/stack.ts'
import { testKey } from '../../helpers/upstream.ts'
import { emptyList } from '../../helpers/plain.ts'

const root = 'folder-root'
const stored = (id: string, parent: string, more: Partial<Stored>): Stored => ({
  id,
  name: id,
  parents: [parent],
  ...more,
})
const folder = (id: string, parent: string, name = id) => stored(id, parent, { name, mimeType: folderType })
const image = (id: string, parent = root, more: Partial<Stored> = {}) =>
  stored(id, parent, { name: `${id}.png`, bytes: files.png, ...more })

const Listed = v.object({
  items: v.array(v.looseObject({ id: v.string() })),
  degraded: v.optional(v.boolean()),
  reason: v.optional(v.string(), ''),
})

interface DriveSetup {
  readonly env?: Readonly<Record<string, string>>
  readonly options?: Parameters<typeof use<Record<string, unknown>>>[1]
}

/** Drive with these files, and the service that reads it with a service account. */
async function setting(t: Test, files: readonly Stored[], { env, options = {} }: DriveSetup = {}) {
  const drive = await startDrive(t, files)
  const time = stillClock()
  const storage = createMemoryBlobs({ clock: systemClock, ids: randomIds })
  const { log, lines } = capturedLog()
  const base = draftsInMemory({
    clock: time,
    plugins: [use(media), use(gdrive, options)],
    env: { ...drive.account, GOOGLE_DRIVE_FOLDER_ID: root, MEDIA_UPLOADS_PER_MIN: '0', ...env },
  })
  const others = (base.seeds ?? []).filter((seed) => seed.ref.id !== blobs.id)
  const mounted = mountForTest(t, { ...base, seeds: [...others, give(blobs, storage)], log })
  const ask = (url: string) => mounted.inject({ url })
  const list = async (query = '') => {
    const answer = await ask(`/gdrive/images?${query}`)
    t.equal(answer.status, 200, answer.text)
    return v.parse(Listed, answer.json())
  }
  return {
    drive,
    mounted,
    lines,
    ask,
    list,
    time,
    show: (id: string) => ask(`/gdrive/images/${id}`),
    ids: async (query = '') => (await list(query)).items.map(({ id }) => id),
    names: async () => (await Array.fromAsync(storage.list())).map(({ key }) => key).toSorted(),
    bring: (fileId: string, more: object = {}) =>
      mounted.inject({ method: 'POST', url: '/gdrive/import', json: { fileId, ...more } }),
  }
}

const notFound = { status: 404, code: 'not_found' }
const later = /Try again in a few minutes/

t.test('images are listed by name, nearest folders first, three levels deep, up to the limit', async (t) => {
  const { ids, list, drive } = await setting(t, [
    folder('folder-one', root, 'b'),
    folder('folder-two', root, 'a'),
    folder('folder-three', 'folder-one'),
    folder('folder-four', 'folder-three'),
    folder('folder-five', 'folder-four'),
    image('b-top'),
    image('a-top'),
    image('in-two', 'folder-two'),
    image('in-one', 'folder-one'),
    image('in-three', 'folder-three'),
    image('in-four', 'folder-four'),
    image('too-deep', 'folder-five'),
    image('gone', root, { trashed: true }),
    image('a-text', root, { mimeType: 'text/plain' }),
    image('a-drawing', root, { mimeType: 'image/svg+xml' }),
    image('elsewhere', 'folder-other'),
    image('named', root, {
      name: 'Red_kayak-at the LAKE.v2.jpeg',
      mimeType: 'image/jpeg',
      imageMediaMetadata: { width: 40, height: 30 },
    }),
  ])
  t.strictSame((await list('q=kayak')).items, [
    {
      id: 'named',
      name: 'Red_kayak-at the LAKE.v2.jpeg',
      mimeType: 'image/jpeg',
      thumbUrl: 'http://localhost:4200/gdrive/images/named',
      alt: 'Red kayak at the LAKE.v2',
      width: 40,
      height: 30,
    },
  ])
  for (const [query, expected] of [
    ['', 'named a-top b-top in-two in-one in-three in-four'],
    // Folders are read whatever their names.
    ['q=IN-', 'in-two in-one in-three in-four'],
    ['limit=2', 'named a-top'],
    ['limit=0', 'named'],
    ['limit=-3', 'named'],
    ['limit=1.9', 'named'],
    ['limit=99', 'named a-top b-top in-two in-one in-three in-four'],
    ['limit=x', 'named a-top b-top in-two in-one in-three in-four'],
    ['limit=', 'named a-top b-top in-two in-one in-three in-four'],
    ['folderId=folder-three', 'in-three in-four too-deep'],
    ['folderId=https://drive.google.com/drive/u/0/folders/folder-two?usp=sharing', 'in-two'],
  ] as const)
    t.equal((await ids(query)).join(' '), expected, query)
  t.strictSame(drive.problems, [])
})

t.test('a listing reads pages until it has enough, and 2,000 files at most', async (t) => {
  const stored = Array.from({ length: 130 }, (_, at) => image(`i${String(at).padStart(4, '0')}`))
  const { drive, list, ids } = await setting(t, [
    ...stored,
    folder('folder-one', root),
    image('below', 'folder-one'),
  ])
  t.equal((await ids('limit=50')).length, 50)
  t.equal(drive.count('list'), 1)
  t.strictSame(await ids('q=i0129'), ['i0129'])
  t.equal(drive.count('list'), 4, 'all pages, and the folder below')
  for (let at = 0; at < 2000; at++) drive.store.set(`m${at}`, image(`m${at}`, root, { name: `m${at}` }))
  t.match(await list('q=zzz'), { items: emptyList, degraded: true, reason: /first 2000 files/ })
})

t.test('a complete list is cached for five minutes', async (t) => {
  const { drive, ids, time } = await setting(t, [image('one')])
  for (const query of ['', 'q=ON', 'q=on']) t.strictSame(await ids(query), ['one'], query)
  t.equal(drive.count('list'), 2)
  drive.store.set('two', image('two'))
  t.strictSame(await ids(), ['one'])
  t.strictSame(await ids('refresh=1'), ['one', 'two'])
  drive.store.delete('one')
  t.strictSame(await ids(), ['one', 'two'])
  time.advance(5 * 60_000 + 1)
  t.strictSame(await ids(), ['two'])
  const before = drive.count('list')
  for (let at = 0; at < 101; at++) await ids(`q=${at}`)
  await ids()
  t.equal(drive.count('list'), before + 102, 'a hundred lists are cached')
})

t.test('a service account shows allowed folders only, even if it can read more', async (t) => {
  const stored = [
    folder('folder-below', root),
    folder('folder-deep', 'folder-below'),
    folder('folder-more', 'drive-root'),
    folder('folder-secret', 'drive-root'),
    folder('folder-loop', 'folder-pool'),
    folder('folder-pool', 'folder-loop'),
    folder('folder-site', 'drive-root'),
    image('deep', 'folder-deep'),
    image('more', 'folder-more'),
    image('secret', 'folder-secret'),
    image('site', 'folder-site'),
    image('homeless', root, { parents: [] }),
    image('both', root, { parents: ['folder-secret', root] }),
  ]
  const { drive, ids, ask, show, names } = await setting(t, stored, {
    env: { GOOGLE_DRIVE_ALLOWED_FOLDERS: ' https://drive.google.com/drive/folders/folder-more , ' },
    options: { folders: { Shop: 'https://drive.google.com/drive/folders/folder-site' } },
  })
  t.strictSame(
    [await ids('folderId=folder-deep'), await ids('folderId=folder-more'), await ids('siteId=shop')],
    [['deep'], ['more'], ['site']],
  )
  t.strictSame(await ids('siteId=shop&folderId=folder-deep'), ['deep'])
  const wrong = ['short', 'x'.repeat(129), "a' in parents or 'b", 'https://evil.example/folders/folder-root']
  for (const [status, code, all] of [
    [403, 'folder_not_allowed', ['folder-secret', 'folder-loop', 'drive-root', 'folder-nowhere']],
    [400, 'invalid_folder', [...wrong, '\0'.repeat(10)]],
  ] as const)
    for (const id of all) {
      const answer = await ask(`/gdrive/images?folderId=${encodeURIComponent(id)}`)
      t.match(refused(answer), { status, code }, id)
    }
  const shown = ['both', 'deep', 'more', 'site']
  for (const id of [...shown, 'secret', 'homeless', 'nowhere'])
    t.equal((await show(id)).status, shown.includes(id) ? 200 : 404, id)
  t.strictSame(
    await names(),
    shown.map((id) => `gdrive_${id}.webp`),
  )
  for (const id of ['a%2fb', 'a..b', 'x'.repeat(129)])
    t.match(refused(await show(id)), { status: 400, code: /invalid_file_id|bad_request/ }, id)

  const chain = Array.from({ length: 25 }, (_, at) =>
    folder(`folder-chain-${at}`, at === 24 ? root : `folder-chain-${at + 1}`),
  )
  for (const each of chain) drive.store.set(each.id, each)
  const tooFar = refused(await ask('/gdrive/images?folderId=folder-chain-0'))
  t.match(tooFar, { status: 403 }, 'at most twenty folders are looked up')
  t.strictSame(await ids('folderId=folder-chain-10'), [])
  t.strictSame(drive.problems, [])
})

t.test('an API key shows everything public, and is sent in a header', async (t) => {
  const drive = await startDrive(t, [image('one'), image('other', 'folder-other')])
  const plugins = [use(media), use(gdrive, {})]
  const { inject } = mountForTest(t, draftsInMemory({ plugins, env: drive.apiKey }))
  const unset = { status: 404, code: 'gdrive_not_configured', reason: /GOOGLE_DRIVE_FOLDER_ID/ }
  t.match(refused(await inject({ url: '/gdrive/images' })), unset)
  const listed = await inject({ url: `/gdrive/images?folderId=${root}` })
  t.match(listed.json(), { items: [{ id: 'one' }] })
  t.equal((await inject({ url: '/gdrive/images/other' })).status, 200)
  t.ok(
    drive.seen.every(
      ({ apiKey, url, authorization }) =>
        apiKey === 'AIza-api-key' && !url.href.includes('AIza') && authorization === undefined,
    ),
  )
  t.equal(drive.count('token'), 0)
})

t.test('without a key the routes name the variables, and a partial setup is off', async (t) => {
  const drive = await startDrive(t)
  const keys = /GOOGLE_SERVICE_ACCOUNT_KEY_JSON.*GOOGLE_API_KEY/
  const one = { method: 'POST', url: '/gdrive/import', json: { fileId: 'one' } }
  for (const [env, folders, reason, calls] of [
    [
      { GOOGLE_DRIVE_FOLDER_ID: root },
      {},
      keys,
      [{ url: '/gdrive/images' }, { url: '/gdrive/images/one' }, one],
    ],
    [drive.account, {}, /GOOGLE_DRIVE_FOLDER_ID/, [{ url: '/gdrive/images' }]],
    // A folder of one site is enough.
    [drive.apiKey, { shop: root }, keys, []],
  ] as const) {
    const { ask } = await startStack(t, { env, plugins: [['media-gdrive', { folders }]] })
    for (const call of calls)
      t.match(refused(await ask(call)), { status: 404, code: 'gdrive_not_configured', reason })
    const features = { googleDrive: calls.length === 0 }
    t.match((await ask({ url: '/status/planner' })).json(), { features })
  }
})

t.test('an invalid setting is reported at startup, without the key', async (t) => {
  const { keyFile } = await startDrive(t)
  const problemsOf = (env: Readonly<Record<string, string>>, options = {}): Promise<string> =>
    mountForTest(t, draftsInMemory({ plugins: [use(media), use(gdrive, options)], env }))
      .ready()
      .then(() => '', String)
  for (const wrong of [
    '{',
    '7',
    '{"client_email":"a"}',
    JSON.stringify({ ...keyFile, private_key: 'marker-key' }),
    JSON.stringify({ ...keyFile, private_key: testKey }),
    JSON.stringify({ ...keyFile, token_uri: 'marker' }),
  ]) {
    const problems = await problemsOf({ GOOGLE_SERVICE_ACCOUNT_KEY_JSON: wrong })
    t.match(problems, /GOOGLE_SERVICE_ACCOUNT_KEY_JSON: must be the JSON key file of a service account/)
    t.notMatch(problems, /marker|BEGIN|test\.iam/)
  }
  for (const [name, env, options] of [
    ['GOOGLE_DRIVE_FOLDER_ID', { GOOGLE_DRIVE_FOLDER_ID: 'a b' }, {}],
    ['GOOGLE_DRIVE_ALLOWED_FOLDERS', { GOOGLE_DRIVE_ALLOWED_FOLDERS: 'folder-root,no' }, {}],
    ['folders.shop', {}, { folders: { shop: '' } }],
  ] as const) {
    const problems = await problemsOf(env, options)
    t.match(problems, name)
    t.match(problems, /must be the id or the address of a Google Drive folder/)
  }
  t.equal(await problemsOf({ GOOGLE_SERVICE_ACCOUNT_KEY_JSON: ' ', GOOGLE_DRIVE_FOLDER_ID: '' }), '')
})

const tall = await sharp({ create: { width: 3000, height: 1200, channels: 3, background: '#204060' } })
  .withMetadata({ orientation: 6 })
  .withExif({ IFD0: { Copyright: 'somebody', Orientation: '6' } })
  .jpeg()
  .toBuffer()

t.test('an image is converted once to an upright WebP of limited size, and stored', async (t) => {
  const { drive, mounted, ask, bring, names } = await setting(t, [
    image('tall', root, { mimeType: 'image/jpeg', name: 'A tall-one.jpg', bytes: tall }),
    image('small'),
  ])
  const served = async (id: string) => {
    const answer = await mounted.fetch(new Request(`http://localhost/gdrive/images/${id}`))
    t.equal(answer.status, 200)
    return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const [one, two] = await Promise.all([served('tall'), served('tall')])
  t.strictSame(one.bytes, two.bytes)
  t.equal(drive.count('media'), 1, 'concurrent requests share one copy')
  const about = await sharp(one.bytes).metadata()
  t.strictSame([about.format, about.width, about.height, about.exif], ['webp', 410, 1024, undefined])
  t.match(Object.fromEntries(one.headers), {
    'content-type': 'image/webp',
    'cache-control': 'private, max-age=31536000, immutable',
    'content-security-policy': 'sandbox',
    'content-length': String(one.bytes.length),
  })
  const etag = one.headers.get('etag') ?? ''
  const url = '/gdrive/images/tall'
  t.equal((await mounted.inject({ url, headers: { 'if-none-match': etag } })).status, 304)
  t.equal((await mounted.inject({ url, method: 'HEAD' })).status, 200)
  const small = await sharp((await served('small')).bytes).metadata()
  t.strictSame([small.width, small.height], [3, 2], 'images are not enlarged')

  t.match((await bring('tall')).json(), {
    url: 'http://localhost:4200/generated-images/gdrive_tall.webp',
    fileName: 'gdrive_tall.webp',
    bytes: one.bytes.length,
    width: 410,
    height: 1024,
    alt: 'A tall one',
  })
  t.equal((await ask('/generated-images/gdrive_tall.webp')).status, 200)
  drive.store.clear()
  const copy = { fileName: 'gdrive_tall.webp', alt: '' }
  t.match((await bring('tall')).json(), copy, 'a copy outlives the image')
  t.equal((await ask(url)).status, 200)
  t.equal(drive.count('media'), 2)
  t.strictSame(await names(), ['gdrive_small.webp', 'gdrive_tall.webp'])
})

t.test('an import may name the folder that must contain the image', async (t) => {
  const stored = [
    folder('folder-below', root),
    folder('folder-beside', root),
    folder('folder-secret', 'drive-root'),
    image('one', 'folder-below'),
    image('two', 'folder-beside'),
  ]
  const { bring, drive, names } = await setting(t, stored)
  for (const folderId of ['folder-below', root, ' https://drive.google.com/drive/folders/folder-below ', ''])
    t.match(await bring('one', { folderId }), { status: 200 }, folderId)
  for (const [id, folderId, status, code] of [
    ['one', 'folder-beside', 404, 'not_found'],
    ['two', 'folder-below', 404, 'not_found'],
    ['two', "a' or 'b", 400, 'invalid_folder'],
    ['two', 'folder-secret', 403, 'folder_not_allowed'],
    ['../x', root, 400, 'invalid_file_id'],
  ] as const)
    t.match(refused(await bring(id, { folderId })), { status, code }, `${id} in ${folderId}`)
  drive.faults.about = googleError(500, 'backendError')
  for (const folderId of ['folder-beside', root])
    t.match(refused(await bring('one', { folderId })), notFound, 'its folder is unknown')
  t.strictSame(await names(), ['gdrive_one.webp'])
})

t.test('chat prefers an image from the folder of the site if its name matches', async (t) => {
  const drive = await startDrive(t, [
    folder('folder-more', 'drive-root'),
    folder('folder-secret', 'drive-root'),
    image('plan', root, { name: 'overview.png' }),
    image('damaged', root, { name: 'red_kayak-broken.png', bytes: files.png.subarray(0, 50) }),
    image('kayak', root, { name: 'Red-Kayak_at the lake.png' }),
    image('other', root, { name: 'blue kayak.png' }),
    image('more', 'folder-more', { name: 'harbours.png' }),
  ])
  const stock = sourceOf('stock', named('stock'))
  const { wishHero, hero, props } = await startImageChat(t, [stock], {
    env: { ...drive.account, GOOGLE_DRIVE_FOLDER_ID: root, GOOGLE_DRIVE_ALLOWED_FOLDERS: 'folder-more' },
  })
  const kayak = 'http://localhost:4200/generated-images/gdrive_kayak.webp'
  t.match(await wishHero('red kayak'), { status: 'applied' })
  t.match((await props())[0], { imageUrl: kayak, imageAlt: 'Red Kayak at the lake' })
  t.match(await wishHero('red kayak'), { status: 'applied' })
  t.match(await hero(), /gdrive_other/, 'no image is used twice on a page; the next best is taken')
  for (const query of ['over', 'harbour', 'kayak regatta finish']) {
    t.match(await wishHero(query), { status: 'applied' })
    t.equal(await hero(), at('stock', query), query)
  }
  const siteContext = { gdriveFolderId: 'https://drive.google.com/drive/folders/folder-more' }
  t.match(await wishHero('harbour', { siteContext }), { status: 'applied' })
  t.match(await hero(), /gdrive_more/)
  t.match(await wishHero('kayak', { siteContext: { gdriveFolderId: 'folder-secret' } }), {
    status: 'applied',
  })
  t.equal(await hero(), at('stock', 'kayak'), 'no image from a folder that is not allowed')
  const without = await startImageChat(t, [stock], { env: drive.account })
  t.match(await without.wishHero('red kayak'), { status: 'applied' })
  t.equal(await without.hero(), at('stock', 'red kayak'), 'no folder is configured')
})

t.test('a file that cannot be shown as an image is not found, and not stored', async (t) => {
  const html = Buffer.from('<html><script>alert(1)</script></html>')
  const stored = [
    image('page', root, { bytes: html }),
    image('half', root, { bytes: files.jpeg.subarray(0, files.jpeg.length - 40), mimeType: 'image/jpeg' }),
    image('half-png', root, { bytes: files.png.subarray(0, 50) }),
    image('bomb', root, { bytes: png(16_385, 16_385, 1) }),
    image('pdf', root, { bytes: files.pdf }),
    image('empty', root, { bytes: new Uint8Array() }),
    image('huge', root, { size: String(25 * 1024 * 1024 + 1) }),
    image('liar', root, { bytes: Buffer.alloc(25 * 1024 * 1024 + 1), size: '10' }),
    image('doc', root, { mimeType: 'application/pdf', bytes: files.pdf }),
    image('trash', root, { trashed: true }),
    image('broken', root, { bytes: png(3, 2, 1) }),
  ]
  const { show, drive, names, lines } = await setting(t, stored)
  for (const { id } of stored) t.match(refused(await show(id)), notFound, id)
  t.strictSame(await names(), [])
  t.equal(drive.count('media'), stored.length - 3, 'files ruled out by their metadata are not downloaded')
  t.match(lines.join(), /Google Drive image was refused/)
})

const saying =
  (json: string): Fault =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(json)

/** Failures of Drive. */
const faults: readonly (readonly [name: string, fault: Fault, says: RegExp])[] = [
  ['401', googleError(401, 'authError'), /GOOGLE_SERVICE_ACCOUNT_KEY_JSON/],
  ['403', googleError(403, 'insufficientFilePermissions'), /GOOGLE_SERVICE_ACCOUNT_KEY_JSON/],
  ['403, too often', googleError(403, 'rateLimitExceeded'), /status 403/],
  ['404', googleError(404, 'notFound'), /unexpected answer/],
  ['429', googleError(429, 'rateLimitExceeded'), later],
  ['500', googleError(500, 'backendError'), later],
  ['503 as HTML', htmlPage(503), later],
  ['HTML', htmlPage(200), /no usable answer/],
  ['a redirect', redirecting('http://169.254.169.254/latest/meta-data'), /status 302/],
  ['nothing', (response) => void response.destroy(), /no usable answer/],
  ['no end', endless, /no usable answer/],
  ['another JSON', saying('{"files":7}'), /unexpected answer/],
]

t.test('on every Drive failure a list says so and is not cached, and an image is not found', async (t) => {
  const { drive, list, ids, show, lines, names } = await setting(t, [image('one')])
  for (const [name, fault, says] of faults) {
    drive.faults.list = fault
    t.match(await list(), { items: emptyList, degraded: true, reason: says }, name)
    drive.faults.list = undefined
    for (const kind of ['about', 'media'] as const) {
      if (kind === 'media' && name === 'another JSON') continue
      drive.faults[kind] = fault
      t.match(refused(await show('one')), notFound, `${name}, ${kind}`)
      drive.faults[kind] = undefined
    }
  }
  drive.faults.about = googleError(500, 'backendError')
  const unchecked = await list('folderId=folder-other')
  t.match(unchecked, { items: emptyList, degraded: true, reason: later }, 'the folder cannot be checked')
  drive.faults.about = undefined
  t.strictSame(await names(), [])
  t.strictSame(await ids(), ['one'], 'it recovers')
  t.equal((await show('one')).status, 200)
  t.notMatch(lines.join(), /marker|BEGIN|ya29/)
})

t.test('a stalled Drive request times out', async (t) => {
  const options = { listingMs: 100, copyMs: 100 }
  const { drive, list, show } = await setting(t, [image('one')], { options })
  drive.faults.list = stalling
  t.match(await list(), { items: emptyList, degraded: true, reason: /took too long/ })
  for (const kind of ['about', 'media'] as const) {
    drive.faults[kind] = stalling
    t.match(refused(await show('one')), notFound, kind)
    drive.faults[kind] = undefined
  }
})

t.test('a failing folder leaves a partial list', async (t) => {
  const { drive, list } = await setting(t, [
    image('one'),
    folder('folder-one', root),
    folder('folder-two', root),
    image('two', 'folder-two'),
  ])
  let asked = 0
  const inRoot = [
    { id: 'one', name: 'one.png', mimeType: 'image/png' },
    { id: 'no id/', name: 7 },
    { id: 'folder-one', name: 'f', mimeType: folderType },
    { id: root, name: 'loop', mimeType: folderType },
  ]
  drive.faults.list = (response, { url }) => {
    asked++
    const query = url.searchParams.get('q') ?? ''
    if (query.includes('folder-one')) return googleError(500, 'backendError')(response)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ files: query.includes(root) ? inRoot : [] }))
  }
  t.match(await list(), { items: [{ id: 'one' }], degraded: true, reason: later })
  t.equal(asked, 2, 'a folder is read once, even if it contains itself')
})

t.test('a token is reused until it expires or is rejected', async (t) => {
  const { drive, list, ids, time, show } = await setting(t, [image('one')])
  await Promise.all([list(), list('q=a'), list('q=b')])
  t.equal(drive.count('token'), 1)
  time.advance(58 * 60_000)
  await list()
  t.equal(drive.count('token'), 1)
  time.advance(2 * 60_000)
  await list('refresh=1')
  t.equal(drive.count('token'), 2, 'a token about to expire is not used')
  drive.forgetTokens()
  t.strictSame(await ids('refresh=1'), ['one'])
  t.equal(drive.count('token'), 3, 'a rejected token is replaced')

  time.advance(60 * 60_000)
  const wrong: readonly (readonly [string, Fault, RegExp])[] = [
    ['invalid_grant', tokenError(400, 'invalid_grant'), /GOOGLE_SERVICE_ACCOUNT_KEY_JSON/],
    ['500', htmlPage(500), later],
    ['no token', saying('{"expires_in":1}'), /unexpected answer/],
    ['a token with a line break', saying('{"access_token":"a\\r\\nb"}'), /unexpected answer/],
    ['HTML', htmlPage(200), /no usable answer/],
    ['redirect', redirecting('http://10.0.0.1/'), /status 302/],
  ]
  for (const [name, fault, says] of wrong) {
    drive.faults.token = fault
    t.match(await list('refresh=1'), { degraded: true, reason: says }, name)
    t.equal((await show('one')).status, 404, name)
  }
  t.strictSame(drive.problems, [])
})

t.test('the key file may not name a private address other than that of Drive', async (t) => {
  const drive = await startDrive(t, [image('one')])
  const other = await startDrive(t)
  const env = {
    ...drive.account,
    GOOGLE_SERVICE_ACCOUNT_KEY_JSON: JSON.stringify({ ...drive.keyFile, token_uri: `${other.origin}/token` }),
    GOOGLE_DRIVE_FOLDER_ID: root,
  }
  const mounted = mountForTest(t, draftsInMemory({ plugins: [use(media), use(gdrive, {})], env }))
  t.match((await mounted.inject({ url: '/gdrive/images' })).json(), { items: emptyList, degraded: true })
  t.equal(other.seen.length, 0)
})

t.test('concurrent image fetches are limited, and one more is rejected at once', async (t) => {
  const many = Array.from({ length: 52 }, (_, at) => image(`i${at}`))
  const { drive, show } = await setting(t, many)
  const { promise: opened, resolve: open } = Promise.withResolvers<undefined>()
  const { promise: full, resolve: fill } = Promise.withResolvers<undefined>()
  let under = 0
  let most = 0
  drive.faults.media = async (response) => {
    most = Math.max(most, ++under)
    if (under === 2) fill(undefined)
    await opened
    under--
    response.writeHead(200).end(files.png)
  }
  const asked = Array.from({ length: 50 }, (_, at) => show(`i${at}`))
  await full
  t.match(refused(await show('i51')), { status: 503, code: 'gdrive_busy' })
  open(undefined)
  t.ok((await Promise.all(asked)).every(({ status }) => status === 200))
  t.equal(most, 2)
})

t.test('copies count towards the storage limit', async (t) => {
  const { show, names } = await setting(t, [image('one')], { env: { MEDIA_STORE_MAX_BYTES: '10' } })
  t.match(refused(await show('one')), { status: 507, code: 'storage_full' })
  t.strictSame(await names(), [])
})

t.test('a publish includes Drive images, and fetches those not stored yet', async (t) => {
  const drive = await startDrive(t, [image('seen'), image('new'), image('secret', 'folder-secret')])
  const site = await startWebsite(t)
  const own = 'https://editor.example'
  const env = {
    ...drive.account,
    GOOGLE_DRIVE_FOLDER_ID: root,
    ORCHESTRATOR_CORS_ORIGINS: site.origin,
    ORCHESTRATOR_PUBLIC_ORIGIN: own,
  }
  const time = stillClock(systemClock.now().toISOString())
  const plugins = [use(media), use(gdrive, {})]
  const { inject } = mountForTest(t, { ...publishing({ env, time, plugins }), log: capturedLog().log })
  const edit = editor(inject)
  await inject({ url: '/gdrive/images/seen' })
  const props = {
    seen: `${own}/gdrive/images/seen`,
    fresh: `${own}/gdrive/images/new`,
    stored: `${own}/generated-images/gdrive_seen.webp`,
    secret: `${own}/gdrive/images/secret`,
    gone: `${own}/gdrive/images/gone`,
    odd: `${own}/gdrive/images/${'x'.repeat(140)}`,
  }
  await edit.bootstrap([page('/', 'Hello', props)])
  t.equal((await edit.send('/publish', { siteOrigin: site.origin })).status, 200)
  const [sent] = site.sent()
  const [seen, fresh] = ['/generated-images/gdrive_seen.webp', '/generated-images/gdrive_new.webp']
  t.match(sent?.body['pages'], [{ blocks: [{ props: { ...props, seen, fresh, stored: seen } }] }])
  t.strictSame(
    Object.keys(Object(sent?.body['assets'])).toSorted(),
    [props.seen, props.fresh, props.stored].toSorted(),
  )
})
