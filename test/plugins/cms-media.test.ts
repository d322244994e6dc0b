import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { definePlugin, Refusal, use, type Injected } from '../../kernel/index.ts'
import { capturedLog, everyWayIn, mountForTest, openGates, type TestSetting } from '../../kernel/testing.ts'
import { cmsProviders, defineCmsProvider } from '../../plugins/media/cms/port.ts'
import cmsMedia from '../../plugins/media/cms/index.ts'
import type { ContentAdapter, MediaFile, MediaItem, MediaQuery } from '../../plugins/content/port.ts'
import outbound from '../../plugins/outbound/index.ts'
import scope from '../../plugins/scope/index.ts'
import { startLibrary } from '../helpers/library.ts'
import { files, largePng, textField, upload, type FormFile } from '../helpers/media-files.ts'
import {
  faults,
  keys,
  said,
  shots,
  silent,
  startContentful,
  startSanity,
  startStrapi,
  type Shot,
} from '../helpers/media-providers.ts'
import { editor, refused, startStack } from '../helpers/stack.ts'
import { emptyList } from '../helpers/plain.ts'

const setting = (
  env: Readonly<Record<string, string>> = {},
  options: Parameters<typeof use<object>>[1] = {},
  more: TestSetting['plugins'] = [],
): TestSetting => ({
  plugins: [use(outbound), use(scope, {}), use(cmsMedia, options), ...more],
  seeds: openGates,
  env,
})
const open = (t: Test, ...parts: Parameters<typeof setting>) => mountForTest(t, setting(...parts))
const browsing = (json: object = {}) => ({ method: 'POST', url: '/media/cms', json })
const text = v.string()
const image = (file: FormFile) => upload('/media/cms', { field: 'image', ...file })
const photo = { type: 'image/png', bytes: files.png, fileName: 'my photo.png' }
const Shown = v.object({
  items: v.array(v.object({ id: text, name: text, imageUrl: text, thumbUrl: text, alt: text })),
  totalPages: v.number(),
  provider: text,
})
const shownIn = (answer: Injected) => v.parse(Shown, answer.json())
const namesIn = (answer: Injected) => shownIn(answer).items.map(({ name }) => name)
const lastQuery = ({ seen }: { readonly seen: readonly { readonly url: string | undefined }[] }) =>
  Object.fromEntries(new URL(seen.at(-1)?.url ?? '', 'http://x').searchParams)

/** Every provider on a local server, configured by environment variables. */
const providers = {
  async contentful(t: Test, all?: readonly Shot[]) {
    const server = await startContentful(t, all)
    const space = { CONTENTFUL_SPACE_ID: 'space1', CONTENTFUL_DELIVERY_TOKEN: keys.contentful }
    return { server, secret: keys.contentful, env: { ...space, CONTENTFUL_BASE_URL: server.origin } }
  },
  async sanity(t: Test, all?: readonly Shot[]) {
    const server = await startSanity(t, all)
    return { server, secret: 'none', env: { SANITY_PROJECT_ID: 'p', SANITY_BASE_URL: server.origin } }
  },
  async strapi(t: Test, all?: readonly Shot[], options?: Parameters<typeof startStrapi>[2]) {
    const server = await startStrapi(t, all, options)
    const allowed = { FETCH_ALLOWED_ORIGINS: server.origin }
    const env = { STRAPI_URL: `${server.origin}/cms/`, STRAPI_TOKEN: keys.strapi, ...allowed }
    return { server, secret: keys.strapi, env }
  },
} as const
const each = Object.entries(providers)

