import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createOrchestrator } from '../../../config/index.ts'
import { createHttpServer } from '../../../kernel/http/server.ts'
import { clock, give, randomIds, systemClock, use, type Injection } from '../../../kernel/index.ts'
import { capturedLog, everyWayIn, mountForTest, openGates, stillClock } from '../../../kernel/testing.ts'
import { createFileBlobs } from '../../../plugins/blobs/files.ts'
import { blobs, type Blobs } from '../../../plugins/blobs/port.ts'
import { createMemoryBlobs } from '../../helpers/memory-blobs.ts'
import media from '../../../plugins/media/index.ts'
import { createMemoryStore } from '../../../plugins/store/memory.ts'
import { store } from '../../../plugins/store/port.ts'
import { environment } from '../../helpers/environment.ts'
import {
  around,
  files,
  form,
  formHeaders,
  largePng,
  pdf,
  png,
  textField,
  type FormFile,
} from '../../helpers/media-files.ts'
import { listen } from '../../helpers/raw.ts'
import { askOver, startStack, temporaryFolder } from '../../helpers/stack.ts'

const mebibyte = 1024 * 1024
const adapter = { readContent: async () => ({ pages: [] }) }
const given = { clock: systemClock, ids: randomIds }
const setting = (files: Blobs = createMemoryBlobs(given), env: Readonly<Record<string, string>> = {}) => ({
  plugins: [use(media)],
  seeds: [...openGates, give(blobs, files), give(store, createMemoryStore())],
  env: { MEDIA_UPLOADS_PER_MIN: '0', ...env },
})

const image = (file: FormFile, before?: readonly Uint8Array[]): Injection => ({
  method: 'POST',
  url: '/image/upload',
  ...form({ field: 'image', ...file }, before),
})
const attachment = (file: FormFile, before?: readonly Uint8Array[]): Injection => ({
  method: 'POST',
  url: '/attachment/upload',
  ...form(file, before),
})

const Stored = v.object({
  url: v.string(),
  fileName: v.string(),
  bytes: v.number(),
  mimeType: v.string(),
  sha256: v.string(),
})
const Refused = v.object({ code: v.string(), error: v.string(), reason: v.string() })

const kinds = [
  ['png', 'image/png', { width: 3, height: 2 }],
  ['jpeg', 'image/jpeg', { width: 40, height: 30 }],
  ['turned', 'image/jpeg', { width: 30, height: 40 }],
  ['webp', 'image/webp', { width: 40, height: 30 }],
  ['gif', 'image/gif', { width: 40, height: 30 }],
  ['pdf', 'application/pdf', {}],
] as const
const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
}

/** The service over a socket in both shapes. */
async function bothShapes(
  t: Test,
  body: (t: Test, origin: string, dataDir: string) => Promise<void>,
): Promise<void> {
  await t.test('standalone', async (t) => {
    const stack = await startStack(t)
    await body(t, stack.origin, stack.dataDir)
  })
  await t.test('library', async (t) => {
    const dataDir = temporaryFolder(t)
    environment(t, { ORCHESTRATOR_DATA_DIR: dataDir })
    const mounted = createOrchestrator({ adapter, logger: capturedLog().log })
    t.teardown(() => mounted.close())
    await body(t, `http://127.0.0.1:${await listen(t, createHttpServer(mounted.node))}`, dataDir)
  })
}

t.test('every kind of file is served unchanged, in both shapes', (t) =>
  bothShapes(t, async (t, origin, dataDir) => {
    for (const [name, type, size] of kinds) {
      const bytes = files[name]
      const attached = attachment({ type, bytes, fileName: 'my file' })
      for (const request of name === 'pdf' ? [attached] : [image({ type, bytes }), attached]) {
        const answer = await askOver(origin, request)
        t.equal(answer.status, 200, `${request.url} ${name}: ${answer.text}`)
        const { url, fileName, sha256 } = v.parse(Stored, answer.json())
        const [prefix, more] =
          request === attached
            ? ['att', { kind: name === 'pdf' ? 'pdf' : 'image', originalName: 'my file' }]
            : ['upload', {}]
        t.match(answer.json(), { bytes: bytes.length, mimeType: type, ...size, ...more })
        t.match(fileName, new RegExp(`^${prefix}_\\d{13}_[0-9a-f]{32}\\.${extensions[type]}$`))
        t.match(sha256, /^[0-9a-f]{64}$/)
        const served = await fetch(new URL(new URL(url, origin).pathname, origin))
        t.strictSame([served.status, served.headers.get('content-type')], [200, type])
        t.strictSame(Buffer.from(await served.arrayBuffer()), bytes, `${name} is served unchanged`)
      }
    }
    t.equal((await readdir(join(dataDir, 'generated-images'))).length, 11)
    t.match((await askOver(origin, { url: '/status/planner' })).json(), { features: { attachments: true } })
  }),
)

