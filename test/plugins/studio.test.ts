import t from 'tap'
import { give, use, type Used } from '../../kernel/index.ts'
import { everyWayIn, mountForTest, openGates } from '../../kernel/testing.ts'
import outboundPlugin from '../../plugins/outbound/index.ts'
import scopePlugin from '../../plugins/scope/index.ts'
import sitesPlugin from '../../plugins/sites/index.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { store } from '../../plugins/store/port.ts'
import studioPlugin from '../../plugins/studio/index.ts'
import unsplash from '../../plugins/media/unsplash/index.ts'

const setting = (options: { readonly imageOrigins?: string[] } = {}, ...more: readonly Used[]) => ({
  plugins: [use(studioPlugin, options), ...more, use(sitesPlugin, {}), use(scopePlugin, {})],
  seeds: [...openGates, give(store, createMemoryStore())],
})
const scriptIn = (page: string): string => /src="[^"]*?([\w-]+\.js)"/.exec(page)?.[1] ?? ''

t.test('the page is sent with its policy, and its files compressed where a browser takes that', (t) =>
  everyWayIn(
    t,
    () => ({
      ...setting({ imageOrigins: ['https://cdn.example'] }, use(unsplash, {}), use(outboundPlugin)),
      env: { UNSPLASH_ACCESS_KEY: 'a-key' },
    }),
    async (t, ask) => {
      const registration = { siteId: 'club', name: 'Club', previewUrl: 'https://club.example/start' }
      const other = { siteId: 'other', name: 'Other', previewUrl: 'https://a.example' }
      for (const json of [registration, other]) await ask({ method: 'POST', url: '/sites/register', json })
      const page = await ask({ url: '/studio' })
      const policy = String(page.headers.get('content-security-policy'))
      t.match(policy, /default-src 'none'; script-src 'self';.*frame-src 'self' http: https:;/)
      t.match(policy, /frame-ancestors 'none'; require-trusted-types-for 'script'/)
      t.notMatch(policy, /unsafe/)
      const everything = JSON.stringify([...page.headers]) + page.text
      t.notMatch(everything, /club\.example|a\.example/, 'it names no site to those who may not see them')
      const pictures = 'https://images.unsplash.com https://plus.unsplash.com https://cdn.example'
      t.ok(page.text.includes(`content="${pictures}"`), 'the page knows which pictures it may show')
      const etag = String(page.headers.get('etag'))
      t.equal((await ask({ url: '/studio', headers: { 'if-none-match': etag } })).status, 304)

      const url = `/studio/${scriptIn(page.text)}`
      const file = (accepted: string) => ask({ url, headers: { 'accept-encoding': accepted } })
      const plain = await file('identity')
      t.equal(plain.headers.get('content-encoding'), null)
      t.equal(plain.headers.get('vary'), 'accept-encoding')
      t.match(plain.headers.get('cache-control'), /immutable/)
      for (const accepted of ['gzip', 'br, GZIP', 'gzip;q=0.5, br']) {
        const { headers, text } = await file(accepted)
        t.equal(headers.get('content-encoding'), 'gzip', accepted)
        // Clients decompress; an injection returns what would be sent.
        t.ok(text === plain.text || text.startsWith('\x1f'), accepted)
        t.not(headers.get('etag'), plain.headers.get('etag'), 'other bytes have another tag')
      }
      for (const refused of ['identity', 'gzip;q=0', 'gzip; q=0.00', 'notgzip'])
        t.equal((await file(refused)).headers.get('content-encoding'), null, refused)
      for (const name of ['index.html', 'none.js', '__proto__', 'constructor', '..%2Findex.html'])
        t.match((await ask({ url: `/studio/${name}` })).status, /40[04]/, name)
    },
  ),
)

t.test('in a mount compression is left to its host', async (t) => {
  const { inject } = mountForTest(t, { shape: 'library', ...setting() })
  const url = `/studio/${scriptIn((await inject({ url: '/studio' })).text)}`
  const { status, headers } = await inject({ url, headers: { 'accept-encoding': 'gzip' } })
  t.strictSame([status, headers.get('content-encoding')], [200, null])
})

t.test('an option that is no origin stops the boot with its name', async (t) => {
  for (const origin of ['https://cdn.example/x', 'cdn.example', "https://a.example;script-src'x'", '*']) {
    const mounted = mountForTest(t, setting({ imageOrigins: [origin] }))
    await t.rejects(mounted.ready(), { message: /imageOrigins/ }, origin)
  }
})
