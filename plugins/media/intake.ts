import type { IncomingFile } from '../../kernel/index.ts'
import { refusals } from './refusals.ts'

/** What may be uploaded, by the media type that a client declares. */
export interface Kind {
  readonly kind: 'image' | 'pdf' | 'text'
  readonly type: string
  /** Of the stored name; text is not stored. */
  readonly extension: string
  readonly maxBytes: number
}

const mebibyte = 1024 * 1024
const image = (type: string, extension: string): Kind => ({ kind: 'image', type, extension, maxBytes: 10 * mebibyte })

const images = [image('image/png', 'png'), image('image/jpeg', 'jpg'), image('image/webp', 'webp'), image('image/gif', 'gif')]
const documents: readonly Kind[] = [
  { kind: 'pdf', type: 'application/pdf', extension: 'pdf', maxBytes: 25 * mebibyte },
  { kind: 'text', type: 'text/plain', extension: '', maxBytes: mebibyte },
  { kind: 'text', type: 'text/markdown', extension: '', maxBytes: mebibyte },
]

const kinds: ReadonlyMap<string, Kind> = new Map([...images, ...documents].map((each) => [each.type, each]))

export const imageTypes: readonly string[] = images.map(({ type }) => type)
export const attachmentTypes: readonly string[] = [...kinds.keys()]

/** The kind of a media type; `undefined` for one that is not accepted. */
export const kindOf = (type: string): Kind | undefined => kinds.get(type)

/** The largest file that one of these types may have. */
export const largestOf = (types: readonly string[]): number => Math.max(...types.map((type) => kindOf(type)?.maxBytes ?? 0))

/** What a route takes in. */
export interface Intake {
  readonly types: readonly string[]
  /** The form fields that may hold the file, the usual one first. */
  readonly fields: readonly [string, ...string[]]
  /** How stored names begin. */
  readonly prefix: string
}

/** A file of which the beginning has arrived. */
export interface Arriving {
  /** What it was sent as. */
  readonly declared: Kind
  readonly head: Buffer
  /** The whole file, its beginning included; to be read once. */
  readonly bytes: AsyncIterable<Buffer>
  /** How many bytes have come so far. */
  size(): number
}

/** Bytes that tell what a file is. */
export const headBytes = 256 * 1024

/** Reads the beginning of a file. Refuses the wrong field, an empty file, and one that is too large, as it comes. */
export async function begin(file: IncomingFile, { fields, types }: Intake): Promise<Arriving> {
  if (!fields.includes(file.field)) throw refusals.wrongField(fields[0])
  const declared = kindOf(file.type)
  if (!declared) throw refusals.unsupportedType(types.join(', '))
  const { maxBytes } = declared
  const source = file.bytes[Symbol.asyncIterator]()
  let size = 0
  const counted = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => {
    size += byteLength
    if (size > maxBytes) throw refusals.fileTooLarge(maxBytes)
    return Buffer.from(buffer, byteOffset, byteLength)
  }
  const parts: Buffer[] = []
  for (let next = await source.next(); !next.done; next = await source.next()) {
    parts.push(counted(next.value))
    if (size >= headBytes) break
  }
  const head = Buffer.concat(parts)
  for (const part of parts) file.release(part)
  if (head.length === 0) throw refusals.fileEmpty()
  async function* whole(): AsyncGenerator<Buffer> {
    yield head
    for (let next = await source.next(); !next.done; next = await source.next()) {
      const part = counted(next.value)
      yield part
      file.release(part)
    }
  }
  return { declared, head, bytes: whole(), size: () => size }
}
