import t from 'tap'
import { give, use } from '../../kernel/index.ts'
import { mountForTest, openGates } from '../../kernel/testing.ts'
import outboundPlugin from '../../plugins/outbound/index.ts'
import scopePlugin from '../../plugins/scope/index.ts'
import { readAccess } from '../../plugins/scope/port.ts'
import { framingOf } from '../../plugins/sites/framing.ts'
import sitesPlugin from '../../plugins/sites/index.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { store } from '../../plugins/store/port.ts'
import { startSite } from '../helpers/upstream.ts'

t.test('the two headers are read as browsers read them', async (t) => {
  const editor = new URL('https://studio.example')
  const page = new URL('https://site.example/about')
  const read = (policy: string | undefined, options = '', by = editor) => {
    const csp = policy !== undefined && { 'content-security-policy': policy }
    return framingOf({ ...csp, 'x-frame-options': options }, { editor: by, page })
  }
  const allowed: readonly Parameters<typeof read>[] = [
    [undefined],
    ["default-src 'none'"],
    ['frame-ancestors *', 'DENY'],
    ['frame-ancestors https:'],
    ['frame-ancestors http://studio.example'],
    ['Frame-Ancestors STUDIO.example'],
    ['frame-ancestors *.example:443'],
    ['frame-ancestors https://studio.example:*'],
    [undefined, 'ALLOW-FROM https://other.example'],
    [undefined, 'SAMEORIGIN', page],
    ["frame-ancestors 'self'", '', page],
  ]
  const refused: typeof allowed = [
    ['frame-ancestors'],
    ["frame-ancestors 'none'"],
    ["default-src *; frame-ancestors 'self'"],
    ['frame-ancestors *.studio.example'],
    ['frame-ancestors https://studio.example:8443'],
    ["frame-ancestors *, frame-ancestors 'self'"],
    ['frame-ancestors ftp://studio.example'],
    [undefined, 'sameorigin'],
    [undefined, 'ALLOW-FROM x, DENY'],
  ]
  for (const [state, cases] of Object.entries({ allowed, refused }))
    for (const given of cases) t.equal(read(...given).state, state, given.join(' and '))
  const value = "frame-ancestors 'self' https://a.example"
  const line = `Content-Security-Policy: ${value} https://studio.example`
  const kept = { state: 'refused', header: 'content-security-policy', value, line }
  t.strictSame(read(value), kept, 'the line keeps what the site admits already')
})

t.test('the service asks the website itself, for editors of any origin', async (t) => {
  const { inject } = mountForTest(t, {
    plugins: [use(sitesPlugin, {}), use(scopePlugin, {}), use(outboundPlugin)],
    seeds: [...openGates, give(store, createMemoryStore())],
  })
  const answers: Readonly<Record<string, readonly [number, Readonly<Record<string, string>>]>> = {
    '/about': [200, { 'x-frame-options': 'DENY' }],
    '/moved': [308, { location: '/about' }],
    '/login': [302, { location: 'https://login.example/' }],
    '/loop': [302, { location: '/loop' }],
  }
  const site = await startSite(t, ({ url = '' }, response) => {
    const [status, headers] = answers[url.split('?', 1)[0] ?? ''] ?? [200, {}]
    response.writeHead(status, headers).end('x'.repeat(500_000))
  })
  const register = (previewUrl: string) => {
    const json = { siteId: 'club', name: 'Club', previewUrl }
    return inject({ method: 'POST', url: '/sites/register', json })
  }
  await register(site.origin)
  const editorOrigin = 'http://127.0.0.1:4200'
  const framing = async (slug: string, more = {}) => {
    const query = new URLSearchParams({ siteId: 'club', slug, editorOrigin, ...more })
    return (await inject({ url: `/sites/framing?${query}` })).json()
  }
  t.match(await framing('/'), { state: 'allowed' })
  t.match(site.seen[0]?.url, /siteId=club.*editorOrigin=http/, 'as an editor asks')
  const line = `Content-Security-Policy: frame-ancestors 'self' ${editorOrigin}`
  const refused = { state: 'refused', header: 'x-frame-options', value: 'DENY', line }
  t.match(await framing('/about'), refused)
  t.match(await framing('/moved'), refused, 'a redirect is followed on the site')
  t.match(site.seen.at(-1)?.url, '/about', 'and not with the parameters of editors')
  t.match(await framing('/login'), { state: 'elsewhere', url: 'https://login.example/' })
  t.match(await framing('/loop'), { state: 'unreachable' })
  t.match(await framing('/', { version: 'published' }), { state: 'allowed' })
  t.equal(site.seen.at(-1)?.url, '/?__editor=0', 'the live page is asked for as a visitor asks')
  t.match(await framing('/', { siteId: 'unknown' }), { code: 'no_website' })
  for (const slug of ['//evil.example', '/\\evil.example', '/\t/evil.example', site.origin])
    t.match(await framing(slug), { code: 'no_website' }, slug)
  t.match(await framing('/', { editorOrigin: 'here' }), { code: 'invalid_request' })
  await register('http://127.0.0.1:1')
  t.match(await framing('/'), { state: 'unreachable', url: /127\.0\.0\.1:1/ })
})

t.test('a draft is asked for with an entry of a minute, so that its own headers decide', async (t) => {
  const secret = 'a-draft-secret-of-some-length'
  const open = (production: boolean) =>
    mountForTest(t, {
      plugins: [use(sitesPlugin, {}), use(scopePlugin, {}), use(outboundPlugin)],
      seeds: [...openGates, give(store, createMemoryStore())],
      env: { DRAFT_MODE_SECRET: secret, ...(production && { NODE_ENV: 'production' }) },
    })
  const site = await startSite(t, ({ url = '' }, response) => {
    const given = new URLSearchParams(url.split('?')[1]).get('secret') ?? ''
    const isIn = (ms: number) =>
      readAccess(given, { secret, now: new Date(Date.now() + ms), carrier: 'link' })?.siteId === 'club'
    response.setHeader('x-frame-options', isIn(0) && !isIn(120_000) ? 'DENY' : 'ALLOWALL').end()
  })
  const framing = async (production: boolean, more = {}) => {
    const { inject } = open(production)
    const json = { siteId: 'club', name: 'Club', previewUrl: site.origin }
    await inject({ method: 'POST', url: '/sites/register', json })
    const query = new URLSearchParams({ siteId: 'club', editorOrigin: 'http://localhost:4200', ...more })
    return inject({ url: `/sites/framing?${query}` })
  }
  const answer = await framing(false)
  t.match(answer.json(), { state: 'refused', header: 'x-frame-options' })
  t.notMatch(answer.text, 'secret', 'the answer does not have the entry')
  t.match((await framing(false, { version: 'published' })).json(), { state: 'allowed' })
  const asked = site.seen.length
  await framing(true)
  for (const { url } of site.seen.slice(asked))
    t.notMatch(url, 'secret', 'a registered address is not trusted')
})