t.test('images of every CMS are browsed, searched and paged', async (t) => {
  for (const [provider, begin] of each) {
    const { env } = await begin(t)
    const whole = () => setting(env)
    await t.test(provider, (t) =>
      everyWayIn(t, whole, async (t, ask) => {
        t.match(shownIn(await ask(browsing({ limit: 2 }))), { provider, totalPages: 2 })
        for (const [body, names] of [
          [{ limit: 2 }, ['lake-at-dawn.jpg', 'red kayak.jpg']],
          [{ limit: 2, page: 2 }, ['lake-house.png']],
          [{ query: ' lake ' }, ['lake-at-dawn.jpg', 'lake-house.png']],
          [{ q: 'kayak' }, ['red kayak.jpg']],
          [{ query: 'nothing' }, []],
        ] as const)
          t.strictSame(namesIn(await ask(browsing(body))), names)
      }),
    )
  }
})

t.test('each CMS is called in the form of its API, and returns images in the requested size', async (t) => {
  const [contentful, sanity, strapi] = [
    await providers.contentful(t),
    await providers.sanity(t),
    await providers.strapi(t),
  ]
  const shown = async (env: Readonly<Record<string, string>>, body: object) =>
    shownIn(await open(t, env).inject(browsing({ limit: 1, ...body }))).items
  const red = 'https://images.ctfassets.net/space1/a-b_c-d_e-f/red%20kayak.jpg'
  t.strictSame(await shown(contentful.env, { page: 2, query: 'a' }), [
    {
      id: 'a-b_c-d_e-f',
      name: 'red kayak.jpg',
      alt: 'A red kayak',
      imageUrl: `${red}?w=1600&q=80`,
      thumbUrl: `${red}?w=300&h=200&fit=thumb`,
    },
  ])
  const sorted = { mimetype_group: 'image', order: '-sys.createdAt' }
  t.strictSame(lastQuery(contentful.server), { ...sorted, limit: '1', skip: '1', query: 'a' })

  const hostile = 'x"] | {"token": secret'
  t.strictSame(await shown(sanity.env, { query: hostile }), [])
  for (const { url = '' } of sanity.server.seen) {
    const { searchParams } = new URL(url, 'http://x')
    t.equal(searchParams.get('$q'), JSON.stringify(`*${hostile}*`))
    t.notMatch(searchParams.get('query'), 'token', 'the search text is not part of the query')
  }
  const lake = { name: 'lake-at-dawn.jpg', alt: 'A lake at dawn' }
  const cdn = 'https://cdn.sanity.io/images/p/production/LBI7cgq3pbM.jpg'
  t.strictSame(await shown(sanity.env, {}), [
    { id: 'image-LBI7cgq3pbM', ...lake, imageUrl: cdn, thumbUrl: `${cdn}?w=200&h=200&fit=crop` },
  ])

  const base = `${strapi.server.origin}/cms/uploads`
  const small = `${base}/thumbnail_LBI7cgq3pbM.jpg`
  t.strictSame(await shown(strapi.env, { query: 'lake' }), [
    { id: '1', ...lake, imageUrl: `${base}/LBI7cgq3pbM.jpg`, thumbUrl: small },
  ])
  t.strictSame(lastQuery(strapi.server), {
    'filters[mime][$startsWith]': 'image',
    'pagination[page]': '1',
    'pagination[pageSize]': '1',
    sort: 'createdAt:desc',
    'filters[name][$containsi]': 'lake',
  })
  for (const pages of [true, false]) {
    const { inject } = open(t, (await providers.strapi(t, shots, { counts: false, pages })).env)
    for (const [page, names] of [
      [1, ['lake-at-dawn.jpg', 'red kayak.jpg']],
      [2, ['lake-house.png']],
    ] as const) {
      const answer = await inject(browsing({ limit: 2, page }))
      t.strictSame([namesIn(answer), shownIn(answer).totalPages], [names, 2])
    }
  }
})

