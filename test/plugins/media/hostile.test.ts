import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createHttpServer } from '../../../kernel/http/server.ts'
import { give, randomIds, systemClock, use } from '../../../kernel/index.ts'
import { mountForTest, openGates } from '../../../kernel/testing.ts'
import { createFileBlobs } from '../../../plugins/blobs/files.ts'
import { blobs } from '../../../plugins/blobs/port.ts'
import media from '../../../plugins/media/index.ts'
import { createMemoryStore } from '../../../plugins/store/memory.ts'
import { store } from '../../../plugins/store/port.ts'
import { around, chunk, files, form, formHeaders, pdf, png, textField, type FormFile } from '../../helpers/media-files.ts'
import { dial, listen, toAnswers } from '../../helpers/raw.ts'
import { temporaryFolder } from '../../helpers/stack.ts'
import { startService } from '../../prove/service.ts'

const mebibyte = 1024 * 1024
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const html = '<!doctype html><script>alert(1)</script>'
const zip = Buffer.concat([Buffer.from('PK\x03\x04\x14\0\0\0\0\0', 'latin1'), Buffer.alloc(16), Buffer.from('\x05\0\0\0a.pdf', 'latin1'), Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])
const withText = Buffer.concat([files.png.subarray(0, -12), chunk('tEXt', pdf()), files.png.subarray(-12)])

/** Files made to be taken for something else, or to cost more than they weigh. */
const hostile: Readonly<Record<string, FormFile & { readonly verdict: string }>> = {
  'a PNG that is HTML': { type: 'image/png', bytes: Buffer.from(html), verdict: '415 content_mismatch' },
  'an SVG with a script': { type: 'image/svg+xml', bytes: Buffer.from(svg), verdict: '415 unsupported_image_type' },
  'an SVG with a script that is called a PNG': { type: 'image/png', bytes: Buffer.from(svg), verdict: '415 content_mismatch' },
  'HTML': { type: 'text/html', bytes: Buffer.from(html), verdict: '415 unsupported_image_type' },
  'a GIF with a PDF behind it': { type: 'image/gif', bytes: Buffer.concat([files.gif, pdf()]), verdict: '415 content_mismatch' },
  'a GIF with a PDF behind it that ends like a GIF': { type: 'image/gif', bytes: Buffer.concat([files.gif, pdf(), Buffer.from(';')]), verdict: '415 content_mismatch' },
  'a JPEG with a PDF behind it': { type: 'image/jpeg', bytes: Buffer.concat([files.jpeg, pdf()]), verdict: '415 content_mismatch' },
  'a PNG with a PDF in it': { type: 'image/png', bytes: withText, verdict: '415 content_mismatch' },
  'a PNG with a zip behind it': { type: 'image/png', bytes: Buffer.concat([files.png, zip]), verdict: '422 file_damaged' },
  'a PNG of 65,000 by 65,000 pixels': { type: 'image/png', bytes: png(65_000, 65_000, 0), verdict: '422 image_dimensions' },
  'a GIF of 65,000 by 65,000 pixels': { type: 'image/gif', bytes: Buffer.concat([Buffer.from('GIF89a'), Buffer.from('e8fde8fd000000', 'hex'), Buffer.from(';')]), verdict: '422 image_dimensions' },
  'a JPEG that is cut off': { type: 'image/jpeg', bytes: files.jpeg.subarray(0, -20), verdict: '422 file_damaged' },
  'a JPEG that ends in its header': { type: 'image/jpeg', bytes: files.jpeg.subarray(0, 20), verdict: '422 image_dimensions' },
  'a JPEG of segments only': { type: 'image/jpeg', bytes: Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(9 * mebibyte, Buffer.from('ffe1fffe', 'hex'))]), verdict: '422 image_dimensions' },
  'a zip that is called a PDF': { type: 'application/pdf', bytes: zip, verdict: '415 content_mismatch' },
  'HTML that is called a PDF': { type: 'application/pdf', bytes: Buffer.from(`${html}%PDF-1.7\n%%EOF`), verdict: '415 content_mismatch' },
  'a PDF of nothing but its first line': { type: 'application/pdf', bytes: Buffer.from('%PDF-1.7\n'), verdict: '422 pdf_invalid' },
  '26 MiB': { type: 'application/pdf', bytes: pdf('', '', 26 * mebibyte), verdict: '413 file_too_large' },
  '26 MiB that are called an image': { type: 'image/png', bytes: Buffer.alloc(26 * mebibyte, files.png), verdict: '413 file_too_large' },
}

const Refused = v.object({ code: v.string(), error: v.string(), reason: v.string() })

/** A server over a folder of its own. */
async function service(t: Test) {
  const folder = join(t.testdir(), 'images')
  const stored = await createFileBlobs({ folder, clock: systemClock, ids: randomIds })
  const mounted = mountForTest(t, { plugins: [use(media)], seeds: [...openGates, give(blobs, stored), give(store, createMemoryStore())], env: { MEDIA_UPLOADS_PER_MIN: '0' } })
  const port = await listen(t, createHttpServer(mounted.node))
  const post = (path: string, { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array }) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: new Uint8Array(body) })
  return { port, post, names: () => readdir(folder).catch((): string[] => []) }
}

t.test('a file that is not what it is called, or costs more than it weighs, is refused in a sentence and leaves nothing', async (t) => {
  const { post, names } = await service(t)
  for (const [name, { verdict, ...file }] of Object.entries(hostile)) {
    for (const [path, field] of [['/image/upload', 'image'], ['/attachment/upload', 'file']] as const) {
      const answer = await post(path, form({ ...file, field }))
      const { code, error, reason } = v.parse(Refused, await answer.json())
      const isDocument = file.type === 'application/pdf' && path === '/image/upload'
      t.equal(`${answer.status} ${code}`, isDocument && verdict !== '413 file_too_large' ? '415 unsupported_image_type' : verdict, `${path}: ${name}`)
      t.match(reason, /^[A-Z][^.]*\.( [A-Z][^.]*\.)?$/)
      t.equal(error, reason)
    }
  }
  t.strictSame(await names(), [])
})

