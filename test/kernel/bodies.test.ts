import { createServer, type RequestListener } from 'node:http'
import fc, { runs } from '../helpers/property.ts'
import * as v from 'valibot'
import t from 'tap'
import { createHttpServer } from '../../kernel/http/server.ts'
import { findExcess } from '../../kernel/http/body.ts'
import { toUpload, type IncomingFile } from '../../kernel/http/multipart.ts'
import { findJsonProblem, type Upload } from '../../kernel/index.ts'
import { everyWayIn, mountForTest, type Ask } from '../../kernel/testing.ts'
import { rightTypes, wrongTypes } from '../helpers/content-types.ts'
import { brokenJson, hostileJson, nested } from '../helpers/hostile-json.ts'
import { plain } from '../helpers/plain.ts'
import { exchange, listen } from '../helpers/raw.ts'
import { scannedBy } from '../helpers/scanned.ts'

const image = { fields: ['caption', 'alt'], types: ['image/png', 'text/plain'], maxBytes: 10 }
const replies = { 200: v.looseObject({}) }
type UploadRequest = { readonly body: Upload }

const toBuffered = async ({ bytes, ...file }: IncomingFile) => ({
  ...file,
  bytes: Buffer.concat(await Array.fromAsync(bytes)),
})

/** Routes that take bodies, and what their handlers received. */
function recording() {
  const seen: unknown[] = []
  const got = ({ body }: { body: unknown }) => (seen.push(body), { status: 200, body: { got: body } })
  const same = ({ body }: { body: unknown }) => (seen.push(body), { status: 200, body })
  const routes = plain({
    'POST /strict': { replies, body: v.object({ n: v.number() }), answer: same },
    'POST /any': { replies, body: v.unknown(), answer: got },
    'POST /few': { replies, body: v.unknown(), maxValues: 5, answer: got },
    'DELETE /any': { replies, body: v.object({ id: v.string() }), answer: same },
    'POST /upload': {
      replies,
      upload: image,
      maxBytes: 1_000_000,
      answer: async ({ body }: UploadRequest) => {
        const { fields, taken: file } = await body.receive(toBuffered)
        return {
          status: 200,
          body: { fields, file: file ? [file.field, file.fileName, file.type, file.bytes.toString()] : null },
        }
      },
    },
    'POST /small': {
      replies: { 200: v.object({}) },
      upload: image,
      maxBytes: 200,
      answer: async ({ body }: UploadRequest) => ({ status: 200, body: await body.receive(toBuffered) }),
    },
    'POST /either': {
      replies,
      body: v.object({ n: v.number() }),
      upload: { ...image, maxBytes: 2 * 1024 * 1024 },
      maxBytes: 3 * 1024 * 1024,
      answer: async ({ body }: UploadRequest) => ({
        status: 200,
        body: { got: 'receive' in body ? (await body.receive(toBuffered)).taken?.bytes.length : body },
      }),
    },
  })
  return { plugins: [routes], seen }
}

