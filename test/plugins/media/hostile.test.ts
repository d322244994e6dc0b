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
import { endlessForm, hostileFiles, hostileForms, hostileNames } from '../../fixtures/hostile/make.ts'
import { around, files, form, formHeaders, pdf, textField, type FormFile } from '../../helpers/media-files.ts'
import { dial, listen, toAnswers } from '../../helpers/raw.ts'
import { temporaryFolder } from '../../helpers/stack.ts'
import { startService } from '../../prove/service.ts'

const mebibyte = 1024 * 1024
const Refused = v.object({ code: v.string(), error: v.string(), reason: v.string() })
const sentence = /^[A-Z][^.]*\.( [A-Z][^.]*\.)?$/

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
  for (const [name, { verdict, ...file }] of Object.entries(hostileFiles)) {
    for (const [path, field] of [['/image/upload', 'image'], ['/attachment/upload', 'file']] as const) {
      const answer = await post(path, form({ ...file, field }))
      const { code, error, reason } = v.parse(Refused, await answer.json())
      const isDocument = file.type === 'application/pdf' && path === '/image/upload'
      t.equal(`${answer.status} ${code}`, isDocument && verdict !== '413 file_too_large' ? '415 unsupported_image_type' : verdict, `${path}: ${name}`)
      t.match(reason, sentence)
      t.equal(error, reason)
    }
  }
  t.strictSame(await names(), [])
})

t.test('a form that never ends, or of a thousand parts, is refused, and leaves nothing', async (t) => {
  const { port, post, names } = await service(t)
  for (const [name, { body, verdict }] of Object.entries(hostileForms)) {
    const answer = await post('/image/upload', { headers: formHeaders, body })
    const { code, error } = v.parse(Refused, await answer.json())
    t.equal(`${answer.status} ${code}`, verdict, name)
    t.match(error, sentence)
  }

  const socket = await dial(t, port)
  const received: Buffer[] = []
  socket.on('data', (data: Buffer) => received.push(data))
  socket.write(`POST /image/upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${formHeaders['content-type']}\r\nTransfer-Encoding: chunked\r\n\r\n`)
  let sent = 0
  for (const part of endlessForm()) {
    if (socket.destroyed || received.length > 0 || sent > 100 * mebibyte) break
    sent += part.length
    const isTaken = socket.write(Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]))
    if (!isTaken) await Promise.race([once(socket, 'drain'), once(socket, 'close'), wait(500)])
  }
  t.match(toAnswers(Buffer.concat(received).toString('latin1')), [{ status: 413, body: /"code":"file_too_large"/ }])
  t.ok(sent < 40 * mebibyte, `${sent} bytes were sent`)
  t.strictSame(await names(), [])
})

t.test('a name that leads elsewhere, or cannot be one, is reported and never used', async (t) => {
  const { post, names } = await service(t)
  for (const [fileName, originalName] of Object.entries(hostileNames)) {
    const answer = await post('/attachment/upload', form({ type: 'image/png', bytes: files.png, fileName }))
    t.match([answer.status, await answer.json()], [200, { originalName }], fileName.slice(0, 20))
    const refused = await post('/attachment/upload', form({ type: 'image/png', bytes: Buffer.from('text'), fileName }))
    const { error } = v.parse(Refused, await refused.json())
    t.match(error, sentence)
    t.notOk(originalName !== '' && error.includes(originalName))
  }
  t.ok((await names()).every((name) => /^att_\d{13}_[0-9a-f]{32}\.png$/.test(name)))
  t.equal((await names()).length, Object.keys(hostileNames).length)
})

t.test('a client that leaves in the middle leaves nothing', async (t) => {
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

t.test('uploads take little memory, at any size and with any result', inProc, async (t) => {
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
  // What uploads need is loaded by the first ones.
  for (const file of [{ type, bytes: files.pdf }, { type: 'image/png', bytes: files.png }]) t.equal(await post(file), '200')
  const before = await resident()
  const largest = { type, bytes: pdf('', '', 25 * mebibyte - 1000), verdict: '200' }
  const cut = { type, bytes: largest.bytes.subarray(0, -10), verdict: '422' }
  for (const [name, { verdict, ...file }] of Object.entries({ ...hostileFiles, '25 MiB': largest, '25 MiB that are cut off': cut })) {
    t.equal(await post(file), verdict.slice(0, 3), name)
    const more = async (): Promise<number> => ((await resident()) - before) / mebibyte
    // A collection comes when it likes, and small uploads bring it on; one upload is measured by `npm run bench -- uploads`.
    for (let small = 0; small < 50 && (await more()) >= 24; small += 1) await post({ type: 'image/png', bytes: files.png })
    t.ok((await more()) < 24, `${(await more()).toFixed(1)} MiB more after ${name}`)
  }
})