t.test('a failing CMS is an empty page with a reason, without a token or its answer', async (t) => {
  for (const [provider, begin] of each) {
    const { server, env, secret } = await begin(t)
    const { log, lines } = capturedLog()
    const mounted = mountForTest(t, { ...setting(env), log })
    for (const [name, fault, reason] of faults) {
      server.fail(fault)
      const answer = await mounted.inject(browsing())
      t.equal(answer.status, 200, `${provider}: ${name}`)
      const empty = { items: [], totalPages: 0, degraded: true, reason }
      t.match(answer.json(), { ...empty, provider }, `${provider}: ${name}`)
      t.notMatch(answer.text, said)
      if (provider === 'contentful')
        t.match((await mounted.inject({ url: '/contentful/assets' })).json(), empty, name)
    }
    t.notMatch(lines.join('\n'), secret)
    server.fail(silent)
    t.match(
      (await open(t, env, { timeoutMs: 50 }).inject(browsing())).json(),
      { degraded: true, reason: /took too long/ },
      provider,
    )
  }
})

const elsewhere = [
  'http://images.example/x.jpg',
  'javascript:alert(1)',
  'data:image/png;base64,AA',
  'https://ada:word@images.example/x.jpg',
  `https://images.example/${'x'.repeat(2_100)}`,
  'https://images.example/"onerror="x',
  'ftp://images.example/x',
]

t.test('every image address is https or of the CMS itself', async (t) => {
  for (const [provider, begin] of each) {
    const bad = elsewhere.map((url, at): Shot => ({ id: `bad-${at}`, name: `bad ${at}`, alt: '', url }))
    const { env } = await begin(t, [
      ...bad,
      { id: 'fine', name: 'fine\n\u0000 one', alt: 'x'.repeat(400), url: 'https://images.example/fine.jpg' },
    ])
    const { items } = shownIn(await open(t, env).inject(browsing({ limit: 50 })))
    t.strictSame(
      items.map(({ name }) => name),
      ['fine one'],
      provider,
    )
    t.equal(items[0]?.alt.length, 300)
  }
})

t.test('an address in a private network is called only if the operator listed it', async (t) => {
  const { server, env: all } = await providers.strapi(t)
  const { FETCH_ALLOWED_ORIGINS, ...env } = all
  const stored = { provider: 'strapi', url: `${server.origin}/cms`, token: keys.strapi }
  const cases = [
    ['a variable', env, {}, {}],
    ['stored settings', {}, { sites: { acme: { cmsMedia: stored } } }, { siteId: 'acme' }],
    ['a request', {}, {}, { config: stored }],
    ['a request, by another spelling', {}, {}, { config: { ...stored, url: 'http://0x7f.1' } }],
    ['a request, in another network', {}, {}, { config: { ...stored, url: 'http://169.254.169.254' } }],
  ] as const
  for (const [name, variables, options, body] of cases) {
    t.match(
      refused(await open(t, variables, options).inject(browsing(body))),
      { status: 400, code: 'fetch_refused', reason: /FETCH_ALLOWED_ORIGINS/ },
      name,
    )
  }
  t.equal(server.seen.length, 0)
  for (const [name, variables, options, body] of cases.slice(0, 3)) {
    const { inject } = open(t, { FETCH_ALLOWED_ORIGINS, ...variables }, options)
    t.equal(namesIn(await inject(browsing(body))).length, 3, name)
  }
})

t.test('a site has the CMS of its settings, another one the first that variables set up', async (t) => {
  const [contentful, sanity, strapi] = [
    await providers.contentful(t),
    await providers.sanity(t),
    await providers.strapi(t, [{ id: 'x', name: 'of acme', alt: '' }]),
  ]
  const env = { ...contentful.env, ...sanity.env, ...strapi.env }
  const sites = {
    Acme: { cmsMedia: { provider: 'strapi', url: `${strapi.server.origin}/cms`, token: keys.strapi } },
    beta: {},
  }
  const { inject } = open(t, env, { sites })
  t.strictSame(namesIn(await inject(browsing({ siteId: 'acme', session: 'review' }))), ['of acme'])
  for (const siteId of ['beta', 'other', undefined])
    t.match(shownIn(await inject(browsing({ siteId }))), { provider: 'contentful' })
  t.match(shownIn(await open(t, { ...sanity.env, ...strapi.env }).inject(browsing())), { provider: 'sanity' })
  t.match(shownIn(await open(t, strapi.env).inject(browsing())), { provider: 'strapi' })
})