t.test('a body is used only if its content type is clearly JSON, and never without its schema', async (t) => {
  const { plugins, seen } = recording()
  const mounted = mountForTest(t, { plugins })
  await mounted.ready()
  const port = await listen(t, createHttpServer(mounted.node))
  const send = async (type: string, body: string): Promise<string> => {
    const { answers } = await exchange(
      t,
      port,
      `POST /strict HTTP/1.1\r\nHost: x\r\nContent-Type:${type}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      5000,
    )
    return answers
      .map(({ status, body }) => `${status} ${/"code":"(\w+)"/.exec(body)?.[1] ?? 'accepted'}`)
      .join()
  }
  for (const type of wrongTypes) t.equal(await send(type, '{"n":"x"}'), '415 unsupported_media_type', type)
  for (const type of rightTypes) t.equal(await send(type, '{"n":"x"}'), '400 invalid_request', type)
  t.strictSame(seen, [], 'a body that does not fit never reaches the handler, whatever the header')
  for (const type of rightTypes) t.equal(await send(type, '{"n":1}'), '200 accepted', type)
  t.strictSame(
    seen,
    rightTypes.map(() => ({ n: 1 })),
  )
})

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

t.test('JSON that handlers could not trust is refused and leaves no trace', (t) => {
  const { plugins, seen } = recording()
  return everyWayIn(
    t,
    () => ({ plugins }),
    async (t, ask) => {
      const many = [`[${'0,'.repeat(99_999)}0]`, /more than 100000 values/] as const
      for (const [body, reason] of [...Object.values({ ...hostileJson, ...brokenJson }), many]) {
        const headers = { 'content-type': 'application/json' }
        const answer = await ask({ url: '/any', method: 'POST', headers, body })
        t.match([answer.status, answer.json()], [400, { code: 'invalid_json', reason }])
      }
      t.strictSame(seen, [])
      t.strictSame(Object.keys(Object.prototype), [])
    },
  )
})

t.test('the bytes of JSON texts are searched about once', (t) => {
  for (const piece of ['\\"', '\\\\', '"', '" "', '["']) {
    for (const body of [`"${piece.repeat(5_000)}"`, `["${piece.repeat(5_000)}`]) {
      const scanned = scannedBy(() => void findExcess(utf8(body), { depth: Infinity, values: Infinity }))
      t.ok(scanned < body.length * 3, `${body.slice(0, 10)}…: ${scanned} of ${body.length}`)
    }
  }
  t.end()
})

t.test('a problem is found in values of any size without recursion', (t) => {
  let deep: unknown = 1
  for (let at = 0; at < 100_000; at++) deep = { deep }
  t.match(findJsonProblem(deep), /nested deeper/)
  t.equal(findJsonProblem([undefined, null, true, 10n, () => 1]), undefined)
  t.match(findJsonProblem({ a: Number.NaN }), /too large/)
  t.equal(findJsonProblem([1, 2], { depth: 1, values: 3 }), undefined)
  t.match(findJsonProblem([[]], { depth: 1, values: 3 }), /deeper than 1 levels/)
  t.end()
})

t.test('JSON values of every kind arrive unchanged, up to each limit', (t) =>
  everyWayIn(
    t,
    () => ({ plugins: recording().plugins }),
    async (t, ask) => {
      const send = (body: string | Uint8Array, url = '/any'): ReturnType<Ask> =>
        ask({ url, method: 'POST', headers: { 'content-type': 'application/json' }, body })
      const got = async (body: string | Uint8Array, url?: string): Promise<unknown> =>
        (await send(body, url)).json()
      const texts = ['null', 'true', '0', '-1.5e300', '""', '"häß \u{1f600} \u2028"', '[]', '{}', '[[]]']
      const objects = ['{"":1,"toString":2}', '{"a":{"b":[1,"x",null]}}', nested(64), nested(64, '1')]
      for (const text of [...texts, ...objects]) t.strictSame(await got(text), { got: JSON.parse(text) })
      t.match(await got(`[${'0,'.repeat(99_998)}0]`), { got: { length: 99_999 } })
      t.strictSame(await got('[1,2,3,4]', '/few'), { got: [1, 2, 3, 4] })
      t.match(await got('[1,2,3,4,5]', '/few'), { code: 'invalid_json', reason: /more than 5 values/ })
      t.strictSame(await got(utf8('\uFEFF{"bom":1}')), { got: { bom: 1 } }, 'a byte order mark is skipped')
      t.strictSame(await got('{"n":"x","n":1}', '/strict'), { n: 1 }, 'the last of duplicate keys is used')
      t.match(await got('{"n":1,"n":"x"}', '/strict'), { code: 'invalid_request' })
      t.equal((await send(JSON.stringify('x'.repeat(1024 * 1024 - 2)))).status, 200, '1 MiB is accepted')
      const large = await send(JSON.stringify('x'.repeat(1024 * 1024 - 1)))
      t.equal(large.status, 413)
      t.match(large.json(), { code: 'body_too_large', reason: /larger than the 1048576 bytes/ })
    },
  ),
)

t.test('a missing body is {}; one without a content type or with an encoding is refused', (t) =>
  everyWayIn(
    t,
    () => ({ plugins: recording().plugins }),
    async (t, ask) => {
      t.strictSame((await ask({ url: '/any', method: 'POST' })).json(), { got: {} })
      t.strictSame((await ask({ url: '/any', method: 'DELETE', json: { id: 'x' } })).json(), { id: 'x' })
      const encoded = (name: string) => ({ 'content-type': 'application/json', 'content-encoding': name })
      const reason = 'Send the body as application/json; charset=utf-8, without a content-encoding.'
      for (const headers of [{}, encoded('gzip'), encoded('identity')]) {
        const answer = await ask({ url: '/any', method: 'POST', headers, body: utf8('{}') })
        t.match([answer.status, answer.json()], [415, { code: 'unsupported_media_type', reason }])
      }
    },
  ),
)

t.test('limits on the bytes and on the parsed value agree', (t) => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 5 }),
      fc.nat(6),
      fc.nat(30),
      fc.boolean(),
      (value, depth, most, isSpaced) => {
        // Unsafe keys are reported before limits.
        fc.pre(findJsonProblem(value) === undefined)
        const limits = { depth, values: most + 1 }
        const excess = findExcess(utf8(JSON.stringify(value, null, isSpaced ? 2 : 0)), limits)
        const excesses = {
          depth: isTooMuch(value, { ...limits, values: Infinity }),
          values: isTooMuch(value, { ...limits, depth: Infinity }),
        }
        return excess === undefined ? !excesses.depth && !excesses.values : excesses[excess]
      },
    ),
    { numRuns: runs(350) },
  )
  t.pass('for every value')
  t.end()
})

