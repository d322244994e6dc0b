import { createServer, request as ask, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createPreviewProxy } from '../../plugins/checkout/port.ts'
import { checkoutOf, website } from '../helpers/checkouts.ts'
import { freePort, listen } from '../helpers/raw.ts'

const host = 'p1.edit.localhost'
const studio = 'http://edit.localhost:4200'
const tag = '<script>early()</script><script type="module" src="/~script.js"></script>'

interface Asking {
  readonly headers?: OutgoingHttpHeaders
  readonly method?: string
  /** Whether the browser was let in; by default it was. */
  readonly isOut?: boolean
}

interface Previewed {
  readonly isRunning?: boolean
  readonly problem?: string
  readonly script?: string | null
  readonly patienceMs?: number
}

/** The preview of a website's development server. */
async function preview(t: Test, given: Previewed = {}) {
  const { isRunning = true, problem, script = '/~script.js', patienceMs = 60_000 } = given
  const checkout = await checkoutOf(t, website(t))
  if (isRunning) await checkout.start(AbortSignal.timeout(60_000))
  const proxy = createPreviewProxy({
    origin: () => checkout.origin,
    isHost: (given) => given.split(':')[0] === host,
    key: 'the key',
    problem: () => problem,
    patienceMs,
    script: script ?? undefined,
    early: 'early()',
    frameAncestors: [studio],
    own: (request, response) => {
      if (request.url !== '/api/editor/manifest') return false
      response.end('own')
      return true
    },
  })
  const server = createServer((request, response) => void proxy.request(request, response))
  server.on('upgrade', proxy.upgrade)
  const port = await listen(t, server)
  t.teardown(() => {
    proxy.close()
    server.closeAllConnections()
  })
  const open = async (
    path: string,
    { headers, method = 'GET', isOut = false }: Asking = {},
  ): Promise<IncomingMessage> => {
    const given = {
      host: `${host}:${port}`,
      accept: 'text/html',
      ...(!isOut && { cookie: entered }),
      ...headers,
    }
    const [answer] = await once(ask({ port, path, method, headers: given }).end(), 'response')
    return answer
  }
  const read = async (path: string, asking?: Asking) => {
    const answer = await open(path, asking)
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
  }
  const entry = await open('/~enter?key=the%20key&to=/a%3Fb=1', { isOut: true })
  const [cookie = ''] = entry.headers['set-cookie'] ?? []
  const entered = cookie.split(';')[0] ?? ''
  const target = (): URL => new URL(checkout.origin ?? '')
  return { checkout, port, open, read, entry, entered, cookie, target }
}

t.test('a preview answers on its host, to browsers that the entry address let in', async (t) => {
  const { read, entry, cookie, entered } = await preview(t)
  t.match(entry, { statusCode: 303, headers: { location: '/a?b=1', 'referrer-policy': 'no-referrer' } })
  t.match(cookie, /^__Host-\S+=\S+; Path=\/; HttpOnly; Secure; SameSite=None; Partitioned$/)
  t.notMatch(cookie, 'key')
  for (const to of ['//example.com', '/\\example.com', 'https://example.com', ''])
    t.equal((await read(`/~enter?key=the%20key&to=${to}`, { isOut: true })).headers.location, '/', to)
  t.match(await read('/~enter?key=another&to=/', { isOut: true }), {
    status: 403,
    headers: { 'set-cookie': undefined },
  })
  t.match(await read('/', { isOut: true }), { status: 403, text: /Open this preview from the studio/ })
  t.match(await read('/', { headers: { cookie: `${entered}x` } }), { status: 403 })
  t.match(await read('/', { headers: { host: 'localhost' } }), { status: 421 })
  t.match(await read('/~enter?key=the%20key', { headers: { host: 'localhost' } }), { status: 421 })
  t.match(await read('/api/editor/manifest', { isOut: true }), { status: 200, text: 'own' })
  t.match(await read('/'), { status: 200, text: /We build boats/ })
})

t.test('a page has the script first in its head, however it is encoded', async (t) => {
  const { read } = await preview(t)
  for (const encoding of ['', 'br', 'gzip', 'deflate', 'zstd']) {
    const { headers, text } = await read(`/?${encoding}`)
    t.match(text, `<html lang="en"><head>${tag}<title>Boats</title>`, encoding)
    t.match(text, 'We build boats.')
    t.strictSame([headers['content-encoding'], headers['content-length']], [undefined, undefined])
  }
  t.match(await read('/', { method: 'HEAD' }), { status: 200, text: '' })
})

t.test('a page that the server is at writing, which is empty, asks again by itself', async (t) => {
  const { read } = await preview(t)
  t.match(await read('/empty'), { status: 200, text: /<meta http-equiv="refresh" content="1">/ })
  t.match(await read('/empty', { headers: { accept: '*/*' } }), { status: 200, text: /^$/ })
  t.match(await read('/empty', { method: 'HEAD' }), { status: 200, text: /^$/ })
})

t.test('a request is one to the server, without what is of the service', async (t) => {
  const { read, port, entered, target } = await preview(t)
  const own = `http://${host}:${port}`
  const { text } = await read('/headers', {
    headers: {
      origin: own,
      referer: `${own}/a?b=1`,
      cookie: `a=1; ${entered}; editor_draft=x; __Host-editor_draft=x; b=2=3`,
      'accept-encoding': 'br',
      'if-none-match': '"1"',
      'x-access-token': 'secret',
      'x-forwarded-host': 'example.com',
      authorization: 'Basic YTpi',
    },
  })
  const { origin, host: server } = target()
  const headers = JSON.parse(text) as Record<string, string>
  t.match(headers, {
    host: server,
    origin,
    referer: `${origin}/a?b=1`,
    cookie: 'a=1; b=2=3',
    'accept-encoding': 'identity',
    authorization: 'Basic YTpi',
  })
  for (const name of ['if-none-match', 'x-access-token', 'x-forwarded-host']) t.notOk(name in headers, name)
  const other = await read('/headers', {
    headers: {
      accept: '*/*',
      origin: 'https://example.com',
      referer: `${studio}/x`,
      'accept-encoding': 'br',
    },
  })
  t.match(JSON.parse(other.text), {
    origin: 'https://example.com',
    referer: `${studio}/x`,
    'accept-encoding': 'br',
    cookie: undefined,
  })
})