t.test('in production a request may name a CMS of a listed origin only', async (t) => {
  const { server, env } = await providers.strapi(t, [{ id: 'x', name: 'of the request', alt: '' }])
  const contentful = await providers.contentful(t)
  const config = { provider: 'strapi', url: env.STRAPI_URL, token: env.STRAPI_TOKEN }
  const variables = { ...contentful.env, FETCH_ALLOWED_ORIGINS: server.origin }
  const providerOf = async (more: Readonly<Record<string, string>>) =>
    shownIn(await open(t, { ...variables, ...more }).inject(browsing({ config }))).provider
  t.equal(await providerOf({}), 'strapi')
  t.equal(await providerOf({ NODE_ENV: 'production' }), 'contentful')
  t.equal(
    await providerOf({
      NODE_ENV: 'production',
      CMS_MEDIA_ALLOWED_ORIGINS: `https://cms.example, ${server.origin}/`,
    }),
    'strapi',
  )
})

t.test('invalid settings are reported by name, never with their values', async (t) => {
  const { inject } = open(t)
  const secret = 'a token\nthat is none'
  const cases = [
    [{ provider: 'wordpress' }, /contentful, sanity, strapi/],
    [
      { provider: 'contentful', spaceId: 'a/b', deliveryToken: 'x' },
      /'config\.spaceId' of the body is not valid: must be 1 to 64 letters/,
    ],
    [{ provider: 'contentful', spaceId: 'a', deliveryToken: secret }, /'config\.deliveryToken'/],
    [{ provider: 'contentful', spaceId: 'a' }, /deliveryToken is required/],
    [{ provider: 'sanity', projectId: 'p.evil.example#' }, /'config\.projectId'/],
    [{ provider: 'strapi', url: 'file:///etc/passwd' }, /'config\.url'/],
    [{ provider: 'strapi', url: 'http://ada:word@cms.example' }, /'config\.url'/],
    [{}, /provider is required/],
    [7, /config/],
  ] as const
  for (const [config, reason] of cases) {
    const answer = await inject(browsing({ config }))
    t.match(refused(answer), { status: 400, code: 'invalid_request', reason }, JSON.stringify(config))
    t.notMatch(answer.text, 'that is none')
  }
  const bodies = [{ query: 'x'.repeat(201) }, { page: 0 }, { limit: 51 }, { limit: 1.5 }, { page: '1' }]
  for (const body of [...bodies, { session: 'other::dev' }])
    t.match(
      refused(await inject(browsing(body))),
      { status: 400, code: 'invalid_request' },
      JSON.stringify(body),
    )
  const sites = {
    acme: { cmsMedia: { provider: 'contentful', spaceId: '!', deliveryToken: secret } },
    beta: { cmsMedia: { provider: 'wordpress', token: secret } },
  }
  const failing = (...parts: Parameters<typeof setting>): Promise<string> =>
    open(t, ...parts)
      .ready()
      .then(() => '', String)
  const failed = await failing({}, { sites })
  t.match(failed, /cms-media: option 'sites\.acme\.cmsMedia\.spaceId': must be 1 to 64/)
  t.match(failed, /option 'sites\.acme\.cmsMedia\.deliveryToken': must be one word/)
  t.match(failed, /option 'sites\.beta\.cmsMedia\.provider': expected one of contentful, sanity, strapi/)
  t.notMatch(failed, 'that is none')
  const origins = await failing({ CMS_MEDIA_ALLOWED_ORIGINS: 'https://cms.example, cms.example' })
  t.match(origins, /CMS_MEDIA_ALLOWED_ORIGINS: must be origins such as/)
})

