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

t.test('a plan that is refused arrives with its summary and what is wrong with it', async (t) => {
  const { signal } = new AbortController()
  const messageFor = async (status: number, body: object): Promise<unknown> => {
    const answer = { status, headers: new Headers(), text: JSON.stringify(body) }
    const host = { ...silent, send: () => Promise.resolve(answer) }
    const of = { client: undefined, signal, named: 'chat-plan' }
    return ask(host, of, { method: 'POST', path: '/chat' }).catch((error: unknown) => Object(error).message)
  }
  const refused = { status: 'validation_error', summary: 'The plan was refused.', changes: [] }
  const why = 'schema_violation: ops[0].patch is missing'
  t.equal(
    await messageFor(400, { ...refused, validationErrors: [why, 'not_found: /x'] }),
    `chat-plan → 400 validation_error The plan was refused. ${why} not_found: /x`,
  )
  const broken = { status: 'error', summary: 'No usable plan.', changes: ['It was cut off.'] }
  t.equal(await messageFor(500, broken), 'chat-plan → 500 error No usable plan. It was cut off.')
  const stated = { code: 'not_found', error: 'No such page', reason: 'Open another.' }
  t.equal(await messageFor(404, stated), 'chat-plan → 404 not_found Open another.')
  t.equal(String(await messageFor(400, { ...refused, validationErrors: ['x'.repeat(900)] })).length, 500)
})
