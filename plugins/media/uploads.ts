import { Refusal, type Clock, type IncomingFile, type Received } from '../../kernel/index.ts'
import { createSharedWindows, shareHolder, type TrustedProxies } from '../auth/port.ts'
import type { Blobs } from '../blobs/port.ts'
import type { Store } from '../store/port.ts'
import type { Library } from './library.ts'
import type { Media } from './port.ts'
import {
  type Arriving,
  attachmentTypes,
  imageTypes,
  type Intake,
  largestOf,
  readHead,
  type UploadCall,
} from './intake.ts'
import { store, type Quota, type Stored } from './store.ts'
import { refusals } from './refusals.ts'
import type { UploadedAttachment, UploadedImage } from './schemas.ts'
import { readText, type PdfText, type ReadPdf } from './text.ts'

export interface UploadsContext {
  readonly blobs: Blobs
  readonly quota: Quota
  readonly library: Library
  readonly clock: Clock
  /** Where the uploads of each caller are counted. */
  readonly counts: Store
  readonly addressOf: (path: `/${string}`) => string
  readonly readPdf: ReadPdf
  /** The maximum number of uploads per caller and minute; 0 means unlimited. */
  readonly perMinute: number
  readonly trusted: TrustedProxies | undefined
}

const minute = 60_000
export const images: Intake = { types: imageTypes, fields: ['image'], prefix: 'upload' }
const passedOn: Intake = { ...images, prefix: 'cms' }
const attachments: Intake = {
  types: attachmentTypes,
  fields: ['file', 'attachment', 'document', 'image'],
  prefix: 'att',
}

/** Creates the receiver of uploads. */
export function createUploads({
  clock,
  counts,
  addressOf,
  readPdf,
  perMinute,
  trusted,
  library,
  ...storage
}: UploadsContext) {
  const limit = perMinute === 0 ? Infinity : perMinute
  const waitOf = createSharedWindows({ store: counts, clock, counted: 'uploads', limit, length: minute })

  const receive = async <T>(
    call: UploadCall,
    intake: Intake,
    take: (arriving: Arriving, file: IncomingFile) => Promise<T>,
  ): Promise<{ readonly value: T; readonly fields: Received<T>['fields'] }> => {
    // Unidentified callers share one limit.
    const wait = await waitOf(shareHolder(call, trusted) ?? 'unknown')
    if (wait > 0) throw refusals.rateLimited(Math.ceil(wait / 1000), perMinute)
    const { taken, fields } = await call.body
      .receive(async (file) => ({ value: await take(await readHead(file, intake), file) }))
      .catch((error: unknown) => {
        throw toUploadRefusal(error, intake)
      })
    if (!taken) throw refusals.fileRequired(intake.fields[0])
    return { value: taken.value, fields }
  }

  /** Returns the text of a stored PDF, if readable; a failure here does not undo the upload. */
  const textOf = async (key: string): Promise<PdfText | undefined> => {
    const file = await storage.blobs.open(key).catch(() => undefined)
    return file && readPdf(file)
  }

  const passOn: Media['passOn'] = async (call, take) => {
    let stored: Stored | undefined
    try {
      const { value, fields } = await receive(call, passedOn, async (arriving, { fileName }) => {
        stored = await store(arriving, passedOn, storage)
        return { ...stored, name: toOriginalName(fileName) }
      })
      const { key, kind, bytes: size, size: pixels, name } = value
      const blob = await storage.blobs.open(key)
      if (!blob) throw refusals.notFound()
      const bytes = () => blob.part(0, size - 1)
      return await take({ name, type: kind.type, size, ...pixels, bytes }, fields)
    } finally {
      // A leftover file must not fail the request: the image has been passed on.
      if (stored && (await storage.blobs.remove(stored.key).catch(() => false)))
        storage.quota.free(stored.bytes)
    }
  }

  return {
    image: async (call: UploadCall): Promise<UploadedImage> =>
      (
        await receive(call, images, async (arriving, file) => {
          const stored = await store(arriving, images, storage)
          await library.add(entryOf(stored, file, call))
          return factsOf(stored, addressOf)
        })
      ).value,
    async attachment(call: UploadCall): Promise<UploadedAttachment> {
      const { value, fields } = await receive(
        call,
        attachments,
        async (arriving, file): Promise<UploadedAttachment> => {
          const { kind, type: mimeType } = arriving.declared
          const originalName = toOriginalName(file.fileName)
          if (kind === 'text') {
            const excerpt = await readText(arriving.bytes)
            const fileName = originalName
            return { kind, mimeType, fileName, originalName, bytes: arriving.size(), ...excerpt }
          }
          const stored = await store(arriving, attachments, storage)
          await library.add(entryOf(stored, file, call))
          return {
            ...factsOf(stored, addressOf),
            kind,
            originalName,
            ...(stored.warnings.length > 0 && { warnings: stored.warnings }),
          }
        },
      )
      return {
        ...value,
        ...(fields['extractText'] !== '0' && isReadable(value) && (await textOf(value.fileName))),
      }
    },
    passOn,
  }
}

/** The entry of an upload in the library. */
const entryOf = ({ key, bytes, size }: Stored, { fileName }: IncomingFile, { caller }: UploadCall) => ({
  key,
  bytes,
  size,
  name: toOriginalName(fileName).trim() || undefined,
  site: caller.limits?.site,
})

const isReadable = ({ kind, warnings }: UploadedAttachment): boolean =>
  kind === 'pdf' && !warnings?.includes('encrypted')

export type Uploads = ReturnType<typeof createUploads>

/** The facts of a stored image. */
export const factsOf = (
  { kind, key, bytes, sha256, size }: Stored,
  addressOf: (path: `/${string}`) => string,
): UploadedImage => ({
  url: addressOf(`/generated-images/${key}`),
  bytes,
  mimeType: kind.type,
  fileName: key,
  sha256,
  ...size,
})

/** Converts a refusal of the kernel's form parser to one of the upload routes. */
export function toUploadRefusal(error: unknown, { types }: Intake): unknown {
  if (!(error instanceof Refusal)) return error
  if (error.code === 'body_too_large') return refusals.fileTooLarge(largestOf(types))
  return error.code === 'unsupported_media_type' ? refusals.unsupportedType(types.join(', ')) : error
}

/** Makes a client's file name safe to display: no control characters, and at most 120 characters. */
function toOriginalName(name: string): string {
  return [...name.toWellFormed().replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')].slice(0, 120).join('')
}
