import { contentTypeOf } from './content-type.ts'
import { kindOf, type Kind } from './kinds.ts'
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
