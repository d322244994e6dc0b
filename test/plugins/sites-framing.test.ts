import t from 'tap'
import { give, use } from '../../kernel/index.ts'
import { everyWayIn, openGates } from '../../kernel/testing.ts'
import outboundPlugin from '../../plugins/outbound/index.ts'
import scopePlugin from '../../plugins/scope/index.ts'
import { framingOf } from '../../plugins/sites/framing.ts'
import sitesPlugin from '../../plugins/sites/index.ts'
import { createMemoryStore } from '../../plugins/store/memory.ts'
import { store } from '../../plugins/store/port.ts'
import { startSite } from '../helpers/upstream.ts'

t.test('the two headers are read as browsers read them', async (t) => {
  const editor = new URL('https://studio.example')
  const page = new URL('https://site.example/about')
  const cases: readonly (readonly [string, string | undefined, string])[] = [
    ['allowed', undefined, ''],
    ['allowed', "default-src 'none'", ''],
    ['allowed', 'frame-ancestors *', 'DENY'],
    ['allowed', 'frame-ancestors https:', ''],
    ['allowed', 'frame-ancestors http://studio.example', ''],
    ['allowed', 'Frame-Ancestors STUDIO.example', ''],
    ['allowed', 'frame-ancestors *.example:443', ''],
    ['allowed', 'frame-ancestors https://studio.example:*', ''],
    ['allowed', undefined, 'ALLOW-FROM https://other.example'],
    ['refused', 'frame-ancestors', ''],
    ['refused', "frame-ancestors 'none'", ''],
    ['refused', "default-src *; frame-ancestors 'self'", ''],
    ['refused', 'frame-ancestors *.studio.example', ''],
    ['refused', 'frame-ancestors https://studio.example:8443', ''],
    ['refused', "frame-ancestors *, frame-ancestors 'self'", ''],
    ['refused', 'frame-ancestors ftp://studio.example', ''],
    ['refused', undefined, 'sameorigin'],
    ['refused', undefined, 'ALLOW-FROM x, DENY'],
  ]
  for (const [state, policy, options] of cases) {
    const headers = {
      ...(policy !== undefined && { 'content-security-policy': policy }),
      'x-frame-options': options,
    }
    t.equal(framingOf(headers, { editor, page }).state, state, `${policy} and ${options}`)
  }
  const own = { editor: page, page }
  t.equal(framingOf({ 'x-frame-options': 'SAMEORIGIN' }, own).state, 'allowed')
  t.equal(framingOf({ 'content-security-policy': "frame-ancestors 'self'" }, own).state, 'allowed')
  t.strictSame(
    framingOf({ 'content-security-policy': "frame-ancestors 'self' https://a.example" }, { editor, page }),
    {
      state: 'refused',
      header: 'content-security-policy',
      value: "frame-ancestors 'self' https://a.example",
      line: "Content-Security-Policy: frame-ancestors 'self' https://a.example https://studio.example",
    },
    'the line keeps what the site admits already',
  )
})

t.test('the service asks the website itself, for editors of any origin', (t) =>
  everyWayIn(
    t,
    () => ({
      plugins: [use(sitesPlugin, {}), use(scopePlugin, {}), use(outboundPlugin, {})],
      seeds: [...openGates, give(store, createMemoryStore())],
    }),
    async (t, ask) => {
      const site = await startSite(t, ({ url = '' }, response) => {
        const [path] = url.split('?', 1)
        const [status, headers] =
          {
            '/about': [200, { 'x-frame-options': 'DENY' }] as const,
            '/moved': [308, { location: '/about' }] as const,
            '/login': [302, { location: 'https://login.example/' }] as const,
            '/loop': [302, { location: '/loop' }] as const,
          }[path ?? ''] ?? ([200, {}] as const)
        response.writeHead(status, headers).end('x'.repeat(500_000))
      })
      const registered = { siteId: 'club', name: 'Club', previewUrl: site.origin }
      await ask({ method: 'POST', url: '/sites/register', json: registered })
      const framing = (slug: string, siteId = 'club') => {
        const query = new URLSearchParams({ siteId, slug, editorOrigin: 'http://127.0.0.1:4200' })
        return ask({ url: `/sites/framing?${query}` })
      }
      t.match((await framing('/')).json(), { state: 'allowed' })
      const refused = {
        state: 'refused',
        header: 'x-frame-options',
        value: 'DENY',
        line: "Content-Security-Policy: frame-ancestors 'self' http://127.0.0.1:4200",
      }
      t.match((await framing('/about')).json(), refused)
      t.match((await framing('/moved')).json(), refused, 'a redirect is followed on the site')
      t.match(site.seen.at(-1)?.url, '/about', 'and not with the parameters of editors')
      t.match((await framing('/login')).json(), { state: 'elsewhere', url: 'https://login.example/' })
      t.match((await framing('/loop')).json(), { state: 'unreachable' })
      t.match(site.seen[0]?.url, /siteId=club.*editorOrigin=http/, 'as an editor asks')
      const published = '/sites/framing?siteId=club&editorOrigin=http://127.0.0.1:4200&version=published'
      t.match((await ask({ url: published })).json(), { state: 'allowed' })
      t.equal(site.seen.at(-1)?.url, '/?__editor=0', 'the live page is asked for as a visitor asks')
      for (const [slug, siteId] of [
        ['/', 'unknown'],
        ['//evil.example', 'club'],
      ] as const)
        t.match(await framing(slug, siteId).then((answer) => answer.json()), { code: 'no_website' })
      t.equal((await ask({ url: '/sites/framing?siteId=club&editorOrigin=here' })).status, 400)
      const gone = { ...registered, previewUrl: 'http://127.0.0.1:1' }
      await ask({ method: 'POST', url: '/sites/register', json: gone })
      t.match((await framing('/')).json(), { state: 'unreachable', url: /127\.0\.0\.1:1/ })
    },
  ),
)