t.test('an answer fits the frame of the studio', async (t) => {
  const { read } = await preview(t)
  t.equal((await read('/away')).headers.location, '/there?a=1')
  t.equal((await read('/elsewhere')).headers.location, 'https://example.com/there')
  t.strictSame((await read('/cookies')).headers['set-cookie'], [
    'a=1; Secure; SameSite=None; Partitioned',
    'b=2; Path=/b; Secure; SameSite=None; Partitioned',
  ])
  const { headers, text } = await read('/guarded')
  t.match(
    text,
    '<head><script nonce="abc">early()</script><script type="module" src="/~script.js" nonce="abc"></script>',
  )
  t.equal(
    headers['content-security-policy'],
    `default-src 'self'; script-src 'nonce-abc', frame-ancestors ${studio}`,
  )
  t.strictSame([headers['x-frame-options'], headers.etag], [undefined, undefined])
})

t.test('a page streams, and so do events', async (t) => {
  const { open, read } = await preview(t)
  const page = await open('/stream')
  const parts = page.setEncoding('utf8')[Symbol.asyncIterator]()
  t.equal((await parts.next()).value, `<!doctype html><html><head>${tag}<title>One</title>`)
  await read('/finish')
  t.equal((await parts.next()).value, '</head><body>two</body></html>')
  const events = await open('/events', { headers: { accept: 'text/event-stream' } })
  t.equal(events.headers['content-type'], 'text/event-stream')
  events.destroy()
})

t.test('an upgrade reaches the server as its own, and one of a stranger does not', async (t) => {
  const { port, entered, target } = await preview(t)
  const upgrade = (headers: OutgoingHttpHeaders) => {
    const connecting = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'a2V5' }
    return ask({ port, path: '/', headers: { host: `${host}:${port}`, ...connecting, ...headers } }).end()
  }
  const own = `http://${host}:${port}`
  const [, socket, head] = await once(upgrade({ origin: own, cookie: entered }), 'upgrade')
  const frame: Buffer = head.length > 0 ? head : (await once(socket, 'data'))[0]
  t.strictSame(JSON.parse(frame.subarray(2).toString()), { origin: target().origin, host: target().host })
  socket.destroy()
  for (const headers of [
    { origin: own },
    { origin: 'https://example.com', cookie: entered },
    { host: 'localhost', cookie: entered },
  ]) {
    const [answer] = await once(upgrade(headers), 'response')
    t.equal(answer.statusCode, 403)
    answer.destroy()
  }
})

t.test('a page that has waited for a server asks again', async (t) => {
  const { read } = await preview(t, { isRunning: false, patienceMs: 300 })
  t.match(await read('/'), { status: 503, headers: { refresh: '1' }, text: /does not answer yet/ })
  t.match(await read('/x.js', { headers: { accept: '*/*' } }), {
    status: 503,
    headers: { refresh: undefined },
  })
})

t.test('a request waits for a server that starts, refuses it, or ends before it answers', async (t) => {
  const { checkout, read } = await preview(t, { isRunning: false })
  let origin: string | undefined
  Object.defineProperty(checkout, 'origin', { get: () => origin })
  const starting = read('/')
  await pause(300)
  const port = await freePort()
  origin = `http://localhost:${port}`
  await pause(300)
  const started = createServer((_, response) => response.end('started'))
  await once(started.listen(port, '127.0.0.1'), 'listening')
  t.match(await starting, { status: 200, text: 'started' })

  started.close()
  const ending = createServer(({ socket }) => socket.destroy())
  origin = `http://127.0.0.1:${await listen(t, ending)}`
  ending.once('request', () => (origin = undefined))
  const page = read('/')
  await pause(300)
  const other = createServer((request, response) => response.end(request.method))
  origin = `http://127.0.0.1:${await listen(t, other)}`
  t.match(await page, { status: 200, text: 'GET' })
})

t.test('what a server that ends may have done is not asked for twice', async (t) => {
  const { checkout, read } = await preview(t, { isRunning: false })
  const asked: unknown[] = []
  const ending = createServer(({ method, socket }) => {
    asked.push(method)
    socket.destroy()
  })
  Object.defineProperty(checkout, 'origin', { value: `http://127.0.0.1:${await listen(t, ending)}` })
  t.equal((await read('/', { method: 'POST' })).status, 503)
  t.equal((await read('/')).status, 503)
  t.strictSame(asked, ['POST', 'GET', 'GET'])
})

t.test('a server that does not start is waited for with the reason', async (t) => {
  const { read } = await preview(t, { isRunning: false, problem: 'Close a tab.' })
  t.match(await read('/'), { status: 503, headers: { refresh: '1' }, text: '<p>Close a tab.</p>' })
})

t.test('without a script a page is passed on as it is', async (t) => {
  const { read } = await preview(t, { script: null })
  const { text, headers } = await read('/')
  t.match(text, 'We build boats.')
  t.notMatch(text, '<script')
  t.match(headers['content-security-policy'], studio, 'the studio alone may frame it')
})
