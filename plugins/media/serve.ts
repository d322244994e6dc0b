import { readRange, type Answer, type Logger } from '../../kernel/index.ts'
import { createLimiter } from '../auth/port.ts'
import type { Blobs, OpenBlob } from '../blobs/port.ts'
import type { Room } from './room.ts'
import type { routes } from './routes.ts'

/** What a request says about the bytes that it wants. */
export type Asked = (name: 'range' | 'if-range' | 'if-none-match') => string | undefined

/** Makes the answer with a stored file, or the part of it that is asked for. A browser saves a PDF instead of showing it. */
export function toFileAnswer(blob: OpenBlob, header: Asked): Answer<typeof routes.file> {
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
  const ofPart = { 'content-length': String(end + 1 - start), 'content-range': `bytes ${start}-${end}/${size}` }
  return { status: 206, headers: { ...headers, ...ofPart }, body: blob.part(start, end) }
}

/** Widths in pixels that images are made in; one in between is rounded up. */
const widths = [320, 640, 960, 1280, 1920, 2560]
const longestName = 160
/** Images that wait to be made; requests beyond them get the original. */
const mostWaiting = 20

/** What a page asks for. */
export interface Wanted {
  readonly width: number
  /** The header `Accept`. */
  readonly accept: string
}

export interface Sizes {
  /** The image in a width, as AVIF or WebP where the caller accepts it, without metadata; the original where that cannot be made. */
  of(original: OpenBlob, wanted: Wanted): Promise<OpenBlob>
}

const newer = ['avif', 'webp'] as const
const own: Readonly<Record<string, 'jpeg' | 'png' | 'webp'>> = { 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/webp': 'webp' }
const extensions = { avif: 'avif', webp: 'webp', jpeg: 'jpg', png: 'png' } as const

/** Makes the maker of sizes, which makes one at a time and each once. Without the package sharp every image stays as it is. */
export function createSizes({ blobs, room, log, load = loadSharp }: {
  readonly blobs: Blobs
  readonly room: Room
  readonly log: Logger
  readonly load?: typeof loadSharp
}): Sizes {
  const limited = createLimiter(1)
  const making = new Map<string, Promise<boolean>>()

  const make = async (original: OpenBlob, { key, width, format }: { readonly key: string; readonly width: number; readonly format: keyof typeof extensions }): Promise<boolean> => {
    const sharp = await load()
    if (!sharp) return false
    const source = Buffer.concat(await Array.fromAsync(original.bytes))
    const bytes = await sharp(source, { limitInputPixels: 40_000_000 }).rotate().resize({ width, withoutEnlargement: true }).toFormat(format).toBuffer()
    const share = await room.open()
    share.add(bytes.length)
    await blobs.put(bytes, { type: `image/${format}`, extension: extensions[format], key })
    return true
  }

  return {
    async of(original, { width: least, accept }) {
      const format = own[original.type] && (newer.find((each) => accept.includes(`image/${each}`)) ?? own[original.type])
      const width = widths.find((each) => each >= least) ?? Math.max(...widths)
      const key = `${original.key.slice(0, original.key.lastIndexOf('.'))}_w${width}.${format && extensions[format]}`
      if (!format || key.length > longestName) return original
      const known = await blobs.open(key)
      if (known) return known
      if (!making.has(key) && making.size >= mostWaiting) return original
      const made = making.get(key) ?? limited(() => make(original, { key, width, format })).finally(() => making.delete(key))
      making.set(key, made)
      const isMade = await made.catch((err: unknown) => {
        log.warn({ err, key }, 'an image could not be made smaller')
        return false
      })
      return (isMade ? await blobs.open(key) : undefined) ?? original
    },
  }
}

/** The package is optional; a start does not wait for it. Bundlers let an import in a `try` fail when it is run. */
export async function loadSharp() {
  try {
    return (await import('sharp')).default
  } catch {
    return undefined
  }
}
