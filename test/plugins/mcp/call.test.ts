import type { ServerContext } from '@modelcontextprotocol/server'
import t from 'tap'
import type { Host, HttpRequest } from '../../../plugins/mcp/host.ts'
import { createProgress } from '../../../plugins/mcp/server.ts'
import { ask, toClientName, withoutSecrets } from '../../../plugins/mcp/send.ts'
import { until } from '../../helpers/mcp.ts'

/** A host whose service never answers. */
const silent: Host = {
  siteId: 'acme',
  session: 'dev',
  secrets: [],
  replyOf: () => undefined,
  send: ({ signal }: HttpRequest) =>
    new Promise((_, reject) => {
      const socket = setInterval(() => undefined, 1_000)
      signal.addEventListener('abort', () => {
        clearInterval(socket)
        reject(new Error('gone'))
      })
    }),
}

t.test('a timeout of the service is a failure with a message, and an abort is not', async (t) => {
  const { signal } = new AbortController()
  const asking = (more: { readonly signal?: AbortSignal; readonly timeoutMs?: number }, host = silent) => {
    const { signal: given = signal, timeoutMs } = more
    const of = { client: undefined, signal: given, named: 'a-tool' }
    return ask(host, of, { method: 'GET', path: '/whoami', ...(timeoutMs !== undefined && { timeoutMs }) })
  }
  const late = { name: 'Failed', message: 'a-tool → no answer within 0.01 seconds' }
  await t.rejects(asking({ timeoutMs: 10 }), late)
  const leaving = new AbortController()
  const asked = asking({ signal: leaving.signal })
  leaving.abort()
  await t.rejects(asked, { message: 'gone' })
  const broken = { ...silent, send: () => Promise.reject(new Error('broken')) }
  await t.rejects(asking({}, broken), { message: 'broken' })
})

t.test('the client name is limited to header characters', (t) => {
  t.strictSame(
    ['a-host', 'caf\u00e9 \r\nx: y', '', ' ', 'x'.repeat(100), undefined].map((name) => toClientName(name)),
    ['a-host', 'caf x: y', 'unknown', 'unknown', 'x'.repeat(64), 'unknown'],
  )
  t.end()
})

t.test('a long tool sends progress until it ends, even if delivery fails', async (t) => {
  let sent = 0
  const notify = () => (++sent % 2 === 0 ? Promise.reject(new Error('gone')) : Promise.resolve())
  const context = { mcpReq: { _meta: { progressToken: 1 }, notify } } as unknown as ServerContext
  const { end } = createProgress(context, 5)
  t.ok(await until(() => sent > 3))
  end()
  const ended = sent
  await new Promise((resolve) => setTimeout(resolve, 20))
  t.equal(sent, ended)
})

t.test('secrets are redacted in every JSON form, and short words are not', (t) => {
  t.equal(
    withoutSecrets(['a "quoted" secret', 'word'], JSON.stringify({ a: 'a "quoted" secret', b: 'word' })),
    '{"a":"[redacted]","b":"word"}',
  )
  t.end()
})
