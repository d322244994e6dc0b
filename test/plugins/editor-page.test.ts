import { writeFileSync } from 'node:fs'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createOrchestrator } from '../../config/index.ts'
import { fetchEditorPage, livePreviewScript, type EditorPageOptions, type Visit } from '../../config/site.ts'
import { systemClock } from '../../kernel/index.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { scopedTokens } from '../../plugins/auth/port.ts'
import type { Page } from '../../plugins/content/page.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { signAccess } from '../../plugins/scope/port.ts'
import { environment } from '../helpers/environment.ts'
import { serve } from '../helpers/raw.ts'
import { startStack, temporaryFolder } from '../helpers/stack.ts'

const secret = 'a-draft-secret-of-some-length'
const page = (slug: string, title: string): Page => ({
  id: `p${slug}`,
  slug,
  title,
  updatedAt: '2026-01-01T12:00:00.000Z',
  blocks: [],
})
const adapter = {
  readContent: async () => ({
    pages: [page('/about', 'Published about'), page('/', 'Published')],
    siteConfig: { name: 'Acme' },
  }),
}

const editor = 'https://editor.example'

const signed = (
  access = { siteId: 'acme', session: 'dev' },
  by = secret,
  now = systemClock.now(),
): Visit => ({ headers: { cookie: `theme=dark; editor_draft=${signAccess(access, { secret: by, now })}` } })

/** An orchestrator that the site mounts. */
function mounted(t: Test, basePath = '/') {
  environment(t, { ORCHESTRATOR_DATA_DIR: temporaryFolder(t), ORCHESTRATOR_DB_FILE: ':memory:' })
  const { log: logger } = capturedLog('silent')
  const made = createOrchestrator({ adapter, siteId: 'acme', basePath, logger })
  t.teardown(() => made.close())
  return made
}

/** An orchestrator with a draft of the site. */
async function drafted(t: Test): Promise<string> {
  const { ask, origin } = await startStack(t)
  const pages = [page('/', 'Draft'), page('/new', 'Only in the draft')]
  await ask({ method: 'POST', url: '/draft/bootstrap', json: { siteId: 'acme', pages } })
  await ask({
    method: 'PUT',
    url: '/draft/site-config',
    json: { siteId: 'acme', session: 'dev', config: { name: 'Drafted' } },
  })
  return origin
}

t.test('a visitor with access gets the draft, others the published page, as the result says', async (t) => {
  const orchestrator = await drafted(t)
  const options: EditorPageOptions = { adapter, orchestrator, draftSecret: secret, siteId: 'acme' }
  t.match(await fetchEditorPage('/', signed(), options), {
    source: 'draft',
    slug: '/',
    access: { siteId: 'acme', session: 'dev' },
    notice: undefined,
    live: { orchestrator, siteId: 'acme', session: 'dev', slug: '/', updatedAt: /^2026-/ },
    page: { title: 'Draft' },
    slugs: ['/', '/new'],
    siteConfig: { name: 'Drafted' },
  })
  t.match(await fetchEditorPage('/about', signed(), options), {
    source: 'draft',
    page: undefined,
    live: { slug: '/about', updatedAt: undefined },
  })
  t.strictSame(await fetchEditorPage('/', { headers: {} }, options), {
    source: 'published',
    slug: '/',
    access: undefined,
    redirect: undefined,
    notice: undefined,
    live: undefined,
    status: undefined,
    headers: {},
    page: page('/', 'Published'),
    slugs: ['/', '/about'],
    siteConfig: { name: 'Acme' },
  })
  t.match(await fetchEditorPage('/new', { headers: {} }, options), { source: 'published', page: undefined })
})

t.test('the page that visitors see answers a listed editor that asks for it, and no one else', async (t) => {
  const orchestrator = await drafted(t)
  const options = { adapter, orchestrator, draftSecret: secret, siteId: 'acme', editorOrigins: [editor] }
  const shown = (url: string) => fetchEditorPage('/', { ...signed(), url }, options)
  const asked = await shown(`/?__editor=0&editorOrigin=${editor}`)
  t.match(asked, { source: 'published', page: { title: 'Published' }, live: undefined })
  t.strictSame(asked.status, { editorOrigin: editor, slug: '/', reason: 'asked_for' })
  const spelled = await shown(`/?__editor=0&editorOrigin=${editor.toUpperCase()}/`)
  t.match(spelled.status, { editorOrigin: editor }, 'in another spelling')
  const stranger = await shown('/?__editor=0&editorOrigin=https://stranger.example')
  t.match(stranger, { source: 'published', status: undefined })
  t.equal(livePreviewScript(stranger), '')
})

