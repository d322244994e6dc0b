import t from 'tap'
import type { Host, HttpRequest } from '../../../plugins/mcp/host.ts'
import { ask } from '../../../plugins/mcp/send.ts'

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
