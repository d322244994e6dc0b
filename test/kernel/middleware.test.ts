import { once } from 'node:events'
import { createServer } from 'node:http'
import { mock } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import express from 'express'
import * as v from 'valibot'
import t, { type Test } from 'tap'
import {
  definePlugin,
  defineRoutes,
  gate,
  gates,
  mount,
  use,
  type Gate,
  type Mount,
} from '../../kernel/index.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { dial, listen } from '../helpers/raw.ts'

const Said = v.object({ said: v.string() })
const slow = gate('slow')
const open = { gate: gates.public, summary: '', replies: { 200: Said } } as const
const routes = defineRoutes({
  here: {
    ...open,
    method: 'GET',
    path: '/here',
    query: v.object({ said: v.optional(v.string(), 'nothing') }),
  },
  say: { ...open, method: 'POST', path: '/say', body: Said },
  raw: { ...open, method: 'POST', path: '/raw', raw: true },
  upload: {
    ...open,
    method: 'POST',
    path: '/upload',
    upload: { fields: [], types: ['text/plain'], maxBytes: 10 },
  },
  guarded: { ...open, method: 'POST', path: '/guarded', gate: slow, body: Said },
})

/** Routes mounted below a base path, as in a website. */
function mounted(
  t: Test,
  basePath: string,
  admit: () => Promise<void> = async () => undefined,
): { readonly mount: Mount; readonly lines: () => string } {
  const slowGate: Gate = {
    mounting: () => ({ mount: true }),
    admit: async () => {
      await admit()
      return { admit: true, caller: { via: 'anyone' } }
    },
  }
  const plugin = definePlugin({ name: 'p', tag: 'P', gives: { slow }, routes }).setup(() => ({
    gives: { slow: slowGate },
    handlers: {
      here: ({ query }) => ({ status: 200, body: query }),
      say: ({ body }) => ({ status: 200, body }),
      raw: ({ body }) => ({ status: 200, body: { said: Buffer.from(body).toString() } }),
      upload: async ({ body }) => ({
        status: 200,
        body: { said: (await body.receive(async ({ fileName }) => fileName)).taken ?? '' },
      }),
      guarded: ({ body }) => ({ status: 200, body }),
    },
  }))
  const { log, lines } = capturedLog()
  const made = mount({ shape: 'library', env: {}, log, plugins: [use(plugin)] }, { basePath })
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
  const port = await listen(t, createServer(app))
  const form = new FormData()
  form.append('file', new Blob(['text'], { type: 'text/plain' }), 'a.txt')
  for (const [path, init] of [
    ['/api/say', { body: '{"said":"hello"}', headers: json }],
    ['/api/raw', { body: 'hello' }],
    ['/api/upload', { body: form }],
  ] as const) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      signal: AbortSignal.timeout(3000),
      ...init,
    })
    t.equal(answer.status, 500, path)
    t.match(
      await answer.json(),
      {
        code: 'body_already_read',
        reason: /Mount these routes before body parsers such as express\.json\(\)/,
      },
      path,
    )
  }
  t.match(lines(), /body_already_read/, 'logged')
  t.equal(
    (await fetch(`http://127.0.0.1:${port}/api/here`)).status,
    200,
    'a request without a body is answered',
  )

  const request = new Request('http://localhost/api/say', {
    method: 'POST',
    body: '{"said":"hello"}',
    headers: json,
  })
  await request.text()
  t.match(await (await mount.fetch(request)).json(), { code: 'body_already_read' }, 'web requests as well')
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