t.test('a request is accepted in the form of every framework', async (t) => {
  const orchestrator = await drafted(t)
  const options = { adapter, orchestrator, draftSecret: secret, siteId: 'acme' }
  const { headers } = signed()
  const cookie = 'cookie' in headers ? (headers.cookie ?? '') : ''
  const incoming = (more: object) => Object.assign(new IncomingMessage(new Socket()), more)
  for (const [name, visit] of Object.entries<Visit>({
    'a web request': new Request('https://www.example.com/', { headers: { cookie } }),
    'node:http, Express, Fastify': incoming({ url: '/', headers: { cookie } }),
    'headers alone': { headers: new Headers({ cookie }) },
    'the secret in the address': incoming({ url: `/?secret=${secret}&siteId=acme#x` }),
    'the secret in a query': { headers: {}, url: `?${new URLSearchParams({ secret })}` },
  }))
    t.match(await fetchEditorPage('/', visit, options), { source: 'draft' }, name)
})

t.test('only the signed cookie or the secret opens a draft, and a notice explains a refusal', async (t) => {
  const orchestrator = await drafted(t)
  const options: EditorPageOptions = { adapter, orchestrator, draftSecret: secret, siteId: 'acme' }
  const [past, future] = [new Date('2020-01-01'), new Date('2100-01-01')]
  const at = (url: string): Visit => ({ headers: {}, url })
  const by = (cookie: string): Visit => ({ headers: { cookie } })
  const hints = '__editor=1&siteId=acme&session=dev&editorOrigin=http://localhost:4100'
  for (const [name, visit] of Object.entries<Visit>({
    'every signal but the secret': at(`/?${hints}`),
    'a wrong secret': at('/?secret=guess'),
    'an empty secret': at('/?secret='),
    'cookies without authorisation': by('editor_draft_session=dev; editor_draft_site_id=acme'),
    'a cookie signed with the old secret': signed(undefined, 'the secret before it was changed'),
    'a cookie for another site': signed({ siteId: 'other', session: 'dev' }),
    'an expired cookie': signed(undefined, secret, past),
    'a forged cookie': by('editor_draft=e30.AAAA'),
    'a truncated cookie': by(`${Object.values(signed().headers)[0]}`.slice(0, -4)),
  })) {
    const shown = await fetchEditorPage('/', visit, options)
    const notice = /DRAFT_MODE_SECRET must be the same/
    t.match(shown, { source: 'published', access: undefined, page: { title: 'Published' }, notice }, name)
    t.equal(livePreviewScript({ ...shown, status: undefined }), '')
  }
  t.match(await fetchEditorPage('/', signed(undefined, secret, future), options), { source: 'draft' })
  const unset = { ...options, draftSecret: ' ' }
  const notice = /Set DRAFT_MODE_SECRET/
  t.match(await fetchEditorPage('/', signed(), unset), { source: 'published', notice })
  const framed = (host: string, editor: string) =>
    fetchEditorPage('/', { headers: new Headers({ host }), url: `/?editorOrigin=${editor}` }, options)
  const elsewhere = await framed('127.0.0.1:3000', 'http://localhost:4100')
  const twoHosts =
    /^The editor is at localhost, this site at 127\.0\.0\.1: over http a browser sends no cookie/
  t.match(elsewhere, { notice: twoHosts })
  for (const [host, editor] of [
    ['localhost:3000', 'http://localhost:4100'],
    ['site.test', 'http://unlisted.test'],
    ['no host', 'http://localhost:4100'],
  ] as const)
    t.match(await framed(host, editor), { notice: /without a valid cookie or secret/ }, `${host} ${editor}`)
})

