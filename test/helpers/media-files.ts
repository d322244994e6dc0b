import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** A chunk of a PNG. */
export function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([latin1(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.byteLength)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const signature = latin1('\x89PNG\r\n\x1a\n')
const end = chunk('IEND', new Uint8Array())

/** A grey PNG whose header states this size, with `rows` rows of pixels. */
export function png(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * rows))),
    end,
  ])
}

/** A PNG of one pixel and this many bytes, padded with an unknown chunk. */
export function largePng(bytes: number): Buffer {
  const small = png(1, 1)
  const filler = chunk('fiLl', Buffer.alloc(bytes - small.length - 12, 7))
  return Buffer.concat([small.subarray(0, -end.length), filler, end])
}

/** A PDF of one empty page, with more entries in its catalog. */
export function pdf(entries = '', trailer = '', filler = 0): Buffer {
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${entries}>>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 72 72] >>',
  ]
  return written(objects.map(latin1), { trailer, filler })
}

/** A PDF with a line of text on each page; `stream` writes the content of a page in another way. */
export function textPdf(
  lines: readonly string[],
  stream: (content: Buffer) => readonly [entries: string, bytes: Buffer] = (content) => ['', content],
): Buffer {
  const pages = lines.map((_, at) => `${4 + 2 * at} 0 R`).join(' ')
  const objects = [
    latin1('<< /Type /Catalog /Pages 2 0 R >>'),
    latin1(`<< /Type /Pages /Kids [${pages}] /Count ${lines.length} >>`),
    latin1('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
  ]
  for (const [at, line] of lines.entries()) {
    const [entries, bytes] = stream(latin1(`BT /F1 12 Tf 10 50 Td (${line}) Tj ET`))
    objects.push(
      latin1(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99999 72] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * at} 0 R >>`,
      ),
    )
    objects.push(
      Buffer.concat([
        latin1(`<< /Length ${bytes.length} ${entries}>>\nstream\n`),
        bytes,
        latin1('\nendstream'),
      ]),
    )
  }
  return written(objects)
}

/** Numbers the objects of a PDF, the first of which is its catalog, and adds a comment and their table. */
function written(objects: readonly Buffer[], { trailer = '', filler = 0 } = {}): Buffer {
  const parts = [latin1('%PDF-1.7\n')]
  const places: number[] = []
  const length = (): number => parts.reduce((sum, part) => sum + part.length, 0)
  for (const [at, object] of objects.entries()) {
    places.push(length())
    parts.push(latin1(`${at + 1} 0 obj\n`), object, latin1('\nendobj\n'))
  }
  parts.push(latin1(`%${'x'.repeat(filler)}\n`))
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    latin1(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer}>>\nstartxref\n${length()}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: '#a05020' } })

/** Small valid files. */
export const files = {
  png: png(3, 2),
  jpeg: await picture
    .clone()
    .withExif({ IFD0: { Copyright: 'somebody' } })
    .jpeg()
    .toBuffer(),
  /** Rotated by its EXIF orientation. */
  turned: await picture.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  webp: await picture.clone().webp().toBuffer(),
  gif: await picture.clone().gif().toBuffer(),
  pdf: pdf(),
} as const

export interface FormFile {
  /** The default is `file`. */
  readonly field?: string
  readonly fileName?: string
  readonly type: string
  readonly bytes: Uint8Array
}

const boundary = '-----------------------------a-boundary'

/** The headers of a form. */
export const formHeaders = { 'content-type': `multipart/form-data; boundary=${boundary}` } as const

/** The bytes of a form before and after the content of its file. */
export function around({
  field = 'file',
  fileName = 'a file',
  type,
}: Omit<FormFile, 'bytes'>): readonly [head: Buffer, tail: Buffer] {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${fileName}"\r\nContent-Type: ${type}\r\n\r\n`
  return [Buffer.from(head), Buffer.from(`\r\n--${boundary}--\r\n`)]
}

/** A text field of a form, to put before its file. */
export const textField = (name: string, value: string): Buffer =>
  Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)

/** A form with one file, as headers and body of a request. */
export function form(
  { bytes, ...file }: FormFile,
  before: readonly Uint8Array[] = [],
): { readonly headers: typeof formHeaders; readonly body: Uint8Array } {
  const [head, tail] = around(file)
  return { headers: formHeaders, body: Buffer.concat([...before, head, bytes, tail]) }
}

/** The request of an upload. */
export const upload = (url: string, file: FormFile, before?: readonly Uint8Array[]) => ({
  method: 'POST',
  url,
  ...form(file, before),
})
