import { createPace } from '../../kernel/index.ts'
import { createInspector } from './inspector.ts'
import { headBytes, kindOf, type Kind } from './intake.ts'
import { refusals } from './refusals.ts'

/** What the beginning of a file shows: its kind and, of an image, its size in pixels as it is displayed. */
export interface Identified {
  readonly kind: Kind
  readonly size: { readonly width: number; readonly height: number } | undefined
}

const maxSide = 16_384
const maxPixels = 40_000_000
/** Bytes that are inspected before other requests get their turn. */
const sliceBytes = 1024 * 1024
/** Any image type; its content decides which one. */
export const anyImage: Kind = { kind: 'image', type: '', extension: '', maxBytes: Infinity }

/**
 * Identifies a file that was sent as a given kind by its first bytes.
 *
 * Among images the content decides on the type. Refuses with 415 `content_mismatch` and 422 `image_dimensions`.
 */
export async function identify(head: Buffer, declared: Kind): Promise<Identified> {
  const type = await contentTypeOf(head)
  const kind = kindOf(type === 'image/apng' ? 'image/png' : (type ?? ''))
  if (kind?.kind !== declared.kind) throw refusals.contentMismatch()
  return { kind, size: kind.kind === 'image' ? await sizeOf(head) : undefined }
}

/** Verifies an image in memory, all of it. Refuses with 415 `content_mismatch`, 422 `image_dimensions` or `file_damaged`. */
export async function verifyImage(bytes: Buffer): Promise<Identified> {
  const identified = await identify(bytes.subarray(0, headBytes), anyImage)
  const [inspector, pace] = [createInspector(identified.kind), createPace()]
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    inspector.add(bytes.subarray(at, at + sliceBytes))
    await pace()
  }
  inspector.end()
  return identified
}

/**
 * The media type that the first bytes of a file show, in lower case and without parameters; `undefined` if they show none.
 *
 * Refuses with 503 `file_types_missing` if the package file-type is not installed.
 */
export async function contentTypeOf(head: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await importFileTypes()
  return (await fileTypeFromBuffer(head))?.mime.split(';', 1)[0]
}

/** Loaded with the first upload, which keeps startup fast. Inside `try`, bundlers let a missing package fail at run time. */
async function importFileTypes() {
  try {
    return await import('file-type')
  } catch {
    throw refusals.fileTypesMissing()
  }
}

async function sizeOf(head: Buffer): Promise<Identified['size']> {
  const { imageSize } = await import('image-size')
  // A copy, because the package reads past the end of a view of a shared buffer.
  const own = new Uint8Array(head)
  let size: ReturnType<typeof imageSize> | undefined
  try {
    size = imageSize(own)
  } catch {
    // Unreadable headers are refused below, like sizes out of range.
  }
  const { width, height, orientation = 1 } = size ?? { width: 0, height: 0 }
  const isWithin = Math.min(width, height) >= 1 && Math.max(width, height) <= maxSide && width * height <= maxPixels
  if (!isWithin) throw refusals.imageDimensions()
  // EXIF orientations from 5 on are rotated by 90 degrees.
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}