t.test('beside a mounted orchestrator an entry ends with its token, too', async (t) => {
  const orchestrator = mounted(t)
  const tokens = await orchestrator.get(scopedTokens)
  const { token } = await tokens.create({ name: 'guest', can: ['read'] })
  const access = { siteId: 'acme', session: 'dev' }
  const value = signAccess(access, { secret, now: systemClock.now(), by: token.id })
  const shown = () =>
    fetchEditorPage(
      '/',
      { headers: { cookie: `editor_draft=${value}` }, url: '/' },
      { adapter, orchestrator, draftSecret: secret, siteId: 'acme' },
    )
  t.match(await shown(), { source: 'draft', access: { ...access, by: token.id }, notice: undefined })
  await tokens.remove(token.id)
  const ended = { source: 'published', access: undefined, headers: {}, notice: /token .* has ended/ }
  t.match(await shown(), ended)
})

t.test('the headers of a draft allow only listed editors to show it in a frame', async (t) => {
  const orchestrator = await drafted(t)
  environment(t, {})
  const options: EditorPageOptions = { adapter, orchestrator, draftSecret: secret, siteId: 'acme' }
  const framedBy = async (editorOrigins?: readonly string[], visit = signed()) =>
    (await fetchEditorPage('/', visit, { ...options, editorOrigins })).headers
  const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  const local = 'http://localhost:4100 http://127.0.0.1:4100 http://localhost:4200 http://127.0.0.1:4200'
  t.strictSame(await framedBy(), { ...headers, 'content-security-policy': `frame-ancestors 'self' ${local}` })
  t.strictSame(await framedBy(['https://edit.test/', ' ']), {
    ...headers,
    'content-security-policy': "frame-ancestors 'self' https://edit.test",
  })
  t.strictSame(await framedBy([]), { ...headers, 'content-security-policy': "frame-ancestors 'self'" })
  t.strictSame(
    await framedBy(undefined, { headers: {}, url: '/?__editor=1' }),
    {},
    'published pages keep the headers of the site',
  )
  environment(t, { NODE_ENV: 'production' })
  t.strictSame(await framedBy(), { ...headers, 'content-security-policy': "frame-ancestors 'self'" })
  const wrong: object = { ...options, editorOrigins: ['edit.test'] }
  await t.rejects(fetchEditorPage('/', signed(), wrong as EditorPageOptions), {
    name: 'BootError',
    problems: [/^option 'editorOrigins\[0\]' /],
  })
})

t.test('without a reachable orchestrator the visitor gets the published page', async (t) => {
  const html = await serve(t, (_, response) => void response.end('<html>'))
  const odd = await serve(t, (_, response) => void response.end('{"slugs":7}'))
  const broken = await serve(t, (_, response) => void response.writeHead(500).end('{}'))
  const closed = await serve(t, (request) => void request.socket.destroy())
  for (const orchestrator of ['http://127.0.0.1:1', html, odd, broken, closed, 'no address']) {
    const shown = await fetchEditorPage('/', signed(), { adapter, orchestrator, draftSecret: secret })
    t.match(
      shown,
      { source: 'published', page: { title: 'Published' }, notice: /cannot be read.*ORCHESTRATOR_URL/ },
      orchestrator,
    )
    t.notMatch(JSON.stringify(shown), secret)
  }
  const gone = { readContent: () => Promise.reject(new Error('the file is gone')) }
  await t.rejects(fetchEditorPage('/', { headers: {} }, { adapter: gone }), { message: 'the file is gone' })
  const wrong: object = { adapter, orchestrator: 7 }
  await t.rejects(fetchEditorPage('/', { headers: {} }, wrong as EditorPageOptions), {
    name: 'BootError',
    problems: [/^option 'orchestrator' /],
  })
})

t.test('missing options come from the environment', async (t) => {
  const seen: (string | undefined)[] = []
  const orchestrator = await serve(t, (request, response) => {
    seen.push(request.headers['x-access-token']?.toString())
    response.writeHead(404).end()
  })
  environment(t, {
    ORCHESTRATOR_URL: orchestrator,
    ORCHESTRATOR_ACCESS_TOKEN: 'the-token',
    DRAFT_MODE_SECRET: secret,
  })
  await fetchEditorPage('/', signed(), { adapter })
  t.strictSame([...new Set(seen)], ['the-token'])
  await fetchEditorPage('/', signed(), { adapter, accessToken: 'another' })
  t.equal(seen.at(-1), 'another')
})

