import { extname } from 'node:path'
import type { Call, IncomingFile, Upload } from '../../kernel/index.ts'
import { lacksSize } from './jpeg-header.ts'
import { refusals } from './refusals.ts'

/** A kind of file that may be uploaded. */
export interface Kind {
  readonly kind: 'image' | 'pdf' | 'text'
  readonly type: string
  /** Other media types that programs declare for it. */
  readonly others?: readonly string[]
  /** The extensions of its files, for programs that declare no type of their own. */
  readonly names?: readonly string[]
  /** The extension of stored names; text is not stored. */
  readonly extension: string
  readonly maxBytes: number
}

const mebibyte = 1024 * 1024
type Spelled = Pick<Kind, 'type' | 'others' | 'names'>
const image = (extension: string, spelled: Spelled): Kind => ({
  kind: 'image',
  extension,
  maxBytes: 10 * mebibyte,
  ...spelled,
})
const text = (spelled: Spelled): Kind => ({ kind: 'text', extension: '', maxBytes: mebibyte, ...spelled })

const jpegNames = ['jpg', 'jpeg', 'jfif', 'pjpeg', 'pjp']
const images = [
  image('png', { type: 'image/png', others: ['image/apng', 'image/x-png'], names: ['png', 'apng'] }),
  image('jpg', { type: 'image/jpeg', others: jpegNames.map((name) => `image/${name}`), names: jpegNames }),
  image('webp', { type: 'image/webp', names: ['webp'] }),
  image('gif', { type: 'image/gif', names: ['gif'] }),
]
const documents: readonly Kind[] = [
  { kind: 'pdf', type: 'application/pdf', extension: 'pdf', maxBytes: 25 * mebibyte, names: ['pdf'] },
  text({ type: 'text/plain', others: ['text/csv'], names: ['txt', 'csv'] }),
  text({ type: 'text/markdown', others: ['text/x-markdown'], names: ['md', 'markdown'] }),
]
const all = [...images, ...documents]

const kinds: ReadonlyMap<string, Kind> = new Map(
  all.flatMap((each) => [each.type, ...(each.others ?? [])].map((type) => [type, each])),
)
const byName: ReadonlyMap<string, Kind> = new Map(
  all.flatMap((each) => (each.names ?? []).map((name) => [name, each])),
)

export const imageTypes: readonly string[] = images.map(({ type }) => type)
export const attachmentTypes: readonly string[] = all.map(({ type }) => type)

/** Returns the kind of a media type; `undefined` if it is not accepted. */
export const kindOf = (type: string): Kind | undefined => kinds.get(type)

/** What programs declare of a file whose extension they do not know. */
export const undeclared = 'application/octet-stream'

/** Returns the kind that a client declares by the media type, or without one by the name. */
export const declaredKind = (type: string, fileName: string): Kind | undefined =>
  type === undeclared ? byName.get(extname(fileName).slice(1).toLowerCase()) : kindOf(type)

/** Returns all that clients may declare for files of these types. */
export const declarable = (types: readonly string[]): readonly string[] => [
  ...types,
  ...types.flatMap((type) => kindOf(type)?.others ?? []),
  undeclared,
]

/** Returns the largest size limit of these types, in bytes. */
export const largestOf = (types: readonly string[]): number =>
  Math.max(...types.map((type) => kindOf(type)?.maxBytes ?? 0))

/** The uploads that a route accepts. */
export interface Intake {
  readonly types: readonly string[]
  /** The form fields that may contain the file, the documented one first. */
  readonly fields: readonly [string, ...string[]]
  /** The prefix of stored names. */
  readonly prefix: string
}

/** An upload whose first bytes have arrived. */
export interface Arriving {
  /** The kind that the client declares. */
  readonly declared: Kind
  readonly head: Buffer
  /** The complete file, including its head; to be read once. */
  readonly bytes: AsyncIterable<Buffer>
  /** Returns the number of bytes that have arrived so far. */
  size(): number
}

/**
 * The number of bytes that identify a file; a JPEG needs more if its size is behind the depth of a photo.
 */
export const headBytes = mebibyte

/** Reads the parts of a file that identify it. */
export async function takeHead(source: AsyncIterator<Uint8Array>): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = []
  let [size, enough] = [0, headBytes]
  for (let next = await source.next(); !next.done; next = await source.next()) {
    parts.push(next.value)
    size += next.value.length
    if (size < enough) continue
    if (!lacksSize(Buffer.concat(parts))) break
    enough = 2 * size
  }
  return parts
}

/** Reads the first bytes of an upload. Refuses a wrong field, an empty file, and one that is too large. */
export async function readHead(file: IncomingFile, { fields, types }: Intake): Promise<Arriving> {
  if (!fields.includes(file.field)) throw refusals.wrongField(fields[0])
  const declared = declaredKind(file.type, file.fileName)
  if (!declared || !types.includes(declared.type)) throw refusals.unsupportedType(types.join(', '))
  const { maxBytes } = declared
  let size = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const { buffer, byteOffset, byteLength } of file.bytes) {
      size += byteLength
      if (size > maxBytes) throw refusals.fileTooLarge(maxBytes)
      yield Buffer.from(buffer, byteOffset, byteLength)
    }
  }
  const source = counted()
  const parts = await takeHead(source)
  const head = Buffer.concat(parts)
  for (const part of parts) file.release(part)
  if (head.length === 0) throw refusals.fileEmpty()
  async function* complete(): AsyncGenerator<Buffer> {
    yield head
    for await (const part of source) {
      yield part
      file.release(part)
    }
  }
  return { declared, head, bytes: complete(), size: () => size }
}

/** A request with an upload form. */
export type UploadCall = Pick<Call, 'caller' | 'remote' | 'header'> & { readonly body: Upload }
