import { typeOf, type Blobs } from '../blobs/port.ts'
import { sameAddress } from '../content/site-address.ts'
import { pictureTypes, type Picture } from '../models/port.ts'
import { anyImage, identify, verifyImage } from './identify.ts'
import { readHead, takeHead } from './intake.ts'
import type { Media } from './port.ts'
import { store, type Quota } from './store.ts'
import { refusals } from './refusals.ts'
import { conversions, loadSharp, maxPixels } from './sharp.ts'
import { factsOf, images, toUploadRefusal, type Uploads, type UploadsContext } from './uploads.ts'

/** Creates the image service for other plugins. */
export function createMedia({
  blobs,
  quota,
  addressOf,
  readPdf,
  library,
  uploads,
}: Omit<UploadsContext, 'clock' | 'counts' | 'perMinute' | 'trusted'> & {
  readonly uploads: Uploads
}): Media {
  const check = async (bytes: Uint8Array): Promise<Picture> => {
    const { kind } = await verifyImage(toBuffer(bytes))
    const type = pictureTypes.find((each) => each === kind.type)
    if (!type) throw refusals.contentMismatch()
    return { type, bytes }
  }

  /** Returns the key of a file by its address at this service. */
  const keyOf = (address: string): string | undefined => {
    const key = address.slice(address.lastIndexOf('/') + 1)
    const own = addressOf(`/generated-images/${key}`)
    if (typeOf(key) === undefined) return undefined
    const forms = [own, URL.parse(own, 'http://localhost')?.pathname ?? own]
    return forms.some((form) => sameAddress(form, address)) ? key : undefined
  }

  return {
    ...createNamedImages({ blobs, quota }),
    addressOf,
    passOn: uploads.passOn,
    check,
    async keep(bytes, { prefix, name, signal }) {
      const given = toBuffer(bytes)
      async function* unlessAborted(): AsyncGenerator<Buffer> {
        signal.throwIfAborted()
        yield given
      }
      const arriving = { declared: anyImage, head: given, bytes: unlessAborted(), size: () => given.length }
      const stored = await store(arriving, { ...images, prefix }, { blobs, quota })
      await library.add({ ...stored, name })
      return factsOf(stored, addressOf)
    },
    async receive(form) {
      const { taken: picture, fields } = await form
        .receive(async (file) => {
          const { bytes } = await readHead(file, images)
          // Copied, because the buffer of a chunk may be reused for the next one.
          return check(Buffer.concat(await Array.fromAsync(bytes, (part) => Buffer.from(part))))
        })
        .catch((error: unknown) => {
          throw toUploadRefusal(error, images)
        })
      if (!picture) throw refusals.fileRequired(images.fields[0])
      return { picture, fields }
    },
    owns: (address) => keyOf(address) !== undefined,
    async open(address) {
      const key = keyOf(address)
      return key === undefined ? undefined : blobs.open(key)
    },
    async remove({ key, size }) {
      if (await blobs.remove(key)) quota.free(size)
      await library.forget(key)
    },
    textOf: (pdf) =>
      readPdf({
        size: pdf.length,
        bytes: (async function* () {
          yield pdf
        })(),
      }),
  }
}

const extensions = ['webp', 'jpg', 'png', 'gif'] as const

/** Creates the part of the service that stores images under names chosen by plugins. */
function createNamedImages({
  blobs,
  quota,
}: {
  readonly blobs: Blobs
  readonly quota: Quota
}): Pick<Media, 'keepNamed' | 'openNamed' | 'sizeOf'> {
  return {
    async openNamed(name) {
      for (const extension of extensions) {
        const blob = await blobs.open(`${name}.${extension}`)
        if (blob) return blob
      }
      return undefined
    },
    async sizeOf(blob) {
      const source = blob.part(0, blob.size - 1)[Symbol.asyncIterator]()
      const head = await takeHead(source)
      await source.return?.()
      return (await identify(Buffer.concat(head), anyImage)).size
    },
    async keepNamed(bytes, { name, ...box }) {
      const original = toBuffer(bytes)
      const { kind } = await verifyImage(original)
      const sharp = await loadSharp()
      const { type, extension } = sharp ? { type: 'image/webp', extension: 'webp' } : kind
      const stored = sharp ? await toWebp(sharp, original, box) : original
      await quota.storing((add) => {
        add(stored.length)
        return blobs.put(stored, { type, extension, key: `${name}.${extension}` })
      })
    },
  }
}

/** Wraps the same memory in a Buffer. */
const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** Converts an image to WebP, upright and without metadata; to its first frame if all exceed the limit. */
async function toWebp(
  sharp: NonNullable<Awaited<ReturnType<typeof loadSharp>>>,
  bytes: Buffer,
  box: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  const write = (animated: boolean) =>
    sharp(bytes, { limitInputPixels: maxPixels, animated })
      .rotate()
      .resize({ ...box, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer()
  return conversions(() => write(true).catch(() => write(false))).catch(() => {
    throw refusals.fileDamaged()
  })
}