t.test('a draft page uses the public address of the orchestrator', async (t) => {
  const orchestrator = await drafted(t)
  const options: EditorPageOptions = { adapter, orchestrator, draftSecret: secret, siteId: 'acme' }
  const named = async (more: object = {}) =>
    (await fetchEditorPage('/', signed(), { ...options, ...more })).live?.orchestrator
  t.equal(await named(), orchestrator)
  environment(t, { ORCHESTRATOR_PUBLIC_ORIGIN: 'https://api.example.com' })
  t.equal(await named(), 'https://api.example.com')
  for (const [basePath, path] of [
    ['/api/orchestrator/', '/api/orchestrator'],
    ['/', ''],
  ] as const)
    t.equal(await named({ orchestrator: mounted(t, basePath) }), path)
})

t.test('a site that mounts the orchestrator reads its drafts in process, without a gate', async (t) => {
  environment(t, { NODE_ENV: 'production' })
  const orchestrator = mounted(t)
  const outside = await orchestrator.inject({ url: '/draft/slugs' })
  t.equal(outside.status, 401, 'external requests are refused')
  const options = { adapter, orchestrator, draftSecret: secret, siteId: 'acme' }
  const shown = { source: 'draft', page: { title: 'Published' }, slugs: ['/', '/about'] }
  t.match(await fetchEditorPage('/', signed(), options), shown, 'a draft starts with the published content')
  t.match(await fetchEditorPage('/gone', signed(), options), { source: 'draft', page: undefined })
  const odd = signed({ siteId: 'acme', session: 'a::b' })
  t.match(await fetchEditorPage('/', odd, options), { source: 'published', notice: /cannot be read/ })
})

t.test('the script text of the live preview cannot close its element', async (t) => {
  const at = { siteId: 'acme', session: '</SCRIPT>', slug: '/</script><!--' }
  const live = { orchestrator: 'http://localhost:4200', ...at }
  const own = { orchestrator: 'https://api.example.com', accessToken: '</script>' }
  const text = livePreviewScript({ live }, own)
  t.notMatch(text, /<\/|<!--/)
  t.match(text, '"orchestrator":"https://api.example.com"')
  t.doesNotThrow(() => new Function(text), 'it is valid JavaScript')
  t.match(livePreviewScript({ live }), '"orchestrator":"http://localhost:4200"')
})

t.test('a page that cannot be used, or null in one, costs no other page of the website', async (t) => {
  const good = page('/', 'Home')
  const odd: readonly unknown[] = [
    { ...page('/a', 'A'), meta: null },
    { ...page('/a', 'A'), meta: { title: 'x', description: null, ogImage: null } },
    page('/a', ''),
    { slug: '/a' },
    null,
    { ...page('/a', 'A'), blocks: [{ type: 'RichText', props: null }] },
    page('/', 'Second'),
  ]
  for (const each of odd) {
    const file = join(temporaryFolder(t), 'pages.json')
    writeFileSync(file, JSON.stringify([good, each]))
    const own = { readContent: async () => JSON.parse(JSON.stringify({ pages: [good, each] })) }
    for (const read of [jsonFile(file), own]) {
      const shown = await fetchEditorPage('/', { headers: {} }, { adapter: read, siteId: 'acme' })
      t.match(shown.page, good, JSON.stringify(each))
      const second = await fetchEditorPage('/a', { headers: {} }, { adapter: read, siteId: 'acme' })
      if (JSON.stringify(each).includes('meta')) t.match(second.page, { title: 'A' })
      t.notMatch(JSON.stringify(second.page ?? {}), /null/)
    }
  }
})

t.test('a block that cannot be read is not rendered, in the draft or for visitors', async (t) => {
  const title = { id: 'b', type: 'RichText', props: { title: 'Text' } }
  const own = {
    readContent: async () =>
      JSON.parse(JSON.stringify({ pages: [{ ...page('/', 'Home'), blocks: [7, title] }] })),
  }
  environment(t, { ORCHESTRATOR_DATA_DIR: temporaryFolder(t), ORCHESTRATOR_DB_FILE: ':memory:' })
  const orchestrator = createOrchestrator({ adapter: own, siteId: 'acme', logger: capturedLog('silent').log })
  t.teardown(() => orchestrator.close())
  const options = { adapter: own, orchestrator, draftSecret: secret, siteId: 'acme' }
  for (const [source, visit] of [
    ['draft', signed()],
    ['published', { headers: {} }],
  ] as const) {
    const shown = await fetchEditorPage('/', visit, options)
    t.equal(shown.source, source)
    t.strictSame(shown.page?.blocks, [title], source)
  }
})
