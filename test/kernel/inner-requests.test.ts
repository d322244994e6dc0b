import t from 'tap'
import * as v from 'valibot'
import {
  defineRefusal,
  definePlugin,
  gate,
  innerRequests,
  policies,
  use,
  type Call,
  type Gate,
  type InnerRequests,
  type Policy,
} from '../../kernel/index.ts'
import { mountForTest } from '../../kernel/testing.ts'
import { plain } from '../helpers/plain.ts'

const keyed = gate('keyed')
const keeper: Gate = {
  mounting: () => ({ mount: true }),
  admit: ({ header }) =>
    header('x-key') === 'right'
      ? { admit: true, caller: { via: 'token' } }
      : { admit: false, status: 401, error: 'unauthorized', headers: { 'www-authenticate': 'Key' } },
}
const locked = defineRefusal({ status: 423, code: 'locked', reason: () => 'It is locked.' })
const routes = plain(
  {
    'POST /who': {
      gate: keyed,
      body: v.object({ text: v.string() }),
      maxBytes: 100,
      replies: { 200: v.looseObject({}) },
      answer: ({ remote, secure, header, body }: Call & { readonly body: { readonly text: string } }) => ({
        status: 200,
        body: { ...(remote && { remote }), secure, host: header('host'), text: body.text },
      }),
    },
    'GET /locked': { gate: keyed },
  },
  [[keyed, keeper]],
)
const headers = { 'x-key': 'right', host: 'orchestrator.example', 'content-type': 'application/json' }
const post = { method: 'POST', url: '/who', headers, body: '{"text":"hello"}', remote: undefined } as const

t.test('a request of a plugin to its own service is treated as one of its caller', async (t) => {
  const { promise, resolve } = Promise.withResolvers<InnerRequests>()
  const early = definePlugin({
    name: 'early',
    tag: 'Asking',
    needs: { inner: innerRequests },
    gives: { policies },
  }).setup(async ({ needs: { inner } }) => {
    t.match(await inner.send(post), { status: 503 }, 'not during the boot')
    resolve(inner)
    const on: Policy['on'] = ({ spec }) => (spec.path === '/locked' ? { refuse: () => locked() } : undefined)
    return { gives: { policies: { on } } }
  })
  const mounted = mountForTest(t, {
    plugins: [routes, use(early)],
    origins: { origins: ['https://editor.example'], hosts: ['orchestrator.example'] },
  })
  await mounted.ready()
  const { send } = await promise
  const seen = { secure: false, host: 'orchestrator.example', text: 'hello' }
  t.strictSame((await send(post)).json(), seen, 'an unknown address stays unknown')
  const known = { remote: '192.0.2.1', secure: true }
  t.strictSame((await send({ ...post, ...known })).json(), { ...seen, ...known })
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
  const refused = await send({ ...post, headers: {} })
  t.equal(refused.headers.get('www-authenticate'), 'Key', 'a gate adds headers to its refusal')
  await mounted.close()
  t.match((await send(post)).json(), { code: 'closing' })
})
