import { Refusal, type Logger, limitConcurrency } from '../../kernel/index.ts'
import type { OpenBlob } from '../blobs/port.ts'
import type { Media } from '../media/port.ts'
import type { Allows } from './folders.ts'
import { imageTypes, maxBytes, reasonOf, type Drive } from './drive.ts'
import { refusals } from './refusals.ts'

/** The maximum size of a copy in pixels. */
const box = { width: 1536, height: 1024 } as const
/** The maximum number of concurrent downloads, each held in memory. */
const concurrency = 2
const maxPending = 50
const types: ReadonlySet<string> = new Set(imageTypes)

/**
 * Creates the function that returns the stored copy of an image, downloaded on first use within `timeoutMs`
 * and never updated. Refuses with 404 `not_found`, 503 `gdrive_busy`, and like `Media.keepNamed`.
 */
export function createCopies({
  drive,
  media,
  allows,
  log,
  signal: stopped,
  timeoutMs,
}: {
  readonly drive: Drive
  readonly media: Media
  readonly allows: Allows
  readonly log: Logger
  readonly signal: AbortSignal
  readonly timeoutMs: number
}): (fileId: string) => Promise<OpenBlob> {
  const limited = limitConcurrency(concurrency)
  const making = new Map<string, Promise<void>>()

  const fetchImage = async (id: string): Promise<Buffer | undefined> => {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)])
    const { mimeType, trashed, size, parents } = await drive.about(id, signal)
    const isImage = types.has(mimeType) && !trashed && size <= maxBytes
    return isImage && (await allows(parents, signal)) ? drive.download(id, signal) : undefined
  }

  const make = async (id: string): Promise<void> => {
    const bytes = await fetchImage(id).catch((error: unknown) => {
      if (reasonOf(error) === undefined) throw error
      log.warn({ err: error, fileId: id }, 'Google Drive image could not be downloaded')
      return undefined
    })
    if (!bytes) throw refusals.notFound()
    await media.keepNamed(bytes, { name: nameOf(id), ...box }).catch((error: unknown) => {
      // A refusal of the file is not a problem of the request, which only named it.
      if (!(error instanceof Refusal) || error.status >= 500) throw error
      log.warn({ code: error.code, fileId: id }, 'Google Drive image was refused')
      throw refusals.notFound()
    })
  }

  return async (id) => {
    const known = await media.openNamed(nameOf(id))
    if (known) return known
    if (!making.has(id) && making.size >= maxPending) throw refusals.busy()
    const made = making.get(id) ?? limited(() => make(id)).finally(() => making.delete(id))
    making.set(id, made)
    await made
    const copy = await media.openNamed(nameOf(id))
    if (!copy) throw refusals.notFound()
    return copy
  }
}

/** Returns the name of a copy, without its extension. */
const nameOf = (id: string): string => `gdrive_${id}`
