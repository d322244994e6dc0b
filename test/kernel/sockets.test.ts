import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import t, { type Test } from 'tap'
import { createHttpServer, serverTimes, type ServerTimes } from '../../kernel/http/server.ts'
import { file, type Upload } from '../../kernel/index.ts'
import { mountForTest } from '../../kernel/testing.ts'
import { plain } from '../helpers/plain.ts'
import { dial, exchange, listen, toAnswers, type Exchange } from '../helpers/raw.ts'
import { until } from '../helpers/until.ts'

async function* dripping() {
  yield Buffer.from('begun')
  await wait(400)
  yield Buffer.from('done')
}

/** A service on a real socket, and the names of the handlers that ran. */
async function serve(
  t: Test,
  times: ServerTimes = serverTimes,
): Promise<{ readonly port: number; readonly ran: string[] }> {
  const ran: string[] = []
  const replies = { 200: v.looseObject({}) }
  const noted = (name: string, body: unknown) => (ran.push(name), { status: 200, body })
  const routes = plain({
    'GET /get': {
      replies,
      answer: ({ header }) => noted('get', { token: header('x-access-token') ?? null }),
    },
    'GET /x/:id': { replies, answer: ({ params }) => noted('one', params) },
    'GET /secret': { replies, answer: () => noted('secret', {}) },
    'POST /post': { replies, body: v.unknown(), answer: ({ body }) => noted('post', { got: body }) },
    'POST /raw': {
      replies,
      raw: true,
      maxBytes: 10,
      answer: ({ body }: { body: Uint8Array }) => noted('raw', { size: body.byteLength }),
    },
    'POST /upload': {
      replies,
      upload: { fields: [], types: ['image/png'], maxBytes: 100_000 },
      answer: async ({ body }: { body: Upload }) =>
        noted('upload', await body.receive(({ bytes }) => Array.fromAsync(bytes))),
    },
    'GET /drip': {
      replies: { 200: file('text/plain') },
      answer: () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: dripping() }),
    },
  })
  const mounted = mountForTest(t, { plugins: [routes] })
  await mounted.ready()
  return { port: await listen(t, createHttpServer(mounted.node, times)), ran }
}

const host = 'Host: localhost\r\n'
const json = `${host}Content-Type: application/json\r\n`
const get = (target: string, more = ''): string => `GET ${target} HTTP/1.1\r\n${host}${more}\r\n`
const post = (lines: string, body: string): string => `POST /post HTTP/1.1\r\n${json}${lines}\r\n${body}`
const lines = (count: number): string => 'A: b\r\n'.repeat(count)
const chunked = 'Transfer-Encoding: chunked\r\n'
const braces = '2\r\n{}\r\n0\r\n\r\n'
const tokenAfter = (count: number): string => get('/get', `${lines(count)}X-Access-Token: t\r\n`)
const bad = '400 bad_request, closed'
const longHeaders = '431 headers_too_large, closed'
/** The connection stays open: only the path is invalid. */
const refused = '400 bad_request'

