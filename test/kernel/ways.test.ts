import t from 'tap'
import * as v from 'valibot'
import { everyWayIn, mountForTest } from '../../kernel/testing.ts'
import { plain } from '../helpers/plain.ts'

t.test('body and signal of a web request are read only by routes that need them', async (t) => {
  const accessed: string[] = []
  const observed = (url: string, init?: RequestInit): Request =>
    new Proxy(new Request(new URL(url, 'http://localhost'), init), {
      get(request, name) {
        accessed.push(String(name))
        const value: unknown = Reflect.get(request, name, request)
        return typeof value === 'function' ? value.bind(request) : value
      },
    })
  const replies = { 200: v.object({ seen: v.string() }) }
  const seeing = ({ q }: { q: string }) => ({ status: 200, body: { seen: q } })
  const routes = plain({
    'GET /plain': {
      replies,
      query: v.object({ q: v.optional(v.string(), '') }),
      answer: ({ query }) => seeing(query),
    },
    'POST /plain': { replies, body: v.object({ q: v.string() }), answer: ({ body }) => seeing(body) },
  })
  const mounted = mountForTest(t, { plugins: [routes] })
  for (const [target, seen] of [
    ['/plain', ''],
    ['/plain?q=1', '1'],
    ['/plain?q=a%3Fb#x?q=2', 'a?b'],
    ['/plain#x', ''],
  ] as const) {
    accessed.length = 0
    t.same(await (await mounted.fetch(observed(target))).json(), { seen })
    t.notOk(accessed.includes('body') || accessed.includes('signal'), accessed.join())
  }
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"q":"sent"}' }
  t.same(await (await mounted.fetch(observed('/plain', init))).json(), { seen: 'sent' })
  t.ok(accessed.includes('body'))
})

const NotHandled = v.looseObject({ remedy: v.string() })

t.test('a route that a mount does not implement is answered 405, with method and path named', (t) =>
  everyWayIn(
    t,
    () => ({ shape: 'library', plugins: [] }),
    async (t, ask) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await ask({ method, url: '/image/generate?accessToken=canary' })
        const sentence = `Method ${method} /image/generate not handled by the mount`
        t.equal(answer.status, 405, method)
        const { remedy, ...fixed } = v.parse(NotHandled, answer.json())
        t.strictSame(fixed, { error: sentence, code: 'not_handled', reason: sentence, message: sentence })
        t.match(remedy, /^Check the path: .*content-orchestrator routes/)
        t.equal(answer.headers.get('allow'), null)
      }
      const { status, text } = await ask({ method: 'HEAD', url: '/image/generate' })
      t.strictSame([status, text], [405, ''])
    },
  ),
)
