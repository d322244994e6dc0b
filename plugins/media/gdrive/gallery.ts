import * as v from 'valibot'
import { type Clock, limitConcurrency, LRUCache, Refusal, type Logger } from '../../../kernel/index.ts'
import type { OpenBlob } from '../../blobs/port.ts'
import { type Media, unlessFailed } from '../port.ts'
import { type Drive, type DriveFile, imageTypes, maxBytes } from './drive.ts'
import { isBelow, listBelow, type Listing } from './folders.ts'
import { refusals } from './refusals.ts'
import type { Imported } from './schemas.ts'
import { DriveId, toFolderId } from './settings.ts'

interface ListRequest {
  /** Parts of names, case-insensitive, of which an image must have at least one. */
  readonly words: readonly string[]
  readonly limit: number
  readonly siteId: string
  /** The id or address of a folder; by default the folder of the site. */
  readonly folderId?: string | undefined
  /** `1` bypasses the cache. */
  readonly refresh?: string | undefined
}

interface GalleryParts {
  readonly drive: Drive
  readonly media: Media
  /** Folders that are allowed with all their content; `undefined` allows everything public. */
  readonly allowed: ReadonlySet<string> | undefined
  readonly folderOf: (siteId: string) => string | undefined
  readonly clock: Clock
  readonly log: Logger
  /** Aborts when the service stops. */
  readonly signal: AbortSignal
  /** The time limit of one listing, and of one copy. */
  readonly listingMs: number
  readonly copyMs: number
}

/** The time limit of one metadata request. */
const metadataMs = 10_000
const cachedMs = 5 * 60_000
/** The maximum size of a copy in pixels. */
const box = { width: 1536, height: 1024 } as const
const maxPending = 50

export type Gallery = ReturnType<typeof createGallery>

/** Creates the gallery: images of Drive and their stored copies, for routes, tools and publishes. */
export function createGallery(parts: GalleryParts) {
  const { drive, media, allowed, folderOf, clock, log, listingMs, copyMs } = parts
  const perf = { now: () => clock.now().getTime() }
  const listings = new LRUCache<string, Listing>({ max: 100, ttl: cachedMs, ttlResolution: 0, perf })

  const within = (timeoutMs: number): AbortSignal =>
    AbortSignal.any([parts.signal, AbortSignal.timeout(timeoutMs)])

  /** True if folders are allowed: a service account may have access to more than a site should see. */
  const allows = async (folders: readonly string[], signal: AbortSignal): Promise<boolean> =>
    !allowed || isBelow(drive, allowed, folders, signal)

  /** Refuses a folder that is not allowed with 403. */
  async function check(folder: string): Promise<void> {
    if (!(await allows([folder], within(metadataMs)))) throw refusals.folderNotAllowed()
  }

  /** True if an image is in or below a folder; false if this is unknown. */
  async function isIn(folder: string, id: string): Promise<boolean> {
    const signal = within(metadataMs)
    const find = async (): Promise<boolean> => {
      await check(folder)
      return isBelow(drive, new Set([folder]), await drive.parents(id, signal), signal)
    }
    return unlessFailed(find(), (_, err) => {
      log.warn({ err, folder, fileId: id }, 'Google Drive folder of an image could not be checked')
      return false
    })
  }

  const open = createCopies({ drive, media, log, allows, deadline: () => within(copyMs) })

  return {
    open,
    /** Lists images in and below a folder. Refuses with 400, 403 and 404; a failure is the `reason`. */
    async list({ words, limit, siteId, folderId, refresh }: ListRequest) {
      const folder = folderNamed(folderId) ?? folderOf(siteId)
      if (folder === undefined) throw refusals.noFolder()
      const wanted = words.map((word) => word.slice(0, 200).toLowerCase())
      const key = JSON.stringify([folder, ...wanted])
      const read = async (): Promise<Listing> => {
        await check(folder)
        const cached = refresh === '1' ? undefined : listings.get(key)
        if (cached) return cached
        const listing = await listBelow(drive, folder, wanted, within(listingMs))
        if (listing.reason === undefined) listings.set(key, listing)
        return listing
      }
      const failed = (reason: string, cause: unknown): Listing => ({ images: [], reason, cause })
      const { images, reason, cause } = await unlessFailed(read(), failed)
      if (cause) log.warn({ err: cause, folder }, 'Google Drive folder could not be listed')
      return {
        items: images.slice(0, limit).map((image) => toImage(image, media)),
        ...(reason !== undefined && { degraded: true as const, reason }),
      }
    },
    /** Imports an image and its metadata for a page. With `folderId`, it must be in or below that folder. */
    async bring(id: string, folderId?: string): Promise<v.InferInput<typeof Imported>> {
      const folder = folderNamed(folderId)
      if (!v.is(DriveId, id)) throw refusals.invalidFileId()
      if (folder !== undefined && !(await isIn(folder, id))) throw refusals.notFound()
      const blob = await open(id)
      // A copy is useful without the name of the image in Drive.
      const name = await drive.metadata(id, within(metadataMs)).then(
        (file) => file.name,
        () => '',
      )
      return {
        url: media.addressOf(`/generated-images/${blob.key}`),
        fileName: blob.key,
        bytes: blob.size,
        alt: toAlt(name),
        ...(await media.sizeOf(blob)),
      }
    },
    /** Returns the stored name of an image, and downloads it if needed; `undefined` on failure. */
    async storedName(id: string): Promise<string | undefined> {
      const picture = await open(id).catch(
        (err: unknown) => void log.warn({ err, fileId: id }, 'Google Drive image cannot be used'),
      )
      return picture?.key
    },
  }
}

