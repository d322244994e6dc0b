import type { Clock } from '../../kernel/index.ts'
import { createWindows, shareHolder, type TrustedProxies } from '../auth/port.ts'
import { typeOf, type Blobs } from '../blobs/port.ts'
import { pictureTypes, type Picture } from '../llm/port.ts'
import { begin, headBytes } from './arriving.ts'
import { createInspector } from './inspector.ts'
import type { Kind } from './kinds.ts'
import { look } from './look.ts'
import type { Media } from './port.ts'
import { refusals } from './refusals.ts'
import type { Room } from './room.ts'
import { store } from './store.ts'
import { factsOf, images, inOwnWords } from './uploads.ts'

export interface MediaContext {
  readonly blobs: Blobs
  readonly room: Room
  readonly clock: Clock
  readonly addressOf: (path: `/${string}`) => string
  /** Pictures that one caller may have made or looked at in a minute; 0 is any number. */
  readonly perMinute: number
  readonly trusted: TrustedProxies | undefined
}

const minute = 60_000
const anyImage: Kind = { kind: 'image', type: '', extension: '', maxBytes: Infinity }

/** Makes what other plugins handle pictures with. */
export function createMedia({ blobs, room, clock, addressOf, perMinute, trusted }: MediaContext): Media {
  const windows = createWindows({ limit: perMinute === 0 ? Infinity : perMinute, length: minute })

  const check = async (bytes: Uint8Array, declared = anyImage): Promise<Picture> => {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const { kind } = await look(whole.subarray(0, headBytes), declared)
    const inspector = createInspector(kind)
    inspector.add(whole)
    inspector.end()
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
    check: (bytes) => check(bytes),
    async keep(bytes, { prefix, signal }) {
      const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
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
    countGeneration(call) {
      const wait = windows.count(shareHolder(call, trusted) ?? 'unknown', clock.now().getTime())
      if (wait > 0) throw refusals.rateLimited(Math.ceil(wait / 1000), { most: perMinute, of: 'pictures were made or looked at', variable: 'MEDIA_GENERATIONS_PER_MIN' })
    },
  }
}
