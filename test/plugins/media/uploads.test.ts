import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { clock, give, type Injection } from '../../../kernel/index.ts'
import { everyWayIn, mountForTest, stillClock } from '../../../kernel/testing.ts'
import { createFileBlobs } from '../../../plugins/blobs/testing.ts'
import { startLibrary } from '../../helpers/library.ts'
import { around, files, formHeaders, png, textField } from '../../helpers/media-files.ts'
import { createMemoryBlobs } from '../../helpers/memory-blobs.ts'
import { askOver, refused, startStack } from '../../helpers/stack.ts'
import { attachment, given, image, mebibyte, Refused, setting, Stored } from '../../helpers/uploads.ts'

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

t.test('every kind of file is served unchanged, in both shapes', async (t) => {
  for (const [shape, start] of Object.entries({ standalone: startStack, library: startLibrary }))
    await t.test(shape, async (t) => {
      const { origin, dataDir } = await start(t)
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
    })
})

t.test('a stored file is served with its headers, completely, by range and conditionally', (t) =>
  everyWayIn(t, setting, async (t, ask) => {
    const length = files.pdf.length
    const storedAs = async (request: Injection) => {
      const { fileName } = v.parse(Stored, (await ask(request)).json())
      return `/generated-images/${fileName}`
    }
    const url = await storedAs(attachment({ type: 'application/pdf', bytes: files.pdf }))
    const complete = await ask({ url })
    t.match(Object.fromEntries(complete.headers), {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${url.slice('/generated-images/'.length)}"`,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': 'sandbox',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'content-length': String(length),
      'access-control-allow-origin': undefined,
    })
    const etag = complete.headers.get('etag') ?? ''
    t.match(etag, /^"[\w-]+"$/)
    const range = 'bytes=0-3'
    for (const [headers, status, text, extent] of [
      [{ 'if-none-match': etag, range }, 304, ''],
      [{ range }, 206, '%PDF', `bytes 0-3/${length}`],
      [{ range: 'bytes=-6' }, 206, '%%EOF\n', `bytes ${length - 6}-${length - 1}/${length}`],
      [{ range: `bytes=${length - 2}-` }, 206, 'F\n', `bytes ${length - 2}-${length - 1}/${length}`],
      [{ range: 'bytes=9999999-' }, 416, /range/, `bytes */${length}`],
      [{ range, 'if-range': '"another"' }, 200, /^%PDF-/],
      [{ range, 'if-range': etag }, 206, '%PDF'],
    ] as const) {
      const answer = await ask({ url, headers })
      t.match([answer.status, answer.text], [status, text], JSON.stringify(headers))
      if (extent !== undefined) t.equal(answer.headers.get('content-range'), extent)
      if (status === 206) t.equal(answer.headers.get('content-length'), String(answer.text.length))
    }
    const head = await ask({ url, method: 'HEAD' })
    t.strictSame([head.status, head.text, head.headers.get('content-length')], [200, '', String(length)])

    const shown = await ask({ url: await storedAs(image({ type: 'image/png', bytes: files.png })) })
    t.notOk(shown.headers.has('content-disposition'), 'only images are displayed')
    const none = 'upload_1767225600000_00000000000000000000000000000000.png'
    const odd = ['upload_1.svg', 'a.png.html', 'a', '.png', `${'a'.repeat(161)}.png`, 'a%20b.png']
    for (const name of [none, ...odd]) {
      const expected =
        name === none ? { status: 404, code: 'not_found' } : { status: 400, code: 'invalid_file_name' }
      t.match(refused(await ask({ url: `/generated-images/${name}` })), expected, name)
    }
  }),
)