/** Whether the parsed value is too deep or too large, the only problems these values can have. */
const isTooMuch = (value: unknown, limits: { readonly depth: number; readonly values: number }): boolean =>
  /nested|more than/.test(findJsonProblem(value, limits) ?? '')

interface FormPart {
  readonly head: string
  readonly body: string
}

const form = 'multipart/form-data; boundary=edge'
const part = (name: string, body: string, more = ''): FormPart => ({
  head: `content-disposition: form-data; name="${name}"${more}`,
  body,
})
const attachment = (body: string, type = 'text/plain', name = 'file', fileName = 'a.txt'): FormPart =>
  part(name, body, `; filename="${fileName}"\r\ncontent-type: ${type}`)
const multipart = (...parts: readonly FormPart[]): string =>
  `${parts.map(({ head, body }) => `--edge\r\n${head}\r\n\r\n${body}\r\n`).join('')}--edge--\r\n`

const upload = async (
  ask: Ask,
  body: string | Uint8Array,
  type = form,
  url = '/upload',
): Promise<unknown> => {
  const answer = await ask({ url, method: 'POST', headers: { 'content-type': type }, body })
  return answer.status === 200 ? answer.json() : `${answer.status} ${/"code":"(\w+)"/.exec(answer.text)?.[1]}`
}

