import { typeOf, type Blobs } from '../blobs/port.ts'
import { pictureTypes, type Picture } from '../llm/port.ts'
import { begin, headBytes } from './arriving.ts'
import { anyImage, judge, toBuffer } from './judge.ts'
import { createNamedPictures } from './named-pictures.ts'
import type { ReadPdf } from './pdf-text.ts'
import type { Media } from './port.ts'
import { refusals } from './refusals.ts'
import type { Room } from './room.ts'
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