t.test('without a CMS the routes name the required settings, and the features are off', async (t) => {
  const stack = await startStack(t, { env: { CONTENTFUL_SPACE_ID: 'half', STRAPI_TOKEN: 'of-nothing' } })
  t.match(refused(await stack.ask(browsing())), {
    status: 404,
    code: 'cms_media_not_configured',
    reason: /CONTENTFUL_DELIVERY_TOKEN.*SANITY_PROJECT_ID or STRAPI_URL.*sites of cms-media/,
  })
  const unset = { status: 404, code: 'contentful_not_configured', reason: /CONTENTFUL_DELIVERY_TOKEN/ }
  t.match(refused(await stack.ask({ url: '/contentful/assets' })), unset)
  t.match((await stack.ask({ url: '/status/planner' })).json(), {
    features: { contentful: false, cmsMedia: false },
  })
  const unsupported = { status: 501, code: 'cms_upload_unsupported', reason: /uploadMedia/ }
  t.match(refused(await stack.ask(image(photo))), unsupported, 'nor is there an adapter that stores images')
})

t.test('Contentful images have a separate route', async (t) => {
  const { env, server } = await providers.contentful(t)
  const { inject } = open(t, env, {
    sites: { 'avocado-stories': { cmsMedia: { provider: 'sanity', projectId: 'p' } } },
  })
  for (const [query, limit, skip] of [
    ['', '20', '0'],
    ['limit=many&page=many', '20', '0'],
    ['limit=99&page=0', '20', '0'],
    ['limit=0', '1', '0'],
    ['limit=1&page=2', '1', '1'],
  ] as const) {
    const answer = await inject({ url: `/contentful/assets?q=lake&${query}` })
    t.match(shownIn(answer), { provider: 'contentful' })
    t.match(lastQuery(server), { query: 'lake', limit, skip }, query)
  }
})

t.test('no route that reads a configuration reveals CMS tokens', async (t) => {
  const { env } = await providers.strapi(t)
  const cmsMedia = { provider: 'strapi', url: 'https://cms.example', token: 'a-stored-token-of-a-cms' }
  const stack = await startStack(t, { env, plugins: [['media-cms', { sites: { acme: { cmsMedia } } }]] })
  const { send, config, get } = editor(stack.ask)
  await send('/sites', { id: 'acme', siteName: 'Acme', cmsMedia, gdriveFolderId: 'folder-of-the-test' })
  await config({ tone: 'calm', cmsMedia, gdriveFolderId: 'folder-of-the-test' })
  for (const path of ['/draft/site-config', '/sites', '/publish/content', '/status/planner', '/whoami']) {
    const { status, text } = await get(path)
    t.equal(status, 200, path)
    for (const secret of ['a-stored-token', 'cmsMedia":{', 'folder-of-the-test', keys.strapi])
      t.notMatch(text, secret, `${path} ${secret}`)
  }
})

t.test('a plugin adds another CMS with its own settings and library', async (t) => {
  const wiki = definePlugin({ name: 'wiki', tag: 'In-house', gives: { provider: cmsProviders } }).setup(
    () => ({
      gives: {
        provider: defineCmsProvider({
          name: 'wiki',
          usual: { url: 'https://wiki.example', fails: '' },
          settings: v.object({ url: v.string(), fails: v.optional(v.string(), '') }),
          open: ({ url, fails }) => ({
            origin: new URL(url).origin,
            async list({ query, signal }: MediaQuery) {
              if (fails === 'refused')
                throw new Refusal({ status: 403, code: 'wiki_closed', reason: 'The wiki is closed today.' })
              if (fails === 'late')
                return new Promise((_, reject) =>
                  signal.addEventListener('abort', () => reject(new Error('aborted'))),
                )
              if (fails === 'hangs') return new Promise(() => undefined)
              if (fails === 'odd') return JSON.parse('{"items":7}')
              if (fails !== '') throw new Error(said)
              return { items: [{ id: '1', name: query, imageUrl: `${url}/1.png` }], totalPages: 1 }
            },
          }),
        }),
      },
    }),
  )
  const sites = { acme: { cmsMedia: { provider: 'wiki', url: 'http://wiki.example' } } }
  const { inject } = open(t, {}, { sites, timeoutMs: 40 }, [use(wiki)])
  const url = 'https://wiki.example/1.png'
  const boat = { id: '1', name: 'boat', alt: '', imageUrl: url, thumbUrl: url }
  t.strictSame(shownIn(await inject(browsing({ query: 'boat' }))).items, [boat])
  const ofAcme = shownIn(await inject(browsing({ siteId: 'acme' })))
  t.match(ofAcme.items, [{ imageUrl: 'http://wiki.example/1.png' }])
  const failing = (fails: string) =>
    inject(browsing({ config: { provider: 'wiki', url: 'https://wiki.example', fails } }))
  t.match(refused(await failing('refused')), { status: 403, code: 'wiki_closed' })
  for (const [fails, reason] of [
    ['late', /took too long/],
    ['hangs', /took too long/],
    ['odd', /could not be read/],
    ['throws', /could not be read/],
  ] as const) {
    const answer = await failing(fails)
    t.match(answer.json(), { items: emptyList, provider: 'wiki', degraded: true, reason }, fails)
    t.notMatch(answer.text, said)
  }
})