/** What copies of images need. */
interface CopyParts extends Pick<GalleryParts, 'drive' | 'media' | 'log'> {
  /** True if folders are allowed. */
  readonly allows: (folders: readonly string[], signal: AbortSignal) => Promise<boolean>
  /** Begins the time of one download. */
  readonly deadline: () => AbortSignal
}

/**
 * Creates what opens the stored copy of an image, downloaded on first use and never updated. It refuses with 400
 * `invalid_file_id`, 404 `not_found`, 503 `gdrive_busy`, and like `Media.keepNamed`.
 */
function createCopies({ drive, media, log, allows, deadline }: CopyParts): (id: string) => Promise<OpenBlob> {
  const copying = new Map<string, Promise<void>>()
  /** Limits concurrent downloads, each held in memory. */
  const limited = limitConcurrency(2)

  async function copy(id: string): Promise<void> {
    const bytes = await unlessFailed(
      download(id),
      (_, err) => void log.warn({ err, fileId: id }, 'Google Drive image could not be downloaded'),
    )
    if (!bytes) throw refusals.notFound()
    await media.keepNamed(bytes, { name: copyName(id), ...box }).catch((error: unknown) => {
      // A refusal of the file is not a problem of the request, which only named it.
      if (!(error instanceof Refusal) || error.status >= 500) throw error
      log.warn({ code: error.code, fileId: id }, 'Google Drive image was refused')
      throw refusals.notFound()
    })
  }

  async function download(id: string): Promise<Uint8Array | undefined> {
    const signal = deadline()
    const { mimeType, trashed, size, parents } = await drive.metadata(id, signal)
    const isImage = imageTypes.includes(mimeType) && !trashed && size <= maxBytes
    return isImage && (await allows(parents, signal)) ? drive.download(id, signal) : undefined
  }

  return async (id) => {
    if (!v.is(DriveId, id)) throw refusals.invalidFileId()
    const existing = await media.openNamed(copyName(id))
    if (existing) return existing
    if (!copying.has(id) && copying.size >= maxPending) throw refusals.busy()
    const copied = copying.get(id) ?? limited(() => copy(id)).finally(() => copying.delete(id))
    copying.set(id, copied)
    await copied
    const stored = await media.openNamed(copyName(id))
    if (!stored) throw refusals.notFound()
    return stored
  }
}

const toImage = (
  { id, name, mimeType, imageMediaMetadata: { width, height } }: DriveFile,
  { addressOf }: Media,
) => ({
  id,
  name,
  mimeType,
  thumbUrl: addressOf(`/gdrive/images/${id}`),
  alt: toAlt(name),
  ...(width && { width }),
  ...(height && { height }),
})

/** Returns the name of a copy, without its extension. */
const copyName = (id: string): string => `gdrive_${id}`

/** Returns the folder id of a request, if there is one. Refuses with 400 `invalid_folder`. */
function folderNamed(text = ''): string | undefined {
  const id = toFolderId(text)
  if (id === undefined && text.trim() !== '') throw refusals.invalidFolder()
  return id
}

/** Converts a name to words, without its extension. */
const toAlt = (name: string): string =>
  name
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