t.test('a rejected upload says why in one sentence, and nothing is stored', async (t) => {
  const folder = join(t.testdir(), 'images')
  const stored = await createFileBlobs({ folder, ...given })
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
    '413 file_too_large': [attached('text/plain', Buffer.alloc(mebibyte + 1, 'a'))],
    '415 unsupported_image_type': [
      image({ type: 'application/pdf', bytes: files.pdf }),
      attached('application/zip', png1),
    ],
    '415 content_mismatch': [
      asPng(files.pdf),
      attached('application/pdf', png1),
      attached('text/plain', Buffer.of(0xc3, 0x28, 0x8d)),
      attached('text/markdown', Buffer.from('a\0b')),
      attached('text/plain', Buffer.of(0x61, 0x81)),
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
})

t.test('the declared type may differ among images only', async (t) => {
  const { inject } = mountForTest(t, setting())
  const animation = [Buffer.from('00000008', 'hex'), Buffer.from('acTL'), Buffer.alloc(12)]
  const animated = Buffer.concat([files.png.subarray(0, 33), ...animation, files.png.subarray(33)])
  for (const [type, bytes, mimeType, why] of [
    ['image/gif', files.webp, 'image/webp', 'the content decides'],
    ['image/png', animated, 'image/png', 'an animation is one'],
    ['image/jpeg', Buffer.concat([files.jpeg, Buffer.alloc(5000, 1)]), 'image/jpeg', 'phones append data'],
    ['image/gif', Buffer.concat([files.gif, Buffer.alloc(3)]), 'image/gif', 'zeros are padding'],
  ] as const)
    t.match((await inject(image({ type, bytes }))).json(), { mimeType }, why)
})

t.test('a few bytes too many or too few, which every reader accepts, are accepted', async (t) => {
  const { inject } = mountForTest(t, setting())
  const after = (name: keyof typeof files, bytes: string | Buffer) =>
    Buffer.concat([files[name], Buffer.from(bytes)])
  const profile = Buffer.concat([Buffer.from('ffe2ffff', 'hex'), Buffer.alloc(65_533, 0xff)])
  const profiled = [files.jpeg.subarray(0, 2), ...Array(9).fill(profile), files.jpeg.subarray(2)]
  const thumbnail = Buffer.from('ffe20008ffd8ffdb0001', 'hex')
  const pictures: readonly (readonly [why: string, type: string, bytes: Buffer])[] = [
    ...(['png', 'jpeg', 'gif', 'webp'] as const).flatMap((name) => [
      [`${name} and a line end`, `image/${name}`, after(name, '\n')] as const,
      [`${name} and what was cropped away`, `image/${name}`, after(name, files[name].subarray(60))] as const,
      [`${name} and other data`, `image/${name}`, after(name, Buffer.alloc(5000, 'abc'))] as const,
    ]),
    ['a GIF without its end', 'image/gif', files.gif.subarray(0, -1)],
    ['a GIF without its last two bytes', 'image/gif', files.gif.subarray(0, -2)],
    ['a JPEG without its last byte', 'image/jpeg', files.jpeg.subarray(0, -1)],
    ['a JPEG without its end', 'image/jpeg', files.jpeg.subarray(0, -2)],
    ['a turned JPEG without its end', 'image/jpeg', files.turned.subarray(0, -2)],
    ['a PNG without its end', 'image/png', files.png.subarray(0, -12)],
    ['a JPEG with the color profile of a printer', 'image/jpeg', Buffer.concat(profiled)],
    [
      'a JPEG with a thumbnail without end',
      'image/jpeg',
      Buffer.concat([files.jpeg.subarray(0, 2), thumbnail, files.jpeg.subarray(2)]),
    ],
  ]
  for (const [why, type, bytes] of pictures)
    t.match((await inject(image({ type, bytes }))).json(), { mimeType: type }, why)
})

t.test('the size of a JPEG is found behind other bytes and behind metadata of any length', async (t) => {
  const { inject } = mountForTest(t, setting())
  const segment = (text: string, length: number) => {
    const header = Buffer.from('ffe10000', 'hex')
    header.writeUInt16BE(length, 2)
    return Buffer.concat([header, Buffer.alloc(length - 2, text)])
  }
  const behind = (bytes: Buffer, ...parts: readonly Buffer[]) =>
    Buffer.concat([bytes.subarray(0, 2), ...parts, bytes.subarray(2)])
  const depth = Array<Buffer>(50).fill(segment('http://ns.adobe.com/xmp/extension/', 65_000))
  for (const [why, ...parts] of [
    ['other bytes', segment('Exif', 40), Buffer.from('other\xff\0')],
    ['bytes that fill up a marker', segment('Exif', 8), Buffer.from('ffffff', 'hex')],
    ['the metadata of a photo with its depth', ...depth],
    ['both', ...depth, Buffer.from('other')],
  ] as const)
    for (const [name, size] of [
      ['jpeg', { width: 40, height: 30 }],
      ['turned', { width: 30, height: 40 }],
    ] as const)
      t.match(
        (await inject(image({ type: 'image/jpeg', bytes: behind(files[name], ...parts) }))).json(),
        { mimeType: 'image/jpeg', ...size },
        `${name} behind ${why}`,
      )
  const cut = behind(files.jpeg, ...depth).subarray(0, -files.jpeg.length)
  t.match(refused(await inject(image({ type: 'image/jpeg', bytes: cut }))), {
    status: 422,
    code: 'image_dimensions',
  })
})

t.test('what readers refuse or would open as something else is refused', async (t) => {
  const { inject } = mountForTest(t, setting())
  const zip = Buffer.from('PK\x05\x06\0\0\0\0', 'latin1')
  const sized = (change: number) => {
    const webp = Buffer.from(files.webp)
    webp.writeUInt32LE(webp.readUInt32LE(4) + change, 4)
    return webp
  }
  const pdfPart = (text: string) => Buffer.concat([files.pdf, Buffer.from(text)])
  for (const [why, type, bytes, code] of [
    ['a JPEG and a zip', 'image/jpeg', Buffer.concat([files.jpeg, zip]), 'file_damaged'],
    ['a WebP and a zip', 'image/webp', Buffer.concat([files.webp, zip]), 'file_damaged'],
    ['a GIF of extensions', 'image/gif', Buffer.from('GIF89a\x01\0\x01\0\0\0\0!\x01\0;'), 'file_damaged'],
    ['a GIF that ends in its image', 'image/gif', files.gif.subarray(0, -3), 'file_damaged'],
    ['a WebP with a chunk that is too long', 'image/webp', sized(-2), 'file_damaged'],
    ['a WebP without content', 'image/webp', sized(8 - files.webp.length), 'file_damaged'],
    ['a PDF that is cut off', 'application/pdf', pdfPart('9 0 obj <<>>'), 'pdf_invalid'],
    ['a PDF and a zip', 'application/pdf', Buffer.concat([files.pdf, zip]), 'pdf_invalid'],
    [
      'a PDF after the start of an image',
      'application/pdf',
      Buffer.concat([Buffer.from('GIF89a'), files.pdf]),
      'content_mismatch',
    ],
    [
      'a PDF after the start of a script',
      'application/pdf',
      Buffer.concat([Buffer.from('#!/bin/sh\n'), files.pdf]),
      'content_mismatch',
    ],
    [
      'a PDF after more text than readers pass over',
      'application/pdf',
      Buffer.concat([Buffer.alloc(1100, 'text '), files.pdf]),
      'content_mismatch',
    ],
    [
      'a PDF after markup in commands',
      'application/pdf',
      Buffer.concat([Buffer.from('\x1b%-12345X<script>'), files.pdf]),
      'content_mismatch',
    ],
  ] as const)
    t.match((await inject(attachment({ type, bytes }))).json(), { code }, why)
})

t.test('a file without a type of its own is of the type of its name', async (t) => {
  const { inject } = mountForTest(t, setting())
  const unknown = 'application/octet-stream'
  const table: readonly (readonly [fileName: string, type: string, bytes: Buffer, mimeType: string])[] = [
    ['notes.md', unknown, Buffer.from('# a'), 'text/markdown'],
    ['Notes.MARKDOWN', unknown, Buffer.from('# a'), 'text/markdown'],
    ['notes.md', 'text/x-markdown', Buffer.from('# a'), 'text/markdown'],
    ['a.b.txt', unknown, Buffer.from('a'), 'text/plain'],
    ['rows.csv', 'text/csv', Buffer.from('a,b'), 'text/plain'],
    ['photo.jfif', unknown, files.jpeg, 'image/jpeg'],
    ['photo.jfif', 'image/jfif', files.jpeg, 'image/jpeg'],
    ['photo.jpg', 'image/pjpeg', files.jpeg, 'image/jpeg'],
    ['photo.jpg', 'image/jpg', files.jpeg, 'image/jpeg'],
    ['photo.webp', unknown, files.webp, 'image/webp'],
    ['plan.pdf', unknown, files.pdf, 'application/pdf'],
  ]
  for (const [fileName, type, bytes, mimeType] of table) {
    t.match((await inject(attachment({ type, bytes, fileName }))).json(), { mimeType }, `${fileName} ${type}`)
    if (mimeType.startsWith('image/'))
      t.match((await inject(image({ type, bytes, fileName }))).json(), { mimeType }, `${fileName} ${type}`)
  }
  for (const [fileName, request] of [
    ['notes.md', image],
    ['page.html', attachment],
    ['a file', attachment],
  ] as const) {
    const refusal = (await inject(request({ type: unknown, bytes: files.png, fileName }))).json()
    t.match(refusal, { code: 'unsupported_image_type' }, fileName)
  }
  const disguised = attachment({ type: unknown, bytes: Buffer.from('<svg/>'), fileName: 'a.png' })
  t.match((await inject(disguised)).json(), { code: 'content_mismatch' })
})

t.test('a text is read in its encoding, and one whose encoding is not known asks for UTF-8', async (t) => {
  const { inject } = mountForTest(t, setting())
  const read = async (bytes: Buffer) => (await inject(attachment({ type: 'text/plain', bytes }))).json()
  const wide = Buffer.from('\ufeffGrüße 😀', 'utf16le')
  for (const bytes of [wide, Buffer.from(wide).swap16(), Buffer.from('\ufeffGrüße 😀')])
    t.match(await read(bytes), { text: /^Grüße 😀$/, bytes: bytes.length })
  const western = ['Grüße aus Köln', 'créée à l´île, nº 1', '¿Qué? «Sí» 20 °C', 'col·laboració']
  for (const text of western) t.match(await read(Buffer.from(text, 'latin1')), { text }, text)
  const windows = Buffer.from('\x93K\xf6ln\x96Bonn\x94: 5 \x80, it\x92s', 'latin1')
  t.match(await read(windows), { text: '“Köln–Bonn”: 5 €, it’s' })
  const unknown: Readonly<Record<string, Buffer>> = {
    'UTF-16 without its mark': Buffer.from('Grüße', 'utf16le'),
    'a character of UTF-16 in half': wide.subarray(0, -1),
    'a pair of UTF-16 in half': wide.subarray(0, -2),
    'UTF-8 in half': Buffer.from('Grüße und mehr ü', 'utf8').subarray(0, -1),
    'windows-1251': Buffer.from('\xcf\xf0\xe8\xe2\xe5\xf2', 'latin1'),
    'windows-1250': Buffer.from('za\xbf\xf3\xb3\xe6', 'latin1'),
    'Shift JIS': Buffer.from('\x82\xb1\x82\xf1\x82\xc9', 'latin1'),
    GBK: Buffer.from('\xd6\xd0\xce\xc4', 'latin1'),
    'no text': Buffer.from([0x89, 0x50, 0x01, 0x02, 0xff]),
    'bytes that windows-1252 lacks': Buffer.from('a\x81b', 'latin1'),
  }
  for (const [what, bytes] of Object.entries(unknown))
    t.match(await read(bytes), { code: 'content_mismatch', reason: /Save it as UTF-8/ }, what)
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

t.test('the address of a file is built from the configuration, never from the request', async (t) => {
  const request = image({ type: 'image/png', bytes: files.png })
  const site = { NEXT_PUBLIC_SITE_URL: 'https://www.example' }
  for (const [shape, env, origin] of [
    ['standalone', {}, 'http://localhost:4200'],
    ['standalone', { PORT: '4300' }, 'http://localhost:4300'],
    ['standalone', { ORCHESTRATOR_PUBLIC_ORIGIN: 'https://edit.example/' }, 'https://edit.example'],
    ['library', {}, ''],
    ['library', site, 'https://www.example'],
  ] as const) {
    const { inject } = mountForTest(t, { ...setting(undefined, env), shape })
    const answer = await inject({ ...request, headers: { ...formHeaders, host: 'evil.test' } })
    const { url, fileName } = v.parse(Stored, answer.json())
    t.equal(url, `${origin}/generated-images/${fileName}`)
  }
  const basePath = '/api/orchestrator'
  // Each adds to the variables of the one before.
  for (const [variables, origin] of [
    [{ SITE_URL: 'https://other.example' }, 'https://other.example'],
    [{ VITE_SITE_URL: 'vite.example' }, ''],
    [site, 'https://www.example'],
  ] as const) {
    const { mounted } = await startLibrary(t, variables, { basePath })
    const answer = await mounted.inject({ ...request, url: basePath + request.url })
    t.match(v.parse(Stored, answer.json()).url, new RegExp(`^${origin}${basePath}/generated-images/`))
    await mounted.close()
  }
  const { mounted } = await startLibrary(t, site, { basePath })
  const answer = await mounted.inject({ ...request, url: basePath + request.url })
  const { url } = v.parse(Stored, answer.json())
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
  const send = async (remote: string, request = image({ type: 'image/png', bytes: files.png })) =>
    mounted.inject({ ...request, remote })
  const first = await send('192.0.2.1')
  t.strictSame([first.status, (await send('192.0.2.1')).status], [200, 200])
  const third = await send('192.0.2.1')
  t.strictSame([third.status, third.headers.get('retry-after')], [429, '60'])
  t.match(third.json(), { code: 'rate_limited', error: /60 s, or raise MEDIA_UPLOADS_PER_MIN/ })
  t.equal(
    (await send('192.0.2.2', image({ type: 'image/png', bytes: files.jpeg }))).status,
    507,
    'it does not fit',
  )
  t.equal((await send('192.0.2.2')).status, 200, 'a smaller one does, so the rejected file took no storage')
  t.match((await send('192.0.2.3')).json(), { code: 'storage_full', error: /MEDIA_STORE_MAX_BYTES/ })
  time.advance(60_000)
  t.equal((await send('192.0.2.1')).status, 507, 'the limit resets after a minute')
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
  const send = async () => (await mounted.inject(image({ type: 'image/png', bytes: files.png }))).status
  t.equal(await send(), 500)
  fails = false
  t.equal(await send(), 507)
})