/** Starts a website with this adapter on a socket. */
async function website(
  t: Test,
  media: Pick<ContentAdapter, 'listMedia' | 'uploadMedia'>,
  options: Parameters<typeof startLibrary>[2] = {},
  env: Readonly<Record<string, string>> = {},
) {
  const adapter = { readContent: async () => ({ pages: [] }), ...media }
  const library = await startLibrary(t, env, { adapter, siteId: 'acme', ...options })
  const left = () => readdir(join(library.dataDir, 'generated-images')).catch(() => [])
  return { ...library, left }
}

t.test('the adapter of a website comes first for its site, and its images may be paths', async (t) => {
  const asked: Pick<MediaQuery, 'query' | 'page' | 'limit'>[] = []
  const { env } = await providers.contentful(t)
  const items: MediaItem[] = [
    { id: '1', name: 'Boat', imageUrl: '/images/boat.jpg', thumbUrl: 'javascript:alert(1)', alt: 'A boat' },
    ...['//evil.example/x', ...elsewhere].map((imageUrl, at) => ({ id: `bad-${at}`, name: 'Bad', imageUrl })),
  ]
  const listMedia = async ({ query, page, limit }: MediaQuery) => {
    asked.push({ query, page, limit })
    return { items, totalPages: 3 }
  }
  const { ask } = await website(t, { listMedia }, {}, env)
  t.strictSame((await ask(browsing({ query: 'boat', page: 2, limit: 5 }))).json(), {
    items: [
      { id: '1', name: 'Boat', imageUrl: '/images/boat.jpg', thumbUrl: '/images/boat.jpg', alt: 'A boat' },
    ],
    totalPages: 3,
    provider: 'adapter',
  })
  t.strictSame(asked, [{ query: 'boat', page: 2, limit: 5 }])
  t.match(shownIn(await ask(browsing({ siteId: 'another' }))), { provider: 'contentful' })
  t.match((await ask({ url: '/status/planner' })).json(), { features: { cmsMedia: true, contentful: true } })
})