/** Bytes sent, and the expected status, error code or body, and whether the connection closes. */
const golden: Readonly<Record<string, readonly [bytes: string, expected: string]>> = {
  'a plain request': [get('/get'), '200 {"token":null}'],
  'a plain body': [post('Content-Length: 2\r\n', '{}'), '200 {"got":{}}'],
  'a chunked body': [post(chunked, braces), '200 {"got":{}}'],
  'two requests, one after the other': [get('/get') + get('/x/a'), '200 {"token":null}; 200 {"id":"a"}'],

  'a length and chunks': [post(`Content-Length: 6\r\n${chunked}`, '0\r\n\r\nG'), bad],
  'chunks and a length, followed by a request': [
    post(`${chunked}Content-Length: 4\r\n`, braces + get('/secret')),
    bad,
  ],
  'two lengths': [post('Content-Length: 2\r\nContent-Length: 3\r\n', '{} '), bad],
  'the same length twice': [post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'), bad],
  'a length with a plus': [post('Content-Length: +2\r\n', '{}'), bad],
  'a length with a minus': [post('Content-Length: -2\r\n', '{}'), bad],
  'a length in a list': [post('Content-Length: 2, 2\r\n', '{}'), bad],
  'a length in hexadecimal': [post('Content-Length: 0x2\r\n', '{}'), bad],
  'a space before the colon of the length': [post('Content-Length : 2\r\n', '{}'), bad],
  'a space before the colon of the coding': [post('Transfer-Encoding : chunked\r\n', '0\r\n\r\n'), bad],
  'a folded line': [get('/get', 'X-A: b\r\n c\r\n'), bad],
  'a folded coding': [post('Transfer-Encoding:\r\n chunked\r\n', '0\r\n\r\n'), bad],
  'a first line that begins with a space': [`GET /get HTTP/1.1\r\n X-A: b\r\n${host}\r\n`, bad],
  'lines that end in a bare line feed': ['GET /get HTTP/1.1\nHost: localhost\n\n', bad],
  'one line that ends in a bare line feed': [get('/get', 'X-A: b\nX-B: c\r\n'), bad],
  'a bare carriage return': [get('/get', 'X-A: b\rX-B: c\r\n'), bad],
  'a carriage return where the body begins': [
    `GET /get HTTP/1.1\r\n${host}X: y\r\n\rX: ${get('/secret')}`,
    bad,
  ],
  'an unknown transfer coding': [post('Transfer-Encoding: xchunked\r\n', braces), bad],
  'a coding after chunks': [post('Transfer-Encoding: chunked, identity\r\n', braces), bad],
  'a coding before chunks': [post('Transfer-Encoding: gzip, chunked\r\n', braces), bad],
  'two codings': [post(`${chunked}Transfer-Encoding: identity\r\n`, braces), bad],
  'a chunk size with 0x': [post(chunked, '0x2\r\n{}\r\n0\r\n\r\n'), bad],
  'a negative chunk size': [post(chunked, '-2\r\n{}\r\n0\r\n\r\n'), bad],
  'a chunk size out of range': [post(chunked, 'fffffffffffffffff\r\n{}\r\n0\r\n\r\n'), bad],
  'a chunk extension with a line feed': [post(chunked, `2;a=b\n${get('/secret')}{}\r\n0\r\n\r\n`), bad],
  'an invalid end of chunks': [post(chunked, '2\r\n{}\r\n0\r\n\r\rX'), bad],
  'a body that a GET route does not read': [
    get('/get', `Content-Length: ${get('/secret').length}\r\n`) + get('/secret'),
    '200 {"token":null}, closed',
  ],
  'garbage after a request': [`${get('/get')}foo\r\n\r\n`, '200 {"token":null}; 400 bad_request, closed'],
  'two types, the right one first': [
    post('Content-Type: text/plain\r\nContent-Length: 2\r\n', '{}'),
    '415 unsupported_media_type, closed',
  ],

  'two hosts': [get('/get', 'Host: evil.example\r\n'), bad],
  'no host': ['GET /get HTTP/1.1\r\n\r\n', bad],
  'no host, from an old client': ['GET /get HTTP/1.0\r\n\r\n', '200 {"token":null}, closed'],
  'an absolute URL as target': [get('http://evil.example/get'), bad],
  'a star as target': [get('*'), bad],
  'a star with OPTIONS': [`OPTIONS * HTTP/1.1\r\n${host}\r\n`, bad],
  'a target that begins with two slashes': [get('//evil.example/get'), bad],
  'a tunnel': [`CONNECT evil.example:80 HTTP/1.1\r\n${host}\r\n`, 'closed'],
  'a request without a version': ['GET /get\r\n\r\n', bad],
  'version 1.2': [`GET /get HTTP/1.2\r\n${host}\r\n`, bad],
  'version 2.0 in the form of 1.1': [`GET /get HTTP/2.0\r\n${host}\r\n`, bad],
  'the preface of version 2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', bad],
  'a method in lower case': [`get /get HTTP/1.1\r\n${host}\r\n`, bad],
  'an unknown method': [`EVIL /get HTTP/1.1\r\n${host}\r\n`, bad],
  'a method that no route has': [`TRACE /get HTTP/1.1\r\n${host}\r\n`, '404 not_found'],
  'an upgrade': [get('/get', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'), '200 {"token":null}'],
  'an unknown expectation': [post('Expect: wonders\r\nContent-Length: 2\r\n', '{}'), '200 {"got":{}}'],
  'expect 100-continue': [post('Expect: 100-continue\r\nContent-Length: 2\r\n', '{}'), '200 {"got":{}}'],
  'no HTTP at all': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', bad],

  '200 header lines, the token last': [tokenAfter(198), '200 {"token":"t"}'],
  '201 header lines, the token last': [tokenAfter(199), longHeaders],
  '3,000 header lines, the token last': [tokenAfter(2998), longHeaders],
  'one header of 40 KB': [get('/get', `A: ${'b'.repeat(40_000)}\r\n`), longHeaders],
  'a header with a zero byte': [get('/get', 'A: b\x00c\r\n'), bad],
  'a header without a name': [get('/get', ': b\r\n'), bad],
  'a header with a space in its name': [get('/get', 'A B: c\r\n'), bad],
  'a target of 8 KB': [get(`/${'a'.repeat(8191)}`), '404 not_found'],
  'a target of 8 KB and one byte': [get(`/${'a'.repeat(8192)}`), '414 url_too_long, closed'],
  'a query of 8 KB and one byte': [get(`/get?${'a'.repeat(8188)}`), '414 url_too_long, closed'],
  'a target of 40 KB': [get(`/${'a'.repeat(40_000)}`), longHeaders],

  'a parameter of 256 characters': [get(`/x/${'a'.repeat(256)}`), `200 {"id":"${'a'.repeat(256)}"}`],
  'a parameter of 257 characters': [get(`/x/${'a'.repeat(257)}`), '404 not_found'],
  'a parameter of 257 escaped characters': [get(`/x/${'%24'.repeat(257)}`), '404 not_found'],
  'an invalid escape': [get('/x/%zz'), refused],
  'an escape cut short': [get('/x/%'), refused],
  'an escape that is not UTF-8': [get('/x/%C3%28'), refused],
  'escaped slashes in a parameter': [get('/x/..%2f..%2fget'), refused],
  'dot segments': [get('/x/../get'), refused],
  'escaped dot segments': [get('/x/%2e%2e/get'), refused],
  backslashes: [get('/x\\..\\get'), refused],
  'an escaped letter': [get('/%67et'), refused],
  'a fragment': [get('/get#x'), refused],
  'two slashes within the path': [get('/x//get'), refused],
  'a trailing slash is another path': [get('/get/'), '404 not_found'],
  'an upper-case path is another path': [get('/GET'), '404 not_found'],
  'a zero byte in the path': [get('/x/a\x00b'), bad],
  'a non-ASCII byte in the path': [get('/x/\xe9'), bad],
  'a space in the path': [get('/x/a b'), bad],
  'a tab in the path': [get('/x/a\tb'), bad],
}

const summary = ({ answers, closed }: Exchange): string =>
  [
    answers.map(({ status, body }) => `${status} ${status < 300 ? body : verdict(body)}`).join('; '),
    ...(closed ? ['closed'] : []),
  ]
    .filter((part) => part !== '')
    .join(', ')

/** The error code of a refusal; throws if the body is not an error envelope. */
function verdict(body: string): string {
  const { error, code, reason } = v.parse(
    v.object({ error: v.string(), code: v.string(), reason: v.pipe(v.string(), v.endsWith('.')) }),
    JSON.parse(body),
  )
  return error === reason ? code : `${error} is not ${reason}`
}

t.test('bytes that two parsers could read differently are refused and end the connection', async (t) => {
  const { port, ran } = await serve(t)
  const found = await Promise.all(
    Object.entries(golden).map(async ([what, [bytes]]) => [what, await exchange(t, port, bytes)] as const),
  )
  for (const [what, answer] of found) t.equal(summary(answer), golden[what]?.[1], what)
  for (const [what, { answers }] of found) {
    const refused = answers.filter(({ status }) => status >= 400)
    const guarded = refused.every(
      ({ headers }) =>
        headers.get('x-content-type-options') === 'nosniff' &&
        headers.get('cache-control') === 'no-store' &&
        headers.get('referrer-policy') === 'no-referrer' &&
        headers.get('content-security-policy') === "default-src 'none'; frame-ancestors 'none'",
    )
    t.ok(guarded, `${what}: has the security headers`)
  }
  t.notOk(ran.includes('secret'), 'smuggled requests never run')
})

t.test('a body over its limit is refused with an answer that arrives, however it is sent', async (t) => {
  const { port, ran } = await serve(t)
  const head = `POST /raw HTTP/1.1\r\n${host}`
  for (const bytes of ['Content-Length: 10\r\n\r\n0123456789', `${chunked}\r\na\r\n0123456789\r\n0\r\n\r\n`])
    t.match(await exchange(t, port, head + bytes, 200), {
      answers: [{ status: 200, body: '{"size":10}' }],
      closed: false,
    })
  const tooLarge = [
    ['a length', `${head}Content-Length: 11\r\n\r\n01234567890`],
    ['a length, and a body that never comes', `${head}Content-Length: 5000000\r\n\r\n`],
    ['a length, and all of the body', `${head}Content-Length: 5000000\r\n\r\n${'x'.repeat(5_000_000)}`],
    ['chunks', `${head}${chunked}\r\nb\r\n01234567890\r\n0\r\n\r\n`],
    [
      'chunks that never end',
      `${head}${chunked}\r\n${'4000\r\n'.concat('x'.repeat(0x4000), '\r\n').repeat(50)}`,
    ],
  ] as const
  const ends = tooLarge.map(async ([how, bytes]) => ({ how, ...(await exchange(t, port, bytes, 2500)) }))
  for (const { how, answers, closed } of await Promise.all(ends)) {
    t.match(answers, [{ status: 413, body: /"code":"body_too_large".*10 bytes/ }], how)
    t.ok(closed, `${how}: the connection closes`)
  }
  t.strictSame(ran, ['raw', 'raw'])
})

t.test('a body that is not announced is read as one of length 0', async (t) => {
  const { port, ran } = await serve(t)
  const form = `${host}Content-Type: multipart/form-data; boundary=b\r\n`
  for (const length of ['', 'Content-Length: 0\r\n']) {
    const requests = [
      `POST /raw HTTP/1.1\r\n${host}${length}\r\n`,
      post(length, ''),
      `POST /upload HTTP/1.1\r\n${form}${length}\r\n`,
      get('/get', length),
    ]
    t.match(await exchange(t, port, requests.join(''), 200), {
      answers: [
        { status: 200, body: '{"size":0}' },
        { status: 400, body: /"code":"invalid_json"/ },
        { status: 400, body: /"code":"bad_request"/ },
        { status: 200, body: '{"token":null}' },
      ],
      closed: false,
    })
  }
  t.strictSame(ran.toSorted(), ['get', 'get', 'raw', 'raw'])
})

t.test('a client that sends its complete body first still receives the refusal', async (t) => {
  const { port } = await serve(t)
  const size = 5_000_000
  for (const [path, status] of [
    ['/raw', 413],
    ['/nowhere', 404],
  ] as const) {
    const socket = await dial(t, port)
    const { promise: sent, resolve } = Promise.withResolvers<string>()
    socket.pause().once('error', (error) => resolve(error.message))
    socket.write(`POST ${path} HTTP/1.1\r\n${host}Content-Length: ${size}\r\n\r\n`)
    socket.write(Buffer.alloc(size), () => resolve('all'))
    t.equal(await sent, 'all', `${path}: the connection stays open until the body is sent`)
    let received = ''
    socket.on('data', (chunk: Buffer) => void (received += chunk.toString('latin1'))).resume()
    await once(socket, 'close')
    t.match(toAnswers(received), [{ status }])
  }
})

t.test(
  'a client that sends an upload in pieces receives the refusal, whatever the upload is refused for',
  async (t) => {
    const { port, ran } = await serve(t)
    const size = 1_000_000
    const form = `${host}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${size}\r\n\r\n`
    const begin = (type: string, name = 'filename="a"') =>
      `--b\r\nContent-Disposition: form-data; name="file"; ${name}\r\nContent-Type: ${type}\r\n\r\n`
    for (const [start, status] of [
      [begin('image/svg+xml'), 415],
      [begin('image/png'), 413],
      [begin('text/plain', ''), 400],
    ] as const) {
      const socket = await dial(t, port)
      const { promise: sent, resolve } = Promise.withResolvers<string>()
      socket.pause().once('error', (error) => resolve(error.message))
      socket.write(`POST /upload HTTP/1.1\r\n${form}${start}${'a'.repeat(200_000)}`)
      await wait(50)
      socket.write(Buffer.alloc(size - start.length - 200_000), () => resolve('all'))
      t.equal(await sent, 'all', `${status}: the connection stays open until the body is sent`)
      let received = ''
      socket.on('data', (chunk: Buffer) => void (received += chunk.toString('latin1'))).resume()
      await until(() => received.endsWith('}'))
      t.match(toAnswers(received), [{ status }])
    }
    t.strictSame(ran, [])
  },
)

t.test('clients that disconnect during a body do no harm, and no handler runs', async (t) => {
  const { port, ran } = await serve(t)
  const starts = [
    post('Content-Length: 200\r\n', '{"a":'),
    post(chunked, '5\r\n{"a":\r\n'),
    post('Content-Length: 5000000\r\n', '{}'),
    'POST /post HTTP/1.1\r\nHo',
  ]
  for (const bytes of starts) {
    for (const leave of ['end', 'resetAndDestroy'] as const) {
      const socket = await dial(t, port)
      socket.write(bytes)
      await wait(20)
      socket[leave]()
    }
  }
  await wait(50)
  t.strictSame(ran, [])
  t.match(await exchange(t, port, get('/get'), 100), { answers: [{ status: 200 }] })
})

t.test('garbage after a request does not corrupt an answer that is still being sent', async (t) => {
  const { port } = await serve(t)
  const drip = { status: 200, body: /^begun/ }
  const cases = [
    { targets: ['/drip'], answers: [drip] },
    { targets: ['/get', '/drip'], answers: [{ status: 200 }, drip] },
    { targets: ['/drip', '/get'], answers: [drip] },
  ]
  const run = async ({ targets, answers }: (typeof cases)[number]): Promise<void> => {
    const socket = await dial(t, port)
    let received = ''
    socket.on('data', (chunk: Buffer) => void (received += chunk.toString('latin1')))
    const closed = once(socket, 'close')
    socket.write(targets.map((target) => get(target)).join(''))
    await until(() => received.includes('begun'))
    socket.write('garbage\r\n\r\n')
    await closed
    t.match(toAnswers(received), answers, targets.join())
    t.notMatch(received, /HTTP\/1\.1 4/)
  }
  await Promise.all(cases.map(run))
})

const hasty: ServerTimes = { headers: 300, request: 600, check: 50, keepAlive: 5_000 }

/** Sends single bytes until the server closes, and returns what was received. */
async function crawl(t: Test, port: number, first: string, drop: string): Promise<string> {
  const socket = await dial(t, port)
  const { promise, resolve } = Promise.withResolvers<void>()
  let received = ''
  socket
    .on('data', (chunk: Buffer) => void (received += chunk.toString('latin1')))
    .once('close', () => resolve())
  socket.write(first)
  const drops = setInterval(() => socket.writable && socket.write(drop), 60)
  await promise
  clearInterval(drops)
  return received
}

t.test('a request that arrives too slowly is ended with 408', async (t) => {
  const { port, ran } = await serve(t, hasty)
  const cases = {
    'a slow header': { first: 'GET /get HTTP/1.1\r\nHost: localhost\r\nX-A: ', drop: 'b' },
    'a silent connection': { first: '', drop: '' },
    'a slow body': { first: post('Content-Length: 100000\r\n', '"'), drop: 'b' },
    'slow chunks': { first: post(chunked, ''), drop: '1\r\n1\r\n' },
  }
  await Promise.all(
    Object.entries(cases).map(async ([what, { first, drop }]) => {
      t.match(
        toAnswers(await crawl(t, port, first, drop)),
        [{ status: 408, body: /"code":"request_timeout"/ }],
        what,
      )
    }),
  )
  t.strictSame(ran, [])
})

t.test('others are answered while 500 slow clients are disconnected', async (t) => {
  const { port } = await serve(t, { ...hasty, headers: 3_000, request: 3_000 })
  const slow = Array.from({ length: 500 }, async (_, at) =>
    crawl(
      t,
      port,
      at % 2 === 0 ? 'GET /get HTTP/1.1\r\nX-A: ' : post('Content-Length: 100000\r\n', '"'),
      'b',
    ),
  )
  await wait(50)
  for (let at = 0; at < 40; at++) {
    t.match(await exchange(t, port, get('/get', 'Connection: close\r\n')), { answers: [{ status: 200 }] })
  }
  const ends = await Promise.all(slow)
  t.ok(ends.every((received) => received.startsWith('HTTP/1.1 408 ')))
})
