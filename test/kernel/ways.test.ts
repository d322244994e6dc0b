import t from 'tap'
import * as v from 'valibot'
import { definePlugin, defineRoutes, gates, redirect, use } from '../../kernel/index.ts'
import { everyWayIn, mountForTest } from '../../kernel/testing.ts'

t.test('every transport answers an unknown path alike', (t) =>
  everyWayIn(
    t,
    () => ({ plugins: [] }),
    async (t, ask) => {
      const answer = await ask({ url: '/nowhere' })
      t.equal(answer.status, 404)
      t.match(answer.json(), { code: 'not_found', reason: /GET \/docs/ })
    },
  ),
)

t.test(
  'body and signal of a web request are read only by routes that need them, because servers create them on demand',
  async (t) => {
    const accessed: string[] = []
    const observed = (url: string, init?: RequestInit): Request =>
      new Proxy(new Request(new URL(url, 'http://localhost'), init), {
        get(request, name) {
          accessed.push(String(name))
          const value: unknown = Reflect.get(request, name, request)
          return typeof value === 'function' ? value.bind(request) : value
        },
      })
    const plain = {
      gate: gates.public,
      summary: 'Answers.',
      replies: { 200: v.object({ seen: v.string() }) },
    } as const
    const plugin = definePlugin({
      name: 'plain',
      tag: 'Test',
      routes: defineRoutes({
        read: { ...plain, method: 'GET', path: '/plain', query: v.object({ q: v.optional(v.string(), '') }) },
        write: { ...plain, method: 'POST', path: '/plain', body: v.object({ q: v.string() }) },
      }),
    }).setup(() => ({
      handlers: {
        read: ({ query }) => ({ status: 200, body: { seen: query.q } }),
        write: ({ body }) => ({ status: 200, body: { seen: body.q } }),
      },
    }))
    const mounted = mountForTest(t, { plugins: [use(plugin)] })
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
  },
)

t.test('every transport keeps repeated response headers separate', (t) => {
  const plugin = definePlugin({
    name: 'cookies',
    tag: 'Test',
    routes: defineRoutes({
      set: {
        method: 'GET',
        path: '/set',
        gate: gates.public,
        summary: 'Sets two.',
        replies: { 307: redirect('Elsewhere.') },
      },
    }),
  }).setup(() => ({
    handlers: {
      set: () => ({ status: 307, body: null, headers: { location: '/', 'set-cookie': ['a=1', 'b=2'] } }),
    },
  }))
  return everyWayIn(
    t,
    () => ({ plugins: [use(plugin)] }),
    async (t, ask) => {
      t.same((await ask({ url: '/set' })).headers.getSetCookie(), ['a=1', 'b=2'])
    },
  )
})

t.test('a route that a mount does not implement is answered 405, with method and path named', (t) =>
  everyWayIn(
    t,
    () => ({ shape: 'library', plugins: [] }),
    async (t, ask) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await ask({ method, url: '/image/generate?accessToken=canary' })
        const sentence = `Method ${method} /image/generate not handled by the mount`
        t.equal(answer.status, 405, method)
        t.strictSame(answer.json(), {
          error: sentence,
          code: 'not_handled',
          reason: sentence,
          message: sentence,
        })
      }
      const { status, text } = await ask({ method: 'HEAD', url: '/image/generate' })
      t.strictSame([status, text], [405, ''])
    },
  ),
)