t.test('a form that never ends, or of a thousand parts, is refused, and leaves nothing', async (t) => {
  const { port, post, names } = await service(t)
  const parts = Array.from({ length: 1000 }, (_, at) => textField(`f${at}`, 'x'))
  const file = { field: 'image', type: 'image/png', bytes: files.png }
  const behind = Buffer.concat([form(file).body.subarray(0, -around(file)[1].length), Buffer.from('\r\n'), ...parts, around(file)[1].subarray(2)])
  for (const body of [form(file, parts).body, behind]) {
    const answer = await post('/image/upload', { headers: formHeaders, body })
    t.match([answer.status, await answer.json()], [400, { code: 'too_many_parts', error: /^Send one file and at most 10 other fields/ }])
  }
  for (const body of [form(file).body.subarray(0, -60), around(file)[0]]) {
    const answer = await post('/image/upload', { headers: formHeaders, body })
    t.match([answer.status, await answer.json()], [400, { code: 'bad_request', error: /Send it again/ }])
  }

  const socket = await dial(t, port)
  const received: Buffer[] = []
  socket.on('data', (data: Buffer) => received.push(data))
  socket.write(`POST /image/upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${formHeaders['content-type']}\r\nTransfer-Encoding: chunked\r\n\r\n`)
  const send = (bytes: Uint8Array): boolean => socket.write(Buffer.concat([Buffer.from(`${bytes.byteLength.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]))
  send(around(file)[0])
  send(files.png.subarray(0, -12))
  let sent = 0
  while (!socket.destroyed && received.length === 0 && sent < 100 * mebibyte) {
    sent += 64 * 1024
    if (!send(Buffer.alloc(64 * 1024, 7))) await Promise.race([once(socket, 'drain'), once(socket, 'close'), wait(500)])
  }
  t.match(toAnswers(Buffer.concat(received).toString('latin1')), [{ status: 413, body: /"code":"file_too_large"/ }])
  t.ok(sent < 40 * mebibyte, `${sent} bytes were sent`)
  t.strictSame(await names(), [])
})

t.test('a name that leads elsewhere, or cannot be one, is told and never used', async (t) => {
  const { post, names } = await service(t)
  const told: Readonly<Record<string, string>> = {
    '../../etc/passwd': 'passwd',
    'C:\\\\windows\\\\a.png': 'a.png',
    'a\0b.png': 'ab.png',
    'a\u0007\u202egnp.exe': 'agnp.exe',
    '😀.png': '😀.png',
    [`${'😀'.repeat(5000)}.png`]: '😀'.repeat(120),
    '..': '',
    '': '',
  }
  for (const [fileName, originalName] of Object.entries(told)) {
    const answer = await post('/attachment/upload', form({ type: 'image/png', bytes: files.png, fileName }))
    const body = await answer.json()
    t.match([answer.status, body], [200, { originalName }], `${fileName.slice(0, 20)} ${JSON.stringify(body)}`)
  }
  t.ok((await names()).every((name) => /^att_\d{13}_[0-9a-f]{32}\.png$/.test(name)))
  t.equal((await names()).length, Object.keys(told).length)
})

t.test('whoever goes away in the middle leaves nothing', async (t) => {
  const { port, names } = await service(t)
  const file = { field: 'file', type: 'application/pdf' }
  const body = Buffer.concat([around(file)[0], pdf('', '', 5 * mebibyte)])
  for (const length of [100, 1000, 300_000, 2 * mebibyte]) {
    const socket = await dial(t, port)
    socket.write(`POST /attachment/upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${formHeaders['content-type']}\r\nContent-Length: ${body.length + 100}\r\n\r\n`)
    socket.write(body.subarray(0, length))
    await wait(100)
    socket.destroy()
  }
  await wait(200)
  t.strictSame(await names(), [])
})

const inProc = { skip: process.platform !== 'linux' && 'looks in /proc' }

t.test('uploads take little memory, whatever their size and whatever becomes of them', inProc, async (t) => {
  const running = startService(temporaryFolder(t))
  t.teardown(async () => {
    running.kill('SIGTERM')
    await running.gone
  })
  const { port } = await running.ready
  const resident = async (): Promise<number> =>
    Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${running.pid}/status`, 'utf8'))?.[1]) * 1024
  const post = async (file: FormFile): Promise<string> => {
    // Text is read on a thread, which has limits of its own.
    const { headers, body } = form(file, [textField('extractText', '0')])
    const answer = await fetch(`http://127.0.0.1:${port}/attachment/upload`, { method: 'POST', headers, body: new Uint8Array(body) })
    await answer.body?.cancel()
    return `${answer.status}`
  }
  const type = 'application/pdf'
  // What uploads need is loaded by the first one.
  for (const file of [{ type, bytes: files.pdf }, { type: 'image/png', bytes: files.png }]) t.equal(await post(file), '200')
  const before = await resident()
  const largest = pdf('', '', 25 * mebibyte - 1000)
  for (const [status, bytes] of [['200', largest], ['422', largest.subarray(0, -10)], ['415', Buffer.alloc(20 * mebibyte)], ['413', Buffer.concat([largest, largest])]] as const) {
    t.equal(await post({ type, bytes }), status)
    const more = ((await resident()) - before) / mebibyte
    // A collection comes when it likes: what is asked of one upload is measured by `npm run bench -- uploads`.
    t.ok(more < 24, `${more.toFixed(1)} MiB more after ${status}`)
  }
})