t.test('a route that accepts JSON and forms selects by content type, with separate limits', (t) =>
  everyWayIn(
    t,
    () => ({ plugins: recording().plugins }),
    async (t, ask) => {
      const send = (body: string, type: string) => upload(ask, body, type, '/either')
      const json = 'application/json'
      t.strictSame(await send('{"n":1,"receive":"x"}', json), { got: { n: 1 } })
      t.strictSame(await send(multipart(attachment('x'.repeat(1_500_000))), form), { got: 1_500_000 })
      t.equal(await send('{"n":"1"}', json), '400 invalid_request')
      t.equal(await send('{"receive":{}}', json), '400 invalid_request')
      t.equal(await send(`{"n":1,"x":"${'x'.repeat(1024 * 1024)}"}`, json), '413 body_too_large')
      t.equal(await send(multipart(attachment('x'.repeat(2 * 1024 * 1024 + 1))), form), '413 body_too_large')
      for (const type of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded'])
        t.equal(await send('{"n":1}', type), '415 unsupported_media_type', type)
    },
  ),
)

t.test('a multipart body yields its fields and its file, up to each limit', (t) =>
  everyWayIn(
    t,
    () => ({ plugins: recording().plugins }),
    async (t, ask) => {
      const file = ['file', 'a.txt', 'text/plain', '0123456789']
      t.strictSame(
        await upload(ask, multipart(part('caption', 'häß'), part('other', 'x'), attachment('0123456789'))),
        { fields: { caption: 'häß' }, file },
        'maxBytes are accepted',
      )
      t.equal(await upload(ask, multipart(attachment('01234567890'))), '413 body_too_large')
      t.equal(await upload(ask, multipart(attachment('x'.repeat(200_000)))), '413 body_too_large')
      t.equal(
        await upload(ask, multipart(attachment('x'.repeat(300))), form, '/small'),
        '413 body_too_large',
        'the complete body has a limit too',
      )
      t.strictSame(await upload(ask, multipart(part('caption', 'a'), part('caption', 'b'))), {
        fields: { caption: 'b' },
        file: null,
      })
      t.strictSame(await upload(ask, multipart()), { fields: {}, file: null })
      t.match(await upload(ask, multipart(attachment('x', 'IMAGE/PNG; q=1', 'pic', '../../etc/häß.png'))), {
        file: ['pic', 'häß.png', 'image/png', 'x'],
      })
      t.match(await upload(ask, multipart(attachment('', 'text/plain'))), {
        file: ['file', 'a.txt', 'text/plain', ''],
      })
      for (const type of ['text/html', 'image/svg+xml', 'application/octet-stream', 'text/plainx', 'text'])
        t.equal(await upload(ask, multipart(attachment('x', type))), '415 unsupported_media_type', type)

      const fields = Array.from({ length: 10 }, (_, at) => part(`f${at}`, 'x'))
      t.match(await upload(ask, multipart(...fields, attachment('x'))), { file: ['file'] })
      t.equal(await upload(ask, multipart(...fields, part('f10', 'x'))), '400 too_many_parts')
      t.equal(await upload(ask, multipart(attachment('x'), attachment('y'))), '400 too_many_parts')
      t.match(
        await upload(ask, multipart(part('caption', 'x'.repeat(64 * 1024)))),
        { file: null },
        'a field of 64 KiB is accepted',
      )
      t.equal(await upload(ask, multipart(part('caption', 'x'.repeat(64 * 1024 + 1)))), '400 too_many_parts')

      const bare = 'multipart/form-data'
      const others = [
        `${bare}x; boundary=edge`,
        'multipart/mixed; boundary=edge',
        'text/plain; boundary=edge',
      ]
      for (const type of [bare, `${bare}; x=boundary=`, 'application/json', ...others])
        t.equal(await upload(ask, multipart(attachment('x')), type), '415 unsupported_media_type', type)
      for (const boundary of ['', 'other', '""'])
        t.equal(await upload(ask, multipart(), `${bare}; boundary=${boundary}`), '400 bad_request', boundary)
      const send = (body: string, more = {}) =>
        ask({ url: '/upload', method: 'POST', headers: { 'content-type': form, ...more }, body })
      t.equal((await send(multipart(), { 'content-encoding': 'gzip' })).status, 415)
      const reason = "A file of type 'text/html' is not accepted here. Send one of image/png, text/plain."
      t.match((await send(multipart(attachment('x', 'text/html')))).json(), { reason })
    },
  ),
)

t.test('a truncated multipart body is refused at every offset, and no partial file is kept', async (t) => {
  const mounted = mountForTest(t, { plugins: recording().plugins })
  const complete = multipart(part('caption', 'words'), attachment('012345'))
  const last = complete.lastIndexOf('--edge') + '--edge--'.length
  for (let at = 0; at < complete.length; at++) {
    const answer = await upload((request) => mounted.inject(request), complete.slice(0, at))
    if (at < last) t.equal(answer, '400 bad_request', `${at} bytes`)
    else t.match(answer, { file: ['file', 'a.txt', 'text/plain', '012345'] })
  }
})

const giving = { subtract: () => undefined, isDisposable: false }
const limits = { fields: ['caption'], types: ['text/plain'], maxBytes: 10 }
async function* pieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [0, ...cuts.map((cut) => cut % (bytes.byteLength + 1)), bytes.byteLength].toSorted(
    (a, b) => a - b,
  )
  for (const [at, from] of places.entries()) yield bytes.subarray(from, places[at + 1] ?? from)
}

t.test('a multipart body parses the same however it is split into chunks', (t) =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (cuts) => {
      const body = pieces(utf8(multipart(part('caption', 'häß'), attachment('0123456789'))), cuts)
      const { fields, taken } = await toUpload(body, form, limits, giving).receive(toBuffered)
      t.strictSame([fields, taken?.bytes.toString()], [{ caption: 'häß' }, '0123456789'])
    }),
    { numRuns: runs(35) },
  ),
)

t.test('a file is read no faster than it is consumed, and ends only with its complete body', async (t) => {
  const sizes = { fields: [], types: ['text/plain'], maxBytes: 10_000_000 }
  const [head = '', tail = ''] = multipart(attachment('0')).split('0')
  let sent = 0
  async function* parts(end: string): AsyncGenerator<Uint8Array> {
    yield utf8(head)
    for (sent = 0; sent < 100; sent++) yield Buffer.alloc(64 * 1024)
    yield utf8(end)
  }
  const receive = async (end: string): Promise<string> => {
    let [largest, taken, ended] = [0, 0, false]
    const subtracted: number[] = []
    const done = toUpload(parts(end), form, sizes, {
      ...giving,
      subtract: (bytes) => void subtracted.push(bytes),
    }).receive(async ({ bytes, release }) => {
      for await (const chunk of bytes) {
        await new Promise((resolve) => setImmediate(resolve))
        largest = Math.max(largest, sent * 64 * 1024 - taken)
        taken += chunk.byteLength
        release(chunk)
      }
      ended = true
    })
    const verdict = await done.then(
      () => 'read',
      ({ code }: { code: string }) => code,
    )
    t.ok(largest < 512 * 1024, `at most ${largest} bytes are buffered`)
    t.equal(
      subtracted.reduce((sum, each) => sum + each, 0),
      taken,
    )
    return `${verdict}, ${taken}, ${ended}`
  }
  t.equal(await receive(tail), 'read, 6553600, true')
  t.equal(await receive(''), 'bad_request, 6553600, false', 'a truncated body does not end the file')
  const more = tail.replace('--edge--', multipart(...Array.from({ length: 11 }, () => part('a', 'b'))))
  t.equal(await receive(more), 'too_many_parts, 6553600, false', 'nor when a later part is refused')
})