t.test(
  'uploads require the credentials of the gate in every mode, and stored files are always public',
  async (t) => {
    const token = 'an-access-token-of-some-length'
    const request = image({ type: 'image/png', bytes: files.png })
    const attach = attachment({ type: 'application/pdf', bytes: files.pdf })
    const judge = async (t: Test, origin: string, name: string, statuses: readonly number[]) => {
      for (const each of [request, attach]) {
        const without = await askOver(origin, each)
        const headers = { ...each.headers, 'x-access-token': token }
        t.strictSame([without.status, (await askOver(origin, { ...each, headers })).status], statuses)
        if (without.status !== 200) t.match(without.json(), { error: 'unauthorized' })
      }
      for (const method of ['GET', 'HEAD']) {
        const served = await askOver(origin, { url: `/generated-images/${name}`, method })
        t.strictSame([served.status, served.headers.get('content-type')], [200, 'image/png'])
      }
    }
    const folderWithFile = async (t: Test) => {
      const dataDir = temporaryFolder(t)
      const { key } = await (
        await createFileBlobs({ folder: join(dataDir, 'generated-images'), ...given })
      ).put(files.png, { type: 'image/png', extension: 'png' })
      return { dataDir, name: key }
    }
    const access = { ORCHESTRATOR_ACCESS_TOKEN: token }
    const production = { NODE_ENV: 'production' }
    const byToken = ({ headers }: { readonly headers: Headers }) => headers.get('x-access-token') === token
    /** The status without and with the token. */
    const modes = [
      { mode: 'open-dev', env: {}, statuses: [200, 200] },
      { mode: 'token', env: access, statuses: [401, 200] },
      { mode: 'closed', env: production, statuses: [401, 401] },
      { mode: 'hook', env: {}, auth: byToken, statuses: [401, 200] },
    ] as const
    for (const { mode, env, statuses, ...options } of modes)
      await t.test(`library, ${mode}`, async (t) => {
        const { dataDir, name } = await folderWithFile(t)
        environment(t, { ORCHESTRATOR_DATA_DIR: dataDir, ...env })
        const mounted = createOrchestrator({ adapter, logger: capturedLog().log, ...options })
        t.teardown(() => mounted.close())
        t.match((await mounted.inject({ url: '/auth/status' })).json(), { mode })
        const port = await listen(t, createHttpServer(mounted.node))
        await judge(t, `http://127.0.0.1:${port}`, name, statuses)
      })
    for (const [gate, status] of [
      ['agent', 200],
      ['all', 401],
    ] as const)
      await t.test(`standalone, ${gate}`, async (t) => {
        const { dataDir, name } = await folderWithFile(t)
        const stack = await startStack(t, { dataDir, env: { ...access, ORCHESTRATOR_GATE: gate } })
        await judge(t, stack.origin, name, [status, 200])
      })
  },
)

