import t from 'tap'
import * as v from 'valibot'
import { definePlugin, defineRoutes, gates, give, use, type Seed } from '../../../kernel/index.ts'
import { mountForTest } from '../../../kernel/testing.ts'
import auth from '../../../plugins/auth/index.ts'
import { authHook } from '../../../plugins/auth/port.ts'
import mcp from '../../../plugins/mcp/index.ts'
import { bearer } from '../../helpers/mcp.ts'
import { draftsInMemory } from '../../helpers/stack.ts'

const fixed = 'canary-access-token-0123456789'
const seen: { headers: Record<string, string>; remote: string | undefined; secure: boolean }[] = []
const routes = defineRoutes({
  page: {
    method: 'GET',
    path: '/whoami',
    gate: gates.access,
    summary: 'Tells who asks.',
    replies: { 200: v.object({}) },
  },
})
const watcher = definePlugin({ name: 'watcher', tag: 'Sessions', routes }).setup(() => ({
  handlers: {
    page({ headers, remote, secure }) {
      seen.push({ headers: Object.fromEntries(headers), remote, secure })
      return { status: 200, body: {} }
    },
  },
}))

const start = (
  env: Readonly<Record<string, string>>,
  {
    seeds = [],
    shape = 'standalone',
  }: { readonly seeds?: readonly Seed[]; readonly shape?: 'standalone' | 'library' } = {},
) =>
  mountForTest(t, {
    ...draftsInMemory({ gates: [], plugins: [use(auth), use(mcp), use(watcher)], seeds, env }),
    shape,
  })
const message = (headers: Readonly<Record<string, string>>, more: object = {}) => ({
  method: 'POST',
  url: '/mcp',
  headers: { accept: 'application/json, text/event-stream', ...headers },
  json: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'orchestrator-whoami', arguments: {} },
  },
  ...more,
})

t.test(
  'the gate of /mcp checks the message and its inner requests, and the route needs a configured credential',
  async (t) => {
    const by = { authorization: `Bearer ${bearer}` }
    const status = async (mounted: ReturnType<typeof start>, headers: Readonly<Record<string, string>>) =>
      (await mounted.inject(message(headers))).status
    t.equal(await status(start({}), {}), 404)
    const tokens = { MCP_BEARER_TOKEN: bearer, ORCHESTRATOR_ACCESS_TOKEN: fixed }
    const open = start(tokens)
    for (const token of [bearer, fixed])
      t.equal(await status(open, { authorization: `Bearer ${token}` }), 200)
    for (const headers of [{}, { authorization: 'Bearer x' }, { 'x-access-token': bearer }]) {
      const answer = await open.inject(message(headers))
      t.same([answer.status, answer.headers.get('www-authenticate')], [401, 'Bearer'])
    }
    const asking = start({ ...tokens, ORCHESTRATOR_GATE: 'all' })
    t.equal(await status(asking, by), 401, 'the bearer is not valid for other gates')
    t.equal(await status(asking, { ...by, 'x-access-token': fixed }), 200)
    t.equal(await status(asking, { authorization: `Bearer ${fixed}` }), 200)

    const hook = give(authHook, async ({ headers }) => headers.get('x-user') === 'anna')
    const hooked = start({ MCP_BEARER_TOKEN: bearer }, { shape: 'library', seeds: [hook] })
    t.equal(await status(hooked, { ...by, 'x-user': 'anna' }), 200, 'the hook decides for both')
    t.equal(await status(hooked, by), 401)
    t.equal(await status(hooked, { 'x-user': 'anna' }), 401)
  },
)

t.test('headers of the caller are passed to inner requests, headers of the message are not', async (t) => {
  const { inject } = start({ MCP_BEARER_TOKEN: bearer, TRUST_PROXY: '192.0.2.1' })
  seen.length = 0
  const about = {
    'if-match': '"1"',
    'idempotency-key': 'k',
    'mcp-session-id': 's',
    'x-publish-token': 'canary',
    'x-orchestrator-client': 'somebody',
    range: 'bytes=0-1',
    'content-type': 'application/json',
  }
  const who = {
    authorization: `Bearer ${bearer}`,
    cookie: 'a=b',
    'x-forwarded-for': '198.51.100.1',
    'x-user': 'anna',
    host: 'orchestrator.example',
  }
  t.equal((await inject(message({ ...about, ...who }, { remote: '192.0.2.1', secure: true }))).status, 200)
  const [{ headers, ...from } = { headers: {} }] = seen
  t.strictSame(from, { remote: '192.0.2.1', secure: true })
  t.strictSame(headers, { ...who, 'x-orchestrator-client': 'unknown' })
})