t.test('an image is checked, passed to the adapter unchanged, and not stored', async (t) => {
  const taken: { readonly file: MediaFile; readonly bytes: Buffer; readonly again: Buffer }[] = []
  const uploadMedia = async (file: MediaFile): Promise<MediaItem> => {
    taken.push({ file, bytes: await buffer(file.bytes()), again: await buffer(file.bytes()) })
    return { id: 'asset-1', name: file.name, imageUrl: 'https://cms.example/asset-1.png' }
  }
  const { ask, left } = await website(t, { uploadMedia })
  const [name, type, size, url] = [
    'my photo.png',
    'image/png',
    files.png.length,
    'https://cms.example/asset-1.png',
  ]
  const asset = { id: 'asset-1', name, alt: '', imageUrl: url, thumbUrl: url, bytes: size, mimeType: type }
  t.strictSame((await ask(image(photo))).json(), asset)
  t.match(taken[0]?.file, { name, type, size, width: 3, height: 2 })
  t.strictSame([taken[0]?.bytes, taken[0]?.again], [files.png, files.png])
  const large = largePng(5 * 1024 * 1024)
  await ask(image({ type: 'image/png', bytes: large }))
  t.strictSame(taken[1]?.bytes, large)
  for (const [status, code, request] of [
    [415, 'content_mismatch', image({ type: 'image/png', bytes: Buffer.from('<script>') })],
    [415, 'unsupported_image_type', image({ type: 'image/svg+xml', bytes: Buffer.from('<svg/>') })],
    [422, 'file_damaged', image({ type: 'image/png', bytes: files.png.subarray(0, -4) })],
    [400, 'file_empty', image({ type: 'image/png', bytes: Buffer.alloc(0) })],
    [400, 'wrong_field', image({ ...photo, field: 'file' })],
    [
      413,
      'file_too_large',
      image({ type: 'image/png', bytes: Buffer.concat([files.png, Buffer.alloc(10 * 1024 * 1024)]) }),
    ],
  ] as const)
    t.match(refused(await ask(request)), { status, code }, code)
  t.equal(taken.length, 2, 'the adapter receives none of them')
  t.strictSame(await left(), [])
  t.match(
    (await ask({ url: '/status/planner' })).json(),
    { features: { cmsMedia: false } },
    'an adapter that stores images need not list them',
  )
})

t.test('an upload names the field that it is for, and gets the value for it', async (t) => {
  const uses: unknown[] = []
  let value: string | undefined = '../img/a.png'
  const { ask } = await website(t, {
    async uploadMedia({ name, use }) {
      uses.push(use)
      if (use?.field === 'refused') throw new Refusal({ status: 400, code: 'x', reason: 'Not here.' })
      return { id: 'a', name, imageUrl: '/img/a.png', value }
    },
  })
  const named = (fields: Readonly<Record<string, string>>) =>
    ask(
      upload(
        '/media/cms',
        { field: 'image', ...photo },
        Object.entries(fields).map(([name, text]) => textField(name, text)),
      ),
    )
  const use = { slug: '/~docs/a.md', field: 'cover', before: './b.png', alt: 'A boat' }
  t.match((await named({ ...use, other: 'x' })).json(), { imageUrl: '/img/a.png', value })
  t.match((await named({ slug: '/~docs/a.md' })).json(), { value })
  await named({ field: 'cover' })
  t.strictSame(uses, [use, { slug: '/~docs/a.md' }, undefined])
  t.match(refused(await named({ ...use, field: 'refused' })), {
    status: 400,
    code: 'cms_upload_refused',
    reason: 'Not here.',
  })
  for (value of ['javascript:alert(1)', 'a b.png', '"><script>'])
    t.match(refused(await named(use)), { status: 502, code: 'cms_upload_failed' }, value)
})

t.test('an adapter that fails to store an image gives 502, with the reason in the log only', async (t) => {
  const failures: readonly NonNullable<ContentAdapter['uploadMedia']>[] = [
    () => {
      throw new Error(said)
    },
    async () => JSON.parse('{"id":7}'),
    async () => ({ id: '1', name: 'x', imageUrl: 'javascript:alert(1)' }),
    () => new Promise(() => undefined),
  ]
  let failure = failures[0]
  const config = { shape: 'library', plugins: [['media-cms', { uploadTimeoutMs: 60 }]] } as const
  const { ask, left, lines } = await website(
    t,
    { uploadMedia: (file) => failure?.(file) ?? Promise.reject(new Error('none')) },
    { config },
  )
  for (failure of failures) {
    const answer = await ask(image(photo))
    t.match(refused(answer), { status: 502, code: 'cms_upload_failed' })
    t.notMatch(answer.text, said)
  }
  t.match(lines.join('\n'), said)
  t.strictSame(await left(), [])
})
