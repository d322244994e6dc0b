import { createPace } from '../../kernel/index.ts'
import type { Blobs } from '../blobs/port.ts'
import { createInspector } from './inspector.ts'
import type { Kind } from './kinds.ts'
import { look } from './look.ts'
import type { NamedPictures } from './port.ts'
import { refusals } from './refusals.ts'
import type { Room } from './room.ts'
import { loadSharp } from './sharp.ts'

export interface NamedPicturesContext {
  readonly blobs: Blobs
  readonly room: Room
  readonly addressOf: NamedPictures['addressOf']
}

/** Bytes that tell what a picture is. */
const headBytes = 256 * 1024
/** Bytes that are looked at before other requests get their turn. */
const pieceBytes = 1024 * 1024
const extensions = ['webp', 'jpg', 'png', 'gif'] as const
/** The content decides which image it is. */
const webp = { kind: 'image', type: 'image/webp', extension: 'webp', maxBytes: Infinity } as const

/** Makes what keeps the pictures of other plugins. */
export function createNamedPictures({ blobs, room, addressOf }: NamedPicturesContext): NamedPictures {
  const inspect = async (bytes: Buffer, kind: Kind): Promise<void> => {
    const [inspector, pace] = [createInspector(kind), createPace()]
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      inspector.add(bytes.subarray(at, at + pieceBytes))
      await pace()
    }
    inspector.end()
  }

  return {
    addressOf,
    async open(name) {
      for (const extension of extensions) {
        const blob = await blobs.open(`${name}.${extension}`)
        if (blob) return blob
      }
      return undefined
    },
    async sizeOf(blob) {
      const head = await Array.fromAsync(blob.part(0, Math.min(blob.size, headBytes) - 1))
      return (await look(Buffer.concat(head), webp)).size
    },
    async keep(bytes, { name, width, height }) {
      const { kind } = await look(bytes.subarray(0, headBytes), webp)
      await inspect(bytes, kind)
      const sharp = await loadSharp()
      const { type, extension } = sharp ? webp : kind
      const kept = sharp ? await toWebp(sharp, bytes, { width, height }) : bytes
      const share = await room.open()
      share.add(kept.length)
      try {
        await blobs.put(kept, { type, extension, key: `${name}.${extension}` })
      } catch (error) {
        share.drop()
        throw error
      }
    },
  }
}

type Sharp = NonNullable<Awaited<ReturnType<typeof loadSharp>>>

/** Upright as it is shown, and without metadata. */
async function toWebp(sharp: Sharp, bytes: Buffer, box: { readonly width: number; readonly height: number }): Promise<Buffer> {
  const picture = sharp(bytes, { limitInputPixels: 40_000_000 }).rotate().resize({ ...box, fit: 'inside', withoutEnlargement: true }).webp({ quality: 80 })
  return picture.toBuffer().catch(() => {
    throw refusals.fileDamaged()
  })
}
