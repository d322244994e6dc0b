import { pace } from '../../kernel/index.ts'
import { createInspector } from './inspector.ts'
import { headBytes, kindOf, type Kind } from './intake.ts'
import { jpegHeader } from './jpeg-header.ts'
import { refusals } from './refusals.ts'
import { maxPixels } from './sharp.ts'
import { isWholeJpeg } from './whole-jpeg.ts'

/** The kind of a file and, for an image, its displayed size in pixels. */
export interface Identified {
  readonly kind: Kind
  readonly size: { readonly width: number; readonly height: number } | undefined
}

const maxSide = 16_384
/** Bytes to inspect before yielding to other requests. */
const sliceBytes = 1024 * 1024
/** An image of any type; its content determines the type. */
export const anyImage: Kind = { kind: 'image', type: '', extension: '', maxBytes: Infinity }

/**
 * Identifies a file of a declared kind by its first bytes, which determine the type of an image.
 *
 * Refuses with 415 `content_mismatch` and 422 `image_dimensions`.
 */
export async function identify(head: Buffer, declared: Kind): Promise<Identified> {
  const first = await contentTypeOf(head)
  const type = first ?? (declared.kind === 'pdf' ? await contentTypeOf(withoutPreamble(head)) : undefined)
  const kind = kindOf(type ?? '')
  if (kind?.kind !== declared.kind) throw refusals.contentMismatch()
  return { kind, size: kind.kind === 'image' ? await sizeOf(head, kind.type) : undefined }
}

const maxPreamble = 1024
/** Drops what readers of PDFs pass over, unless it is markup or a script. */
function withoutPreamble(head: Buffer): Buffer {
  const start = head.toString('latin1', 0, maxPreamble)
  const length = Math.max(0, start.indexOf('%PDF-'))
  return /^#!|</.test(start.slice(0, length)) ? head : head.subarray(length)
}

/** Verifies an image. Refuses with 415 `content_mismatch`, 422 `image_dimensions` or `file_damaged`. */
export async function verifyImage(bytes: Buffer): Promise<Identified> {
  const identified = await identify(bytes, anyImage)
  const inspector = createInspector(identified.kind)
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    inspector.add(bytes.subarray(at, at + sliceBytes))
    await pace()
  }
  if (inspector.end().isOpen && !(await isWholeJpeg(bytes))) throw refusals.fileDamaged()
  return identified
}

/** Detects the media type from the first bytes, in lower case without parameters; `undefined` if unknown. */
export async function contentTypeOf(head: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(head))?.mime.split(';', 1)[0]
}

async function sizeOf(head: Buffer, type: string): Promise<Identified['size']> {
  const { imageSize } = await import('image-size')
  const header = type === 'image/jpeg' ? jpegHeader(head) : head.subarray(0, headBytes)
  // A copy, because the package reads past the end of a view of a shared buffer.
  const own = new Uint8Array(header ?? head.subarray(0, 0))
  let size: ReturnType<typeof imageSize> | undefined
  try {
    size = imageSize(own)
  } catch {
    // Unreadable headers are refused below, like sizes out of range.
  }
  const { width, height, orientation = 1 } = size ?? { width: 0, height: 0 }
  const isWithin =
    Math.min(width, height) >= 1 && Math.max(width, height) <= maxSide && width * height <= maxPixels
  if (!isWithin) throw refusals.imageDimensions()
  // EXIF orientations of 5 and higher are rotated by 90 degrees.
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}
