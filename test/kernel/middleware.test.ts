import { once } from 'node:events'
import { createServer } from 'node:http'
import { mock } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import express from 'express'
import * as v from 'valibot'
import t, { type Test } from 'tap'
import { gate, mount, type Gate, type Upload } from '../../kernel/index.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { plain } from '../helpers/plain.ts'
import { dial, listen, serve } from '../helpers/raw.ts'

const Said = v.object({ said: v.string() })
const slow = gate('slow')
type MiddlewareRequest<T> = { readonly body: T; readonly query: { readonly said: string } }

/** Routes mounted below a base path, as in a website; the gate of `/guarded` waits for `admit`. */
function mounted(t: Test, basePath: string, admit: () => Promise<void> = async () => undefined) {
  const keeper: Gate = {
    mounting: () => ({ mount: true }),
    admit: async () => (await admit(), { admit: true, caller: { via: 'anyone' } }),
  }
  const replies = { 200: Said }
  const same = ({ body }: MiddlewareRequest<object>) => ({ status: 200, body })
  const said = (said: string) => ({ status: 200, body: { said } })
  const query = v.object({ said: v.optional(v.string(), 'nothing') })
  const upload = { fields: [], types: ['text/plain'], maxBytes: 10 }
  const receive = ({ body }: MiddlewareRequest<Upload>) => body.receive(async ({ fileName }) => fileName)
  const routes = plain(
    {
      'GET /here': { replies, query, answer: ({ query }: MiddlewareRequest<unknown>) => said(query.said) },
      'POST /say': { replies, body: Said, answer: same },
      'POST /raw': {
        replies,
        raw: true,
        answer: ({ body }: MiddlewareRequest<Buffer>) => said(String(body)),
      },
      'POST /upload': {
        replies,
        upload,
        answer: async (call: MiddlewareRequest<Upload>) => said((await receive(call)).taken ?? ''),
      },
      'POST /guarded': { replies, gate: slow, body: Said, answer: same },
    },
    [[slow, keeper]],
  )
  const { log, lines } = capturedLog()
  const made = mount({ shape: 'library', env: {}, log, plugins: [routes] }, { basePath })
  t.teardown(() => made.close())
  return { mount: made, lines: () => JSON.stringify(lines) }
}

t.test('the base path matches whether or not Express strips it', async (t) => {
  const base = '/api/orchestrator'
  for (const [name, basePath, at, before] of [
    ['base path passed to the mount only', base, undefined, base],
    ['base path passed to Express only', '', base, base],
    ['base path passed to both', base, base, base],
    ['a part of it passed to Express', base, '/api', base],
    ['a router below a path', base, '/site', `/site${base}`],
  ] as const) {
    const app = express()
    const { node } = mounted(t, basePath).mount
    if (at === undefined) app.use(node)
    else app.use(at, node)
    app.use((request, response) => void response.status(404).send(`the host: ${request.originalUrl}`))
    const port = await listen(t, createServer(app))
    const ask = async (path: string): Promise<string> =>
      (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    t.equal(await ask(`${before}/here?said=hello`), '{"said":"hello"}', name)
    t.equal(await ask(`${before}/here`), '{"said":"nothing"}', name)
    t.match(await ask(`${before}/there`), /Method GET \/there not handled by the mount/, name)
    for (const path of ['/', '/here', '/api/other', `${before}s/here`])
      t.equal(await ask(path), `the host: ${path}`, `${name}: ${path}`)
  }
})

const json = { 'content-type': 'application/json' }

t.test('a body already read by other middleware is refused at once, with a remedy', async (t) => {
  const app = express()
  const { mount, lines } = mounted(t, '/api')
  app.use(express.json(), express.text(), express.raw({ type: 'multipart/form-data' }), mount.node)
  const origin = await serve(t, app)
  const form = new FormData()
  form.append('file', new Blob(['text'], { type: 'text/plain' }), 'a.txt')
  const say = { method: 'POST', body: '{"said":"hello"}', headers: json }
  const code = 'body_already_read'
  const reason = /Mount these routes before body parsers such as express\.json\(\)/
  for (const [path, init] of [
    ['/api/say', say],
    ['/api/raw', { body: 'hello' }],
    ['/api/upload', { body: form }],
  ] as const) {
    const limit = { method: 'POST', signal: AbortSignal.timeout(3000) }
    const answer = await fetch(origin + path, { ...limit, ...init })
    t.match([answer.status, await answer.json()], [500, { code, reason }], path)
  }
  t.match(lines(), /body_already_read/, 'logged')
  t.equal((await fetch(`${origin}/api/here`)).status, 200, 'a request without a body is answered')

  const request = new Request('http://localhost/api/say', say)
  await request.text()
  t.match(await (await mount.fetch(request)).json(), { code }, 'web requests as well')
})

t.test('close does not wait for a client that disconnected while its gate decided', async (t) => {
  const entered = Promise.withResolvers<void>()
  const { promise: decided, resolve: decide } = Promise.withResolvers<void>()
  const { mount } = mounted(t, '', () => (entered.resolve(), decided))
  const port = await listen(t, createServer(mount.node))
  const socket = await dial(t, port)
  socket.write(
    'POST /guarded HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"said":',
  )
  await entered.promise
  socket.destroy()
  await once(socket, 'close')
  await wait(100)
  decide()
  // With no timer close would never end if it waited for the client.
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  await mount.close()
  t.pass('closed')
})
