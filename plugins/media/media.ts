import { typeOf, type Blobs } from '../blobs/port.ts'
import { pictureTypes, type Picture } from '../llm/port.ts'
import { anyImage, judge, look, toBuffer } from './identify.ts'
import { begin, headBytes } from './intake.ts'
import type { ReadPdf } from './text.ts'
import type { Media } from './port.ts'
import { refusals } from './refusals.ts'
import type { Room } from './room.ts'
import { loadSharp } from './serve.ts'
import { store } from './store.ts'
import { factsOf, images, inOwnWords, type Uploads } from './uploads.ts'

export interface MediaContext {
  readonly blobs: Blobs
  readonly room: Room
  readonly addressOf: (path: `/${string}`) => string
  readonly uploads: Uploads
  readonly readPdf: ReadPdf
}

/** Makes the service by which other plugins handle pictures. */
export function createMedia({ blobs, room, addressOf, uploads, readPdf }: MediaContext): Media {
  const check = async (bytes: Uint8Array, declared = anyImage): Promise<Picture> => {
    const { kind } = await judge(toBuffer(bytes), declared)
    const type = pictureTypes.find((each) => each === kind.type)
    if (!type) throw refusals.contentMismatch()
    return { type, bytes }
  }

  /** The name of the file that an address of this service is for. */
  const ownKey = (address: string): string | undefined => {
    const key = address.slice(address.lastIndexOf('/') + 1)
    const own = addressOf(`/generated-images/${key}`)
    return typeOf(key) !== undefined && [own, URL.parse(own, 'http://localhost')?.pathname].includes(address) ? key : undefined
  }

  return {
    ...createNamedPictures({ blobs, room }),
    addressOf,
    passOn: uploads.passOn,
    check: (bytes) => check(bytes),
    async keep(bytes, { prefix, signal }) {
      const whole = toBuffer(bytes)
      async function* unlessAborted(): AsyncGenerator<Buffer> {
        signal.throwIfAborted()
        yield whole
      }
      const arriving = { declared: anyImage, head: whole.subarray(0, headBytes), bytes: unlessAborted(), size: () => whole.length }
      return factsOf(await store(arriving, { ...images, prefix }, { blobs, room }), addressOf)
    },
    async receive(form) {
      const { taken: picture, fields } = await form
        .receive(async (file) => {
          const { declared, bytes } = await begin(file, images)
          // What a part holds may be used for the next one.
          const parts = await Array.fromAsync(bytes, (part) => Buffer.from(part))
          return check(Buffer.concat(parts), declared)
        })
        .catch((error: unknown) => {
          throw inOwnWords(error, images)
        })
      if (!picture) throw refusals.fileRequired(images.fields[0])
      return { picture, fields }
    },
    owns: (address) => ownKey(address) !== undefined,
    async open(address) {
      const key = ownKey(address)
      return key === undefined ? undefined : blobs.open(key)
    },
    textOf: (pdf) => readPdf({ size: pdf.length, bytes: wholeOf(pdf) }),
  }
}

async function* wholeOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

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
