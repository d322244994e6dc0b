import type { Blobs } from '../blobs/port.ts'
import { headBytes } from './arriving.ts'
import { anyImage, judge, toBuffer } from './judge.ts'
import { look } from './look.ts'
import type { Media } from './port.ts'
import { refusals } from './refusals.ts'
import type { Room } from './room.ts'
import { loadSharp } from './sharp.ts'

const extensions = ['webp', 'jpg', 'png', 'gif'] as const
const webp = { type: 'image/webp', extension: 'webp' } as const

/** Makes the part of the service that stores pictures under names that plugins choose. */
export function createNamedPictures({ blobs, room }: { readonly blobs: Blobs; readonly room: Room }): Pick<Media, 'keepNamed' | 'openNamed' | 'sizeOf'> {
  return {
    async openNamed(name) {
      for (const extension of extensions) {
        const blob = await blobs.open(`${name}.${extension}`)
        if (blob) return blob
      }
      return undefined
    },
    async sizeOf(blob) {
      const head = await Array.fromAsync(blob.part(0, Math.min(blob.size, headBytes) - 1))
      return (await look(Buffer.concat(head), anyImage)).size
    },
    async keepNamed(bytes, { name, ...box }) {
      const whole = toBuffer(bytes)
      const { kind } = await judge(whole)
      const sharp = await loadSharp()
      const { type, extension } = sharp ? webp : kind
      const kept = sharp ? await toWebp(sharp, whole, box) : whole
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
