import t from 'tap'
import { give, use } from '../../kernel/index.ts'
import { everyWayIn, openGates } from '../../kernel/testing.ts'
import scopePlugin from '../../plugins/scope/index.ts'
import sitesPlugin from '../../plugins/sites/index.ts'
import { createMemoryStore } from '../../plugins/store/memory.ts'
import { store } from '../../plugins/store/port.ts'
import studioPlugin from '../../plugins/studio/index.ts'

t.test('the page is sent with its policy, and its files compressed where a browser takes that', (t) =>
  everyWayIn(
    t,
    () => ({
      plugins: [use(studioPlugin), use(sitesPlugin, {}), use(scopePlugin, {})],
      seeds: [...openGates, give(store, createMemoryStore())],
    }),
    async (t, ask) => {
      const registration = { siteId: 'club', name: 'Club', previewUrl: 'https://club.example/start' }
      await ask({ method: 'POST', url: '/sites/register', json: registration })
      const page = await ask({ url: '/studio' })
      const policy = String(page.headers.get('content-security-policy'))
      t.match(policy, /default-src 'none'; script-src 'self';.*frame-src 'self' https:\/\/club\.example;/)
      t.match(policy, /frame-ancestors 'none'; require-trusted-types-for 'script'/)
      t.notMatch(policy, /unsafe/)
      const etag = String(page.headers.get('etag'))
      t.equal((await ask({ url: '/studio', headers: { 'if-none-match': etag } })).status, 304)

      const [, script = ''] = /src="[^"]*?([\w-]+\.js)"/.exec(page.text) ?? []
      const file = (accepted: string) =>
        ask({ url: `/studio/${script}`, headers: { 'accept-encoding': accepted } })
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
