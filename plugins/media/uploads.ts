import { Refusal, type Clock, type IncomingFile, type Received } from '../../kernel/index.ts'
import { createWindows, shareHolder, type TrustedProxies } from '../auth/port.ts'
import type { Blobs } from '../blobs/port.ts'
import { attachmentTypes, begin, imageTypes, largestOf, type Arriving, type Intake } from './intake.ts'
import type { Media, UploadCall } from './port.ts'
import { refusals } from './refusals.ts'
import type { Room } from './room.ts'
import type { UploadedAttachment, UploadedImage } from './schemas.ts'
import { store, type Stored } from './store.ts'
import { readText, type PdfText, type ReadPdf } from './text.ts'

export interface Uploads {
  image(call: UploadCall): Promise<UploadedImage>
  attachment(call: UploadCall): Promise<UploadedAttachment>
  readonly passOn: Media['passOn']
}

export interface UploadsContext {
  readonly blobs: Blobs
  readonly room: Room
  readonly clock: Clock
  readonly addressOf: (path: `/${string}`) => string
  readonly readPdf: ReadPdf
  /** Uploads of one caller in a minute; 0 is any number. */
  readonly perMinute: number
  readonly trusted: TrustedProxies | undefined
}

const minute = 60_000
export const images: Intake = { types: imageTypes, fields: ['image'], prefix: 'upload' }
const passedOn: Intake = { ...images, prefix: 'cms' }
const attachments: Intake = { types: attachmentTypes, fields: ['file', 'attachment', 'document', 'image'], prefix: 'att' }

/** Makes the receiver of uploads. */
export function createUploads({ clock, addressOf, readPdf, perMinute, trusted, ...places }: UploadsContext): Uploads {
  const windows = createWindows({ limit: perMinute === 0 ? Infinity : perMinute, length: minute })

  const receive = async <T>(call: UploadCall, intake: Intake, take: (arriving: Arriving, file: IncomingFile) => Promise<T>): Promise<{ readonly value: T; readonly fields: Received<T>['fields'] }> => {
    // Callers of whom nothing is known have one share together.
    const wait = windows.count(shareHolder(call, trusted) ?? 'unknown', clock.now().getTime())
    if (wait > 0) throw refusals.rateLimited(Math.ceil(wait / 1000), { most: perMinute, of: 'uploads came', variable: 'MEDIA_UPLOADS_PER_MIN' })
    const { taken, fields } = await call.body
      .receive(async (file) => ({ value: await take(await begin(file, intake), file) }))
      .catch((error: unknown) => {
        throw inOwnWords(error, intake)
      })
    if (!taken) throw refusals.fileRequired(intake.fields[0])
    return { value: taken.value, fields }
  }

  /** The text of a stored PDF, as far as it can be had: the file is stored, whatever becomes of that. */
  const textOf = async (key: string): Promise<PdfText | undefined> => {
    const file = await places.blobs.open(key).catch(() => undefined)
    return file && readPdf(file)
  }

  return {
    image: async (call) => (await receive(call, images, async (arriving) => factsOf(await store(arriving, images, places), addressOf))).value,
    async attachment(call) {
      const { value, fields } = await receive(call, attachments, async (arriving, file): Promise<UploadedAttachment> => {
        const { kind, type: mimeType } = arriving.declared
        const originalName = toOriginalName(file.fileName)
        if (kind === 'text') {
          const excerpt = await readText(arriving.bytes)
          return { kind, mimeType, fileName: originalName, originalName, bytes: arriving.size(), ...excerpt }
        }
        const stored = await store(arriving, attachments, places)
        return { ...factsOf(stored, addressOf), kind, originalName, ...(stored.warnings.length > 0 && { warnings: stored.warnings }) }
      })
      const isReadable = value.kind === 'pdf' && fields['extractText'] !== '0' && !value.warnings?.includes('encrypted')
      return { ...value, ...(isReadable && (await textOf(value.fileName))) }
    },
    async passOn(call, take) {
      const { value } = await receive(call, passedOn, async (arriving, file) => {
        const { key, kind, bytes: size, size: pixels } = await store(arriving, passedOn, places)
        try {
          const blob = await places.blobs.open(key)
          if (!blob) throw refusals.notFound()
          return await take({ name: toOriginalName(file.fileName), type: kind.type, size, ...pixels, bytes: () => blob.part(0, size - 1) })
        } finally {
          // Where it stays, the image has been passed on all the same.
          if (await places.blobs.remove(key).catch(() => false)) places.room.free(size)
        }
      })
      return value
    },
  }
}

/** The facts of a stored image. */
export const factsOf = ({ kind, key, bytes, sha256, size }: Stored, addressOf: (path: `/${string}`) => string): UploadedImage => ({ url: addressOf(`/generated-images/${key}`), bytes, mimeType: kind.type, fileName: key, sha256, ...size })

/** What the kernel refuses of a form, as the routes for files say it. */
export function inOwnWords(error: unknown, { types }: Intake): unknown {
  if (!(error instanceof Refusal)) return error
  if (error.code === 'body_too_large') return refusals.fileTooLarge(largestOf(types))
  return error.code === 'unsupported_media_type' ? refusals.unsupportedType(types.join(', ')) : error
}

const longest = 120

/** The name that a client gave a file, fit to be shown: without control characters and at most 120 characters long. */
export function toOriginalName(name: string): string {
  return [...name.toWellFormed().replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')].slice(0, longest).join('')
}
