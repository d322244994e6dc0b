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
  readonly folderId?: string | undefined
  /** `1` bypasses the cache. */
  readonly refresh?: string | undefined
  /** The folder to list if `folderId` is absent. */
  readonly defaultFolder: string | undefined
}

interface GalleryParts {
  readonly drive: Drive
  readonly media: Media
  /** Folders that are allowed with all their content; `undefined` allows everything public. */
  readonly allowed: ReadonlySet<string> | undefined
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

/** Images of Drive and their stored copies, for routes, tools and publishes. */
export class Gallery {
  readonly #parts: GalleryParts
  readonly #listings: LRUCache<string, Listing>
  readonly #copying = new Map<string, Promise<void>>()
  /** Limits concurrent downloads, each held in memory. */
  readonly #limited = limitConcurrency(2)

  constructor(parts: GalleryParts) {
    this.#parts = parts
    const perf = { now: () => parts.clock.now().getTime() }
    this.#listings = new LRUCache({ max: 100, ttl: cachedMs, ttlResolution: 0, perf })
  }

  /** Lists images in and below a folder. Refuses with 400, 403 and 404; a failure of Drive is the `reason`. */
  async list({ words, limit, folderId, refresh, defaultFolder }: ListRequest) {
    const { drive, listingMs, log } = this.#parts
    const folder = folderNamed(folderId) ?? defaultFolder
    if (folder === undefined) throw refusals.noFolder()
    const wanted = words.map((word) => word.slice(0, 200).toLowerCase())
    const key = JSON.stringify([folder, ...wanted])
    const read = async (): Promise<Listing> => {
      await this.#check(folder)
      const cached = refresh === '1' ? undefined : this.#listings.get(key)
      if (cached) return cached
      const listing = await listBelow(drive, folder, wanted, this.#within(listingMs))
      if (listing.reason === undefined) this.#listings.set(key, listing)
      return listing
    }
    const failed = (reason: string, cause: unknown): Listing => ({ images: [], reason, cause })
    const { images, reason, cause } = await unlessFailed(read(), failed)
    if (cause) log.warn({ err: cause, folder }, 'Google Drive folder could not be listed')
    return {
      items: images.slice(0, limit).map((image) => this.#toImage(image)),
      ...(reason !== undefined && { degraded: true as const, reason }),
    }
  }

  /**
   * Opens the stored copy of an image, downloaded on first use and never updated. Refuses with 400
   * `invalid_file_id`, 404 `not_found`, 503 `gdrive_busy`, and like `Media.keepNamed`.
   */
  async open(id: string): Promise<OpenBlob> {
    if (!v.is(DriveId, id)) throw refusals.invalidFileId()
    const { media } = this.#parts
    const known = await media.openNamed(nameOf(id))
    if (known) return known
    if (!this.#copying.has(id) && this.#copying.size >= maxPending) throw refusals.busy()
    const copying =
      this.#copying.get(id) ?? this.#limited(() => this.#copy(id)).finally(() => this.#copying.delete(id))
    this.#copying.set(id, copying)
    await copying
    const copy = await media.openNamed(nameOf(id))
    if (!copy) throw refusals.notFound()
    return copy
  }

  /** Imports an image and its metadata for a page. With `folderId`, it must be in or below that folder. */
  async bring(id: string, folderId?: string): Promise<v.InferInput<typeof Imported>> {
    const { drive, media } = this.#parts
    const folder = folderNamed(folderId)
    if (!v.is(DriveId, id)) throw refusals.invalidFileId()
    if (folder !== undefined && !(await this.#isIn(folder, id))) throw refusals.notFound()
    const blob = await this.open(id)
    // A copy is useful without the name of the image in Drive.
    const name = await drive.about(id, this.#within(metadataMs)).then(
      (about) => about.name,
      () => '',
    )
    return {
      url: media.addressOf(`/generated-images/${blob.key}`),
      fileName: blob.key,
      bytes: blob.size,
      alt: toAlt(name),
      ...(await media.sizeOf(blob)),
    }
  }

  /** Returns the stored name of an image, and downloads it if needed; `undefined` on failure. */
  async storedName(id: string): Promise<string | undefined> {
    const { log } = this.#parts
    const picture = await this.open(id).catch(
      (err: unknown) => void log.warn({ err, fileId: id }, 'Google Drive image cannot be used'),
    )
    return picture?.key
  }

  #within(timeoutMs: number): AbortSignal {
    return AbortSignal.any([this.#parts.signal, AbortSignal.timeout(timeoutMs)])
  }

  /** True if folders are allowed: a service account may have access to more than a site should see. */
  async #allows(folders: readonly string[], signal: AbortSignal): Promise<boolean> {
    const { drive, allowed } = this.#parts
    return !allowed || isBelow(drive, allowed, folders, signal)
  }

  /** Refuses a folder that is not allowed with 403. */
  async #check(folder: string): Promise<void> {
    if (!(await this.#allows([folder], this.#within(metadataMs)))) throw refusals.folderNotAllowed()
  }

  /** True if an image is in or below a folder; false if this is unknown. */
  async #isIn(folder: string, id: string): Promise<boolean> {
    const { drive, log } = this.#parts
    const signal = this.#within(metadataMs)
    const find = async (): Promise<boolean> => {
      await this.#check(folder)
      return isBelow(drive, new Set([folder]), await drive.parents(id, signal), signal)
    }
    return unlessFailed(find(), (_, err) => {
      log.warn({ err, folder, fileId: id }, 'Google Drive folder of an image could not be checked')
      return false
    })
  }

  async #copy(id: string): Promise<void> {
    const { media, log } = this.#parts
    const bytes = await unlessFailed(
      this.#download(id),
      (_, err) => void log.warn({ err, fileId: id }, 'Google Drive image could not be downloaded'),
    )
    if (!bytes) throw refusals.notFound()
    await media.keepNamed(bytes, { name: nameOf(id), ...box }).catch((error: unknown) => {
      // A refusal of the file is not a problem of the request, which only named it.
      if (!(error instanceof Refusal) || error.status >= 500) throw error
      log.warn({ code: error.code, fileId: id }, 'Google Drive image was refused')
      throw refusals.notFound()
    })
  }

  async #download(id: string): Promise<Uint8Array | undefined> {
    const { drive, copyMs } = this.#parts
    const signal = this.#within(copyMs)
    const { mimeType, trashed, size, parents } = await drive.about(id, signal)
    const isImage = imageTypes.includes(mimeType) && !trashed && size <= maxBytes
    return isImage && (await this.#allows(parents, signal)) ? drive.download(id, signal) : undefined
  }

  #toImage({ id, name, mimeType, imageMediaMetadata: { width, height } }: DriveFile) {
    return {
      id,
      name,
      mimeType,
      thumbUrl: this.#parts.media.addressOf(`/gdrive/images/${id}`),
      alt: toAlt(name),
      ...(width && { width }),
      ...(height && { height }),
    }
  }
}

/** Returns the name of a copy, without its extension. */
const nameOf = (id: string): string => `gdrive_${id}`

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
