import { readRange, type Answer, type Logger } from '../../kernel/index.ts'
import type { Blobs, OpenBlob } from '../blobs/port.ts'
import { conversions, decoding, loadSharp } from './sharp.ts'
import type { Quota } from './store.ts'
import type { routes } from './routes.ts'

/** Reads a header about bytes. */
type ByteHeaders = (name: 'range' | 'if-range' | 'if-none-match') => string | undefined

/** Answers with a stored file or a requested range. Browsers save a PDF instead of showing it. */
export function toFileAnswer(blob: OpenBlob, header: ByteHeaders): Answer<typeof routes.file> {
  const { key, type, size, changed } = blob
  const etag = `"${size.toString(36)}-${Math.floor(changed).toString(36)}"`
  const headers = {
    'content-type': type,
    etag,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': 'sandbox',
    'cross-origin-resource-policy': 'cross-origin',
    'accept-ranges': 'bytes',
    vary: 'Origin, Accept',
    ...(type === 'application/pdf' && { 'content-disposition': `attachment; filename="${key}"` }),
  }
  const isWanted = header('if-none-match') === undefined && [undefined, etag].includes(header('if-range'))
  const part = isWanted ? readRange(header('range'), size) : undefined
  if (!part) return { status: 200, headers: { ...headers, 'content-length': String(size) }, body: blob.bytes }
  const { start, end } = part
  const ofPart = {
    'content-length': String(end + 1 - start),
    'content-range': `bytes ${start}-${end}/${size}`,
  }
  return { status: 206, headers: { ...headers, ...ofPart }, body: blob.part(start, end) }
}

/** The widths of generated images in pixels; a requested width is rounded up. */
const widths = [320, 640, 960, 1280, 1920, 2560]
const maxNameLength = 160
/** The maximum number of queued images; further requests get the original. */
const maxWaiting = 20

const own: Readonly<Record<string, 'jpeg' | 'png' | 'webp'>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
}
const extensions = { webp: 'webp', jpeg: 'jpg', png: 'png' } as const

/** True for a PNG with an animation, which is announced before the image data. */
function isAnimatedPng(bytes: Buffer): boolean {
  const announced = bytes.indexOf('acTL')
  return bytes.indexOf('\x89PNG', 0, 'latin1') === 0 && announced !== -1 && announced < bytes.indexOf('IDAT')
}

/** A resized image. */
interface Resized {
  readonly key: string
  readonly width: number
  readonly format: keyof typeof extensions
}

/** Creates the image resizer: one at a time, each once. Returns originals without the package sharp. */
export function createSizes(context: {
  readonly blobs: Blobs
  readonly quota: Quota
  readonly log: Logger
  readonly load?: typeof loadSharp
}) {
  const { blobs, quota, log, load = loadSharp } = context
  const making = new Map<string, Promise<boolean>>()

  const make = async (original: OpenBlob, made: Resized): Promise<boolean> => {
    const { key, width, format } = made
    const sharp = await load()
    if (!sharp) return false
    // Read by `part`, because the original is served where this fails, and `bytes` can be read once.
    const source = Buffer.concat(await Array.fromAsync(original.part(0, original.size - 1)))
    // The package reads one frame of such a file.
    if (isAnimatedPng(source)) return false
    const bytes = await sharp(source, { ...decoding, animated: true })
      .rotate()
      .resize({ width, withoutEnlargement: true })
      .toFormat(format)
      .toBuffer()
    await quota.storing((add) => {
      add(bytes.length)
      return blobs.put(bytes, { type: `image/${format}`, extension: extensions[format], key })
    })
    return true
  }

  return {
    /**
     * Returns the image in a width without metadata and with all its frames, as WebP if accepted, else the
     * original. AVIF takes many times the CPU and memory.
     */
    async of(
      original: OpenBlob,
      { width: least, accept }: { readonly width: number; readonly accept: string },
    ): Promise<OpenBlob> {
      const format = accept.includes('image/webp') && own[original.type] ? 'webp' : own[original.type]
      const width = widths.find((each) => each >= least) ?? Math.max(...widths)
      const key = `${original.key.slice(0, original.key.lastIndexOf('.'))}_w${width}.${format && extensions[format]}`
      if (!format || key.length > maxNameLength) return original
      const stored = await blobs.open(key)
      if (stored) return stored
      if (!making.has(key) && making.size >= maxWaiting) return original
      const made =
        making.get(key) ??
        conversions(() => make(original, { key, width, format })).finally(() => making.delete(key))
      making.set(key, made)
      const isMade = await made.catch((err: unknown) => {
        log.warn({ err, key }, 'image could not be resized')
        return false
      })
      return (isMade ? await blobs.open(key) : undefined) ?? original
    },
  }
}

/** Reads a stored file into memory; `undefined` if it is larger than `maxBytes`. */
export const readUpTo = async (
  { size, bytes }: OpenBlob,
  maxBytes: number,
): Promise<Uint8Array | undefined> =>
  size <= maxBytes ? Buffer.concat(await Array.fromAsync(bytes)) : undefined