t.test('the memory of a released chunk is freed at once, unless it may be shared', async (t) => {
  const upload = { fields: [], types: ['text/plain'], maxBytes: 1_000_000 }
  const receive = async ({ body }: UploadRequest) => {
    const { taken } = await body.receive(async ({ bytes, release }) => {
      let [size, freed] = [0, 0]
      for await (const part of bytes) {
        size += part.byteLength
        release(part)
        if (part.byteLength === 0) freed++
      }
      return { size, freed }
    })
    return { status: 200, body: taken }
  }
  const pass = plain({ 'POST /pass': { replies, upload, maxBytes: 2_000_000, answer: receive } })
  const mounted = mountForTest(t, { plugins: [pass] })
  await mounted.ready()
  const body = multipart(attachment('x'.repeat(900_000)))
  const sending = { url: '/pass', method: 'POST', headers: { 'content-type': form }, body }
  const freedBy = async (handler: RequestListener) => {
    const port = await listen(t, createServer(handler))
    const answer = await fetch(`http://127.0.0.1:${port}/pass`, sending)
    const { freed, size } = v.parse(v.object({ freed: v.number(), size: v.number() }), await answer.json())
    t.equal(size, 900_000)
    return freed
  }
  t.ok((await freedBy((request, response) => void mounted.node(request, response))) > 0)
  let heard = 0
  const freedWithListener = await freedBy((request, response) => {
    request.on('data', (chunk: Buffer) => void (heard += chunk.filter((byte) => byte === 120).length)).pause()
    void mounted.node(request, response)
  })
  t.strictSame([freedWithListener, heard >= 900_000], [0, true])
  const kept = { freed: 0, size: 900_000 }
  t.match((await mounted.inject(sending)).json(), kept)
  t.match(await (await mounted.fetch(new Request('http://localhost/pass', sending))).json(), kept)
})

t.test('a receiver may ignore the file, and its error reaches the caller', async (t) => {
  const sizes = { fields: [], types: ['text/plain'], maxBytes: 1_000_000 }
  const receive = (take: (file: IncomingFile) => Promise<unknown>) => {
    const body = pieces(utf8(multipart(attachment('x'.repeat(900_000)))), [1000, 100_000])
    return toUpload(body, form, sizes, giving).receive(take)
  }
  t.strictSame(await receive(async ({ type }) => type), { fields: {}, taken: 'text/plain' })
  const fails = async () => Promise.reject(new Error('full disk'))
  await t.rejects(receive(fails), { message: 'full disk' })
  const stops = async ({ bytes }: IncomingFile) => {
    for await (const _ of bytes) throw new Error('enough')
  }
  await t.rejects(receive(stops), { message: 'enough' })
})

const odd = `"|\0|:|;|=|\xff|filename*=utf-8''%zz`
const damage = fc.array(
  fc.tuple(
    fc.nat(400),
    fc.nat(30),
    fc.constantFrom(
      ...`|--edge|--edge--|\r\n|\r\n\r\n|\n|content-type: |filename=|; charset|${odd}`.split('|'),
    ),
  ),
  { minLength: 1, maxLength: 6 },
)

t.test('a randomly damaged multipart body is parsed or refused, never anything else', () =>
  fc.assert(
    fc.asyncProperty(damage, fc.array(fc.nat(), { maxLength: 3 }), async (damages, cuts) => {
      let body = multipart(part('caption', 'words'), attachment('0123'), part('alt', 'more'))
      for (const [at, length, instead] of damages)
        body = body.slice(0, at % body.length) + instead + body.slice((at % body.length) + length)
      const read = toUpload(pieces(Buffer.from(body, 'latin1'), cuts), form, limits, giving).receive(
        toBuffered,
      )
      const verdict = await read.then(
        ({ taken }) => (taken === undefined || taken.bytes.byteLength <= 10 ? 'read' : 'too much'),
        (error: unknown) => (error instanceof Error ? error.name : 'thrown'),
      )
      return ['read', 'Refusal'].includes(verdict)
    }),
    { numRuns: runs(350) },
  ),
)
