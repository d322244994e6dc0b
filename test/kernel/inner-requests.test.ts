import t from 'tap'
import * as v from 'valibot'
import {
  defineRefusal,
  definePlugin,
  defineRoutes,
  gate,
  innerRequests,
  policies,
  use,
  type Gate,
  type InnerRequest,
  type InnerRequests,
} from '../../kernel/index.ts'
import { mountForTest } from '../../kernel/testing.ts'

const keyed = gate('keyed')
const routes = defineRoutes({
  who: {
    method: 'POST',
    path: '/who',
    gate: keyed,
    summary: 'Describes the caller.',
    body: v.object({ text: v.string() }),
    maxBytes: 100,
    replies: {
      200: v.object({
        remote: v.optional(v.string()),
        secure: v.boolean(),
        host: v.optional(v.string()),
        text: v.string(),
      }),
    },
  },
  locked: {
    method: 'GET',
    path: '/locked',
    gate: keyed,
    summary: 'Is locked.',
    replies: { 200: v.object({}) },
  },
})
const locked = defineRefusal({ status: 423, code: 'locked', reason: () => 'It is locked.' })
const keeper: Gate = {
  mounting: () => ({ mount: true }),
  admit: ({ header }) =>
    header('x-key') === 'right'
      ? { admit: true, caller: { via: 'token' } }
      : { admit: false, status: 401, error: 'unauthorized', headers: { 'www-authenticate': 'Key' } },
}

/** A plugin that passes its `innerRequests` to `expose`, and sends `early` during setup. */
const asking = (expose: (inner: InnerRequests) => void, early?: InnerRequest) =>
  use(
    definePlugin({
      name: 'asking',
      tag: 'Asking',
      needs: { inner: innerRequests },
      gives: { keyed, policies },
      routes,
    }).setup(async ({ needs: { inner } }) => {
      if (early) t.match(await inner.send(early), { status: 503 })
      expose(inner)
      return {
        gives: {
          keyed: keeper,
          policies: { on: ({ spec }) => (spec.path === '/locked' ? { refuse: () => locked() } : undefined) },
        },
        handlers: {
          who: ({ remote, secure, header, body }) => ({
            status: 200,
            body: {
              ...(remote !== undefined && { remote }),
              secure,
              ...(header('host') !== undefined && { host: header('host') }),
              text: body.text,
            },
          }),
          locked: () => ({ status: 200, body: {} }),
        },
      }
    }),
  )

const headers = { 'x-key': 'right', host: 'orchestrator.example', 'content-type': 'application/json' }
const post = { method: 'POST', url: '/who', headers, body: '{"text":"hello"}', remote: undefined } as const

t.test('a request of a plugin to its own service is treated as one of its caller', async (t) => {
  const { promise, resolve } = Promise.withResolvers<InnerRequests>()
  const mounted = mountForTest(t, {
    plugins: [asking(resolve, post)],
    origins: { origins: ['https://editor.example'], hosts: ['orchestrator.example'] },
  })
  await mounted.ready()
  const { send } = await promise
  t.strictSame(
    (await send(post)).json(),
    { secure: false, host: 'orchestrator.example', text: 'hello' },
    'an unknown address stays unknown',
  )
  t.strictSame((await send({ ...post, remote: '192.0.2.1', secure: true })).json(), {
    remote: '192.0.2.1',
    secure: true,
    host: 'orchestrator.example',
    text: 'hello',
  })
  const refusals = [
    [{ ...post, headers: { ...headers, 'x-key': 'wrong' } }, 401],
    [{ ...post, headers: { ...headers, host: 'evil.example' } }, 403],
    [{ ...post, headers: { ...headers, origin: 'https://evil.example' } }, 403],
    [{ ...post, body: JSON.stringify({ text: 'x'.repeat(100) }) }, 413],
    [{ ...post, body: '{}' }, 400],
    [{ url: '/locked', headers, remote: undefined }, 423],
    [{ url: '/none', headers, remote: undefined }, 404],
  ] as const
  for (const [request, status] of refusals) t.equal((await send(request)).status, status, `${status}`)
  t.equal(
    (await send({ ...post, headers: {} })).headers.get('www-authenticate'),
    'Key',
    'a gate adds headers to its refusal',
  )
  await mounted.close()
  t.match((await send(post)).json(), { code: 'closing' })
})
