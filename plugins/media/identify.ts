import { createPace } from '../../kernel/index.ts'
import { createInspector } from './inspector.ts'
import { headBytes, kindOf, type Kind } from './intake.ts'
import { refusals } from './refusals.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

/** What the beginning of a file tells. */
export interface Look {
  readonly kind: Kind
  /** Of an image, in pixels, as it is shown. */
  readonly size: Size | undefined
}

const longestSide = 16_384
const mostPixels = 40_000_000

/**
 * Looks at the beginning of a file that was sent as of a kind.
 *
 * Among images the content decides which one it is. Refuses with 415 `content_mismatch` and 422 `image_dimensions`.
 */
export async function look(head: Buffer, declared: Kind): Promise<Look> {
  const type = await contentTypeOf(head)
  const kind = kindOf(type === 'image/apng' ? 'image/png' : (type ?? ''))
  if (kind?.kind !== declared.kind) throw refusals.contentMismatch()
  return { kind, size: kind.kind === 'image' ? await sizeOf(head) : undefined }
}

async function sizeOf(head: Buffer): Promise<Size> {
  const { imageSize } = await import('image-size')
  // A copy: of a part of a shared buffer the package reads what lies behind it.
  const own = new Uint8Array(head)
  const { width, height, orientation = 1 } = attempt(() => imageSize(own)) ?? { width: 0, height: 0 }
  const isWithin = Math.min(width, height) >= 1 && Math.max(width, height) <= longestSide && width * height <= mostPixels
  if (!isWithin) throw refusals.imageDimensions()
  // From 5 on the picture is shown turned by a quarter.
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/**
 * The media type that the beginning of a file shows, in lower case and without parameters; `undefined` where it shows none.
 *
 * Refuses with 503 `file_types_missing` where the package file-type is not installed.
 */
export async function contentTypeOf(head: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await importFileTypes()
  return (await fileTypeFromBuffer(head))?.mime.split(';', 1)[0]
}

/** Imported with the first upload: a start should not wait for it. Bundlers let an import in a `try` fail when it is run. */
async function importFileTypes() {
  try {
    return await import('file-type')
  } catch {
    throw refusals.fileTypesMissing()
  }
}

/** Bytes that are looked at before other requests get their turn. */
const pieceBytes = 1024 * 1024
/** The content decides which image it is. */
export const anyImage: Kind = { kind: 'image', type: '', extension: '', maxBytes: Infinity }

/** Judges a picture that is in memory as a whole. Refuses with 415 `content_mismatch`, 422 `image_dimensions` or `file_damaged`. */
export async function judge(bytes: Buffer, declared = anyImage): Promise<Look> {
  const seen = await look(bytes.subarray(0, headBytes), declared)
  const [inspector, pace] = [createInspector(seen.kind), createPace()]
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    inspector.add(bytes.subarray(at, at + pieceBytes))
    await pace()
  }
  inspector.end()
  return seen
}

/** The same memory as a Buffer. */
export const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)
