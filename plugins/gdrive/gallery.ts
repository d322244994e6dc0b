import * as v from 'valibot'
import type { Logger } from '../../kernel/index.ts'
import type { OpenBlob } from '../blobs/port.ts'
import type { Media } from '../media/port.ts'
import type { Allows } from './allowance.ts'
import { toldOf, type Drive, type DriveFile } from './drive.ts'
import type { Found, Wish } from './listing.ts'
import { refusals } from './refusals.ts'
import type { Images, Imported } from './schemas.ts'
import { DriveId, toFolderId } from './settings.ts'

export interface GalleryContext {
  readonly drive: Drive
  readonly media: Media
  readonly allows: Allows
  readonly list: (wish: Wish) => Promise<Found>
  readonly copy: (fileId: string) => Promise<OpenBlob>
  readonly log: Logger
  readonly signal: AbortSignal
}

/** What is asked for a list. */
export interface ListWish {
  readonly q: string
  readonly limit: number
  readonly folderId?: string | undefined
  readonly refresh?: string | undefined
  /** The folder where none is named. */
  readonly usual: string | undefined
}

/** Images of Drive, as the routes and a publish see them. */
export interface Gallery {
  list(wish: ListWish): Promise<v.InferInput<typeof Images>>
  open(fileId: string): Promise<OpenBlob>
  /** The copy of an image, with what a page needs to show it. */
  bring(fileId: string): Promise<v.InferInput<typeof Imported>>
  /** The stored name of an image, which is fetched first where that is needed; `undefined` where it cannot be had. */
  storedName(fileId: string): Promise<string | undefined>
}

/** For one short question to Drive. */
const shortMs = 10_000

export function createGallery({ drive, media, allows, list, copy, log, signal }: GalleryContext): Gallery {
  const inTime = (): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(shortMs)])

  const find = async (wish: Wish): Promise<Found> => {
    const verdict = await allows([wish.folder], inTime()).catch((error: unknown) => {
      const reason = toldOf(error)
      if (reason === undefined) throw error
      log.warn({ err: error, folder: wish.folder }, 'could not find out whether a folder of Google Drive may be listed')
      return reason
    })
    if (verdict === false) throw refusals.folderNotAllowed()
    return verdict === true ? list(wish) : { images: [], reason: verdict }
  }

  const toImage = ({ id, name, mimeType, imageMediaMetadata: { width, height } }: DriveFile) =>
    ({ id, name, mimeType, thumbUrl: media.addressOf(`/gdrive/images/${id}`), alt: toAlt(name), ...(width && { width }), ...(height && { height }) })

  const open = async (id: string): Promise<OpenBlob> => {
    if (!v.is(DriveId, id)) throw refusals.invalidFileId()
    return copy(id)
  }

  return {
    async list({ q, limit, folderId = '', refresh, usual }) {
      const folder = folderId.trim() === '' ? usual : toFolderId(folderId)
      if (folder === undefined) throw folderId.trim() === '' ? refusals.withoutFolder() : refusals.invalidFolder()
      const { images, reason } = await find({ folder, q: q.slice(0, 200), isFresh: refresh === '1' })
      return { items: images.slice(0, limit).map(toImage), ...(reason !== undefined && { degraded: true, reason }) }
    },
    open,
    async bring(id) {
      const blob = await open(id)
      // A copy is of use without the name that its image has in Drive.
      const name = await drive.about(id, inTime()).then((about) => about.name, () => '')
      return { url: media.addressOf(`/generated-images/${blob.key}`), fileName: blob.key, bytes: blob.size, alt: toAlt(name), ...(await media.sizeOf(blob)) }
    },
    async storedName(id) {
      const picture = await open(id).catch((err: unknown) => void log.warn({ err, fileId: id }, 'an image of Google Drive is not published'))
      return picture?.key
    },
  }
}

/** A name without its extension, as words. */
const toAlt = (name: string): string => name.replace(/\.[a-z0-9]{1,5}$/i, '').replaceAll(/[_-]+/g, ' ').trim()
