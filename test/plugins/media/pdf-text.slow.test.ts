import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { constants, deflateRawSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { createReadPdf, type ReadPdfOptions } from '../../../plugins/media/testing.ts'
import { files, pdf, textField, textPdf, upload } from '../../helpers/media-files.ts'
import { startStack, temporaryFolder } from '../../helpers/stack.ts'

const stored = (bytes: Buffer) => ({
  size: bytes.length,
  bytes: Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]),
})
const read = (bytes: Buffer, options?: ReadPdfOptions) => createReadPdf(options)(stored(bytes))

/** Locates a package with this as its only module. */
const locating = (t: Test, program: string) => {
  const file = join(temporaryFolder(t), 'library.cjs')
  writeFileSync(file, program)
  return { library: file }
}

t.test('the text of an uploaded PDF is returned, unless disabled or unreadable', async (t) => {
  const { ask } = await startStack(t)
  const twoPages = textPdf(['Red kayaks', 'Blue canoes'])
  const text = 'Red kayaks\n\nBlue canoes'
  const script = '/OpenAction << /S /JavaScript /JS (app.alert(1)) >> '
  for (const [bytes, expected, ...before] of [
    [twoPages, { kind: 'pdf', pageCount: 2, text, textTruncated: undefined }],
    [twoPages, { kind: 'pdf', pageCount: undefined, text: undefined }, textField('extractText', '0')],
    [pdf('', '/Encrypt 9 0 R '), { warnings: ['encrypted'], text: undefined }],
    [pdf(script), { warnings: ['active_content'], pageCount: 1, text: '' }],
    [Buffer.from('%PDF-1.7\nno objects at all\n%%EOF\n'), { kind: 'pdf', text: undefined }],
  ] as const) {
    const answer = await ask(upload('/attachment/upload', { type: 'application/pdf', bytes }, before))
    t.match([answer.status, answer.json()], [200, expected])
  }
})

t.test('a long text is truncated', async (t) => {
  const long = await read(textPdf(Array.from({ length: 30 }, () => 'boat '.repeat(500))))
  t.match([long?.pageCount, long?.text.length, long?.textTruncated], [30, 50_000, true])
})

t.test('a reader that exceeds its time or memory is ended, and a missing one is tolerated', async (t) => {
  t.equal(await read(files.pdf, { library: 'unpdf-that-is-not-installed' }), undefined)
  t.equal(await read(files.pdf, locating(t, 'throw new Error("no")')), undefined)
  t.equal(await read(files.pdf, { ...locating(t, 'for (;;) {}'), timeoutMs: 100 }), undefined)
  t.equal(
    await read(files.pdf, {
      ...locating(t, 'const kept = []; for (;;) kept.push(Buffer.alloc(1024 * 1024, 1))'),
      maxBytes: 32 * 1024 * 1024,
    }),
    undefined,
  )
})

t.test('a stream is inflated to 20 MiB at most', async (t) => {
  const mebibyteOfSpaces = deflateRawSync(Buffer.alloc(1024 * 1024, ' '), {
    finishFlush: constants.Z_FULL_FLUSH,
  })
  const unpackingTo = (mebibytes: number): Buffer =>
    textPdf(['x'], (content) => [
      '/Filter /FlateDecode ',
      Buffer.concat([
        Buffer.from([0x78, 0x9c]),
        ...Array.from({ length: mebibytes }, () => mebibyteOfSpaces),
        deflateRawSync(content),
      ]),
    ])
  t.match(await read(unpackingTo(8)), { pageCount: 1, text: 'x' })
  for (const mebibytes of [21, 2048]) t.equal(await read(unpackingTo(mebibytes)), undefined)
})

t.test('files are read one at a time, and the queue is limited', async (t) => {
  const reading = createReadPdf()
  const all = await Promise.all(Array.from({ length: 12 }, () => reading(stored(files.pdf))))
  t.match(
    all.map((each) => each?.pageCount),
    [...Array.from({ length: 8 }, () => 1), ...Array.from({ length: 4 }, () => undefined)],
  )
})