t.test('a stored file is served with its headers, completely, by range and conditionally', async (t) =>
  everyWayIn(
    t,
    () => setting(),
    async (t, ask) => {
      const { fileName } = v.parse(
        Stored,
        (await ask(attachment({ type: 'application/pdf', bytes: files.pdf }))).json(),
      )
      const url = `/generated-images/${fileName}`
      const complete = await ask({ url })
      const headers = Object.fromEntries(complete.headers)
      t.match(headers, {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${fileName}"`,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': 'sandbox',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
        'accept-ranges': 'bytes',
        'content-length': String(files.pdf.length),
      })
      t.notOk(complete.headers.has('access-control-allow-origin'))
      const etag = complete.headers.get('etag') ?? ''
      t.match(etag, /^"[\w-]+"$/)
      const head = await ask({ url, method: 'HEAD' })
      t.strictSame(
        [head.status, head.text, head.headers.get('content-length')],
        [200, '', String(files.pdf.length)],
      )
      const again = await ask({ url, headers: { 'if-none-match': etag, range: 'bytes=0-3' } })
      t.strictSame([again.status, again.text], [304, ''])
      for (const [range, part] of [
        ['bytes=0-3', '%PDF'],
        ['bytes=-6', '%%EOF\n'],
        [`bytes=${files.pdf.length - 2}-`, 'F\n'],
      ] as const) {
        const answer = await ask({ url, headers: { range } })
        t.strictSame(
          [answer.status, answer.text, answer.headers.get('content-length')],
          [206, part, String(part.length)],
          range,
        )
        t.match(answer.headers.get('content-range'), new RegExp(`^bytes \\d+-\\d+/${files.pdf.length}$`))
      }
      const beyond = await ask({ url, headers: { range: 'bytes=9999999-' } })
      t.strictSame([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${files.pdf.length}`])
      t.equal((await ask({ url, headers: { range: 'bytes=0-3', 'if-range': '"another"' } })).status, 200)
      t.equal((await ask({ url, headers: { range: 'bytes=0-3', 'if-range': etag } })).status, 206)

      const shown = v.parse(Stored, (await ask(image({ type: 'image/png', bytes: files.png }))).json())
      t.notOk(
        (await ask({ url: `/generated-images/${shown.fileName}` })).headers.has('content-disposition'),
        'only images are displayed',
      )
      for (const name of ['upload_1.svg', 'a.png.html', 'a', '.png', `${'a'.repeat(161)}.png`, 'a%20b.png']) {
        const answer = await ask({ url: `/generated-images/${name}` })
        t.strictSame([answer.status, v.parse(Refused, answer.json()).code], [400, 'invalid_file_name'], name)
      }
      const missing = await ask({
        url: '/generated-images/upload_1767225600000_00000000000000000000000000000000.png',
      })
      t.strictSame([missing.status, v.parse(Refused, missing.json()).code], [404, 'not_found'])
    },
  ),
)

t.test('a rejected upload says why in one sentence, and nothing is stored', async (t) => {
  const folder = join(t.testdir(), 'images')
  const stored = await createFileBlobs({ folder, ...given })
  const tooLarge = largePng(10 * mebibyte + 1)
  const png1 = files.png
  const asPng = (bytes: Uint8Array, field?: string) =>
    image({ type: 'image/png', bytes, ...(field && { field }) })
  const attached = (type: string, bytes: Uint8Array) => attachment({ type, bytes })
  const noFile = Buffer.concat([textField('a', 'b'), around({ type: '' })[1].subarray(2)])
  const damaged = (['png', 'jpeg', 'webp', 'gif'] as const).map((name) =>
    image({ type: `image/${name}`, bytes: files[name].subarray(0, -4) }),
  )
  const refusals: Readonly<Record<string, readonly Injection[]>> = {
    '400 file_required': [{ method: 'POST', url: '/image/upload', headers: formHeaders, body: noFile }],
    '400 wrong_field': [
      asPng(png1, 'picture'),
      attachment({ type: 'image/png', bytes: png1, field: 'picture' }),
    ],
    '400 file_empty': [asPng(new Uint8Array()), attached('text/plain', new Uint8Array())],
    '413 file_too_large': [
      asPng(tooLarge),
      attached('image/png', tooLarge),
      attached('text/plain', Buffer.alloc(mebibyte + 1, 'a')),
      attached('application/pdf', pdf('', '', 25 * mebibyte)),
    ],
    '415 unsupported_image_type': [
      image({ type: 'application/pdf', bytes: files.pdf }),
      attached('application/zip', png1),
    ],
    '415 content_mismatch': [
      asPng(files.pdf),
      attached('application/pdf', png1),
      attached('text/plain', Buffer.of(0xc3, 0x28)),
      attached('text/markdown', Buffer.from('a\0b')),
      attached('text/plain', Buffer.of(0x61, 0xc3)),
    ],
    '422 image_dimensions': [
      ...[png(16_385, 1, 1), png(8000, 5001, 1), png(0, 1, 1)].map((bytes) => asPng(bytes)),
      image({ type: 'image/gif', bytes: Buffer.from('GIF89a;') }),
    ],
    '422 pdf_invalid': [attached('application/pdf', files.pdf.subarray(0, -8))],
    '422 file_damaged': damaged,
  }
  const mounted = mountForTest(t, setting(stored))
  for (const [verdict, requests] of Object.entries(refusals))
    for (const request of requests) {
      const answer = await mounted.inject(request)
      const { code, error, reason } = v.parse(Refused, answer.json())
      t.equal(`${answer.status} ${code}`, verdict, reason)
      t.match(reason, /^[A-Z][^.]*\.( [A-Z][^.]*\.)?$/)
      t.equal(error, reason, 'the reason is shown to users')
    }
  t.strictSame(await readdir(folder).catch(() => []), [])
  for (const largest of [largePng(10 * mebibyte), png(8000, 5000, 1)])
    t.equal((await mounted.inject(asPng(largest))).status, 200)
  const nearly = 25 * mebibyte - 10_000
  const largest = pdf('', '', nearly + (25 * mebibyte - pdf('', '', nearly).length))
  t.equal(largest.length, 25 * mebibyte)
  t.equal((await mounted.inject(attached('application/pdf', largest))).status, 200)
})

t.test('the declared type may differ among images only', async (t) => {
  const mounted = mountForTest(t, setting())
  const answer = await mounted.inject(image({ type: 'image/gif', bytes: files.webp }))
  t.match(answer.json(), { mimeType: 'image/webp', fileName: /\.webp$/ })
  const animated = Buffer.concat([
    files.png.subarray(0, 33),
    Buffer.from('00000008', 'hex'),
    Buffer.from('acTL'),
    Buffer.alloc(12),
    files.png.subarray(33),
  ])
  t.match((await mounted.inject(image({ type: 'image/png', bytes: animated }))).json(), {
    mimeType: 'image/png',
  })
  const behind = Buffer.concat([files.jpeg, Buffer.alloc(5000, 1)])
  t.equal(
    (await mounted.inject(image({ type: 'image/jpeg', bytes: behind }))).status,
    200,
    'phones append data to a JPEG',
  )
  t.equal(
    (await mounted.inject(image({ type: 'image/gif', bytes: Buffer.concat([files.gif, Buffer.alloc(3)]) })))
      .status,
    200,
    'zeros are padding',
  )
})

t.test('a text is read and not stored', async (t) => {
  const folder = join(t.testdir(), 'images')
  const mounted = mountForTest(t, setting(await createFileBlobs({ folder, ...given })))
  const read = async (bytes: Uint8Array, fileName = 'notes.md') =>
    (await mounted.inject(attachment({ type: 'text/markdown', bytes, fileName }))).json()
  t.strictSame(await read(Buffer.from('häß')), {
    fileName: 'notes.md',
    originalName: 'notes.md',
    mimeType: 'text/markdown',
    bytes: 5,
    kind: 'text',
    text: 'häß',
  })
  const Excerpt = v.object({ text: v.string(), textTruncated: v.optional(v.boolean()) })
  t.strictSame(v.parse(Excerpt, await read(Buffer.alloc(50_000, 'a'))).textTruncated, undefined)
  const cut = v.parse(Excerpt, await read(Buffer.from(`${'a'.repeat(49_999)}😀b`)))
  t.strictSame([cut.text.length, cut.textTruncated], [49_999, true], 'no character is split')
  t.strictSame(await readdir(folder).catch(() => []), [])
})

t.test('a PDF that is encrypted or has active content is stored with a warning', async (t) => {
  const mounted = mountForTest(t, setting())
  const warnings = async (bytes: Uint8Array) =>
    v.parse(
      v.object({ warnings: v.optional(v.array(v.string())) }),
      (await mounted.inject(attachment({ type: 'application/pdf', bytes }))).json(),
    ).warnings
  t.equal(await warnings(files.pdf), undefined)
  t.strictSame(await warnings(pdf('', '/Encrypt 4 0 R ')), ['encrypted'])
  for (const entry of [
    '/OpenAction << /S /JavaScript /JS (1) >> ',
    '/AA << /S /Launch >> ',
    '/AcroForm << /XFA 1 >> ',
    '/Names << /EmbeddedFiles 1 >> ',
  ])
    t.strictSame(await warnings(pdf(entry)), ['active_content'], entry)
})

t.test('the address of a file is built from the configuration, never from the request', async (t) => {
  const urlIn = async (shape: 'standalone' | 'library', env: Readonly<Record<string, string>>) => {
    const mounted = mountForTest(t, { ...setting(undefined, env), shape })
    const answer = await mounted.inject({
      ...image({ type: 'image/png', bytes: files.png }),
      headers: { ...formHeaders, host: 'evil.test' },
    })
    const { url, fileName } = v.parse(Stored, answer.json())
    return url.replace(fileName, '…')
  }
  t.equal(await urlIn('standalone', {}), 'http://localhost:4200/generated-images/…')
  t.equal(await urlIn('standalone', { PORT: '4300' }), 'http://localhost:4300/generated-images/…')
  t.equal(
    await urlIn('standalone', { ORCHESTRATOR_PUBLIC_ORIGIN: 'https://edit.example/' }),
    'https://edit.example/generated-images/…',
  )
  t.equal(await urlIn('library', {}), '/generated-images/…')
  t.equal(
    await urlIn('library', { NEXT_PUBLIC_SITE_URL: 'https://www.example' }),
    'https://www.example/generated-images/…',
  )

  environment(t, { ORCHESTRATOR_DATA_DIR: temporaryFolder(t), NEXT_PUBLIC_SITE_URL: 'https://www.example' })
  const mounted = createOrchestrator({ adapter, logger: capturedLog().log, basePath: '/api/orchestrator' })
  t.teardown(() => mounted.close())
  const request = image({ type: 'image/png', bytes: files.png })
  const { url } = v.parse(
    Stored,
    (await mounted.inject({ ...request, url: `/api/orchestrator${request.url}` })).json(),
  )
  t.match(url, /^https:\/\/www\.example\/api\/orchestrator\/generated-images\/upload_/)
  t.equal((await mounted.inject({ url: new URL(url).pathname })).status, 200)
})

t.test('uploads are limited per caller and minute, and in total bytes', async (t) => {
  const time = stillClock()
  const small = setting(undefined, {
    MEDIA_UPLOADS_PER_MIN: '2',
    MEDIA_STORE_MAX_BYTES: String(files.png.length * 3),
  })
  const mounted = mountForTest(t, { ...small, seeds: [...small.seeds, give(clock, time)] })
  const upload = async (remote: string, request = image({ type: 'image/png', bytes: files.png })) =>
    mounted.inject({ ...request, remote })
  const first = await upload('192.0.2.1')
  t.strictSame([first.status, (await upload('192.0.2.1')).status], [200, 200])
  const third = await upload('192.0.2.1')
  t.strictSame([third.status, third.headers.get('retry-after')], [429, '60'])
  t.match(third.json(), { code: 'rate_limited', error: /60 s, or raise MEDIA_UPLOADS_PER_MIN/ })
  t.equal(
    (await upload('192.0.2.2', image({ type: 'image/png', bytes: files.jpeg }))).status,
    507,
    'it does not fit',
  )
  t.equal((await upload('192.0.2.2')).status, 200, 'a smaller one does, so the rejected file took no storage')
  t.match((await upload('192.0.2.3')).json(), { code: 'storage_full', error: /MEDIA_STORE_MAX_BYTES/ })
  time.advance(60_000)
  t.equal((await upload('192.0.2.1')).status, 507, 'the limit resets after a minute')
})

t.test('existing files count, and uploads fail while the folder cannot be read', async (t) => {
  const stored = createMemoryBlobs(given)
  await stored.put(files.png, { type: 'image/png', extension: 'png' })
  let fails = true
  const list = async function* () {
    if (fails) throw new Error('not now')
    yield* stored.list()
  }
  const mounted = mountForTest(t, {
    ...setting({ ...stored, list }, { MEDIA_STORE_MAX_BYTES: String(files.png.length) }),
    faults: 'answer',
  })
  const upload = async () => (await mounted.inject(image({ type: 'image/png', bytes: files.png }))).status
  t.equal(await upload(), 500)
  fails = false
  t.equal(await upload(), 507)
})
