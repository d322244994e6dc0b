import { Refusal, type Logger } from '../../kernel/index.ts'
import { createLimiter } from '../auth/port.ts'
import type { OpenBlob } from '../blobs/port.ts'
import type { Media } from '../media/port.ts'
import type { Allows } from './folders.ts'
import { imageTypes, mostBytes, reasonOf, type Drive } from './drive.ts'
import { refusals } from './refusals.ts'

export interface CopiesContext {
  readonly drive: Drive
  readonly media: Media
  readonly allows: Allows
  readonly log: Logger
  readonly signal: AbortSignal
  /** For everything that one copy takes from Drive. */
  readonly timeoutMs: number
}

/** Pixels that a copy fits into. */
const box = { width: 1536, height: 1024 } as const
/** Images that are fetched at the same time: each is whole in memory. */
const atOnce = 2
const mostWaiting = 50
const types: ReadonlySet<string> = new Set(imageTypes)

/**
 * Makes the function that gives the stored copy of an image, fetched when it is first asked for. The copy stays as it is, whatever becomes of
 * the image. Refuses with 404 `not_found`, 503 `gdrive_busy`, and what storing refuses with.
 */
export function createCopies({ drive, media, allows, log, signal: stopped, timeoutMs }: CopiesContext): (fileId: string) => Promise<OpenBlob> {
  const limited = createLimiter(atOnce)
  const making = new Map<string, Promise<void>>()

  const fetchImage = async (id: string): Promise<Buffer | undefined> => {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)])
    const { mimeType, trashed, size, parents } = await drive.about(id, signal)
    const isImage = types.has(mimeType) && !trashed && size <= mostBytes
    return isImage && (await allows(parents, signal)) ? drive.download(id, signal) : undefined
  }

  const make = async (id: string): Promise<void> => {
    const bytes = await fetchImage(id).catch((error: unknown) => {
      if (reasonOf(error) === undefined) throw error
      log.warn({ err: error, fileId: id }, 'an image could not be fetched from Google Drive')
      return undefined
    })
    if (!bytes) throw refusals.notFound()
    await media.keepNamed(bytes, { name: nameOf(id), ...box }).catch((error: unknown) => {
      // The caller sent no file that could be wrong.
      if (!(error instanceof Refusal) || error.status >= 500) throw error
      log.warn({ code: error.code, fileId: id }, 'an image of Google Drive cannot be kept')
      throw refusals.notFound()
    })
  }

  return async (id) => {
    const known = await media.openNamed(nameOf(id))
    if (known) return known
    if (!making.has(id) && making.size >= mostWaiting) throw refusals.busy()
    const made = making.get(id) ?? limited(() => make(id)).finally(() => making.delete(id))
    making.set(id, made)
    await made
    const copy = await media.openNamed(nameOf(id))
    if (!copy) throw refusals.notFound()
    return copy
  }
}

/** The name of a copy, without its extension. */
const nameOf = (id: string): string => `gdrive_${id}`
