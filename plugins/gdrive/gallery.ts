import * as v from 'valibot'
import type { Clock, Logger } from '../../kernel/index.ts'
import type { OpenBlob } from '../blobs/port.ts'
import type { Media } from '../media/port.ts'
import { createAllowance, type Allows, type FolderQuery, type Found } from './folders.ts'
import { reasonOf, type Drive, type DriveFile } from './drive.ts'
import { refusals } from './refusals.ts'
import type { Images, Imported } from './schemas.ts'
import { DriveId, toFolderId } from './settings.ts'

interface ListRequest {
  /** Parts of names, of which an image must have at least one. */
  readonly words: readonly string[]
  readonly limit: number
  readonly folderId?: string | undefined
  readonly refresh?: string | undefined
  /** The folder to list if `folderId` is absent. */
  readonly defaultFolder: string | undefined
}

/** Images of Drive, for routes, tools and publishes. */
export interface Gallery {
  list(request: ListRequest): Promise<v.InferInput<typeof Images>>
  open(fileId: string): Promise<OpenBlob>
  /** Imports an image and its metadata for a page. With `folderId`, it must be in or below that folder. */
  bring(fileId: string, folderId?: string): Promise<v.InferInput<typeof Imported>>
  /** Returns the stored name of an image, and downloads it if needed; `undefined` on failure. */
  storedName(fileId: string): Promise<string | undefined>
}

/** The time limit of one metadata request. */
const metadataMs = 10_000

export function createGallery({
  drive,
  media,
  allows,
  list,
  copy,
  clock,
  log,
  signal,
}: {
  readonly drive: Drive
  readonly media: Media
  readonly allows: Allows
  readonly list: (query: FolderQuery) => Promise<Found>
  readonly copy: (fileId: string) => Promise<OpenBlob>
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}): Gallery {
  const inTime = (): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(metadataMs)])

  /** Returns the answer of Drive, or the reason why there is none. */
  const verdictOn = async (folder: string, asked: Promise<boolean>): Promise<boolean | string> => {
    try {
      return await asked
    } catch (err) {
      const reason = reasonOf(err)
      if (reason === undefined) throw err
      log.warn({ err, folder }, 'permissions of a Google Drive folder could not be checked')
      return reason
    }
  }

  /** Refuses a folder that is not allowed with 403; returns the reason if this is unknown. */
  const reasonAgainst = async (folder: string): Promise<string | undefined> => {
    const verdict = await verdictOn(folder, allows([folder], inTime()))
    if (verdict === false) throw refusals.folderNotAllowed()
    return verdict === true ? undefined : verdict
  }

  const find = async (query: FolderQuery): Promise<Found> => {
    const reason = await reasonAgainst(query.folder)
    return reason === undefined ? list(query) : { images: [], reason }
  }

  const isIn = async (folder: string, id: string): Promise<boolean> => {
    if (!v.is(DriveId, id)) throw refusals.invalidFileId()
    const within = createAllowance({ drive, clock, folders: new Set([folder]) })
    const asked = async (): Promise<boolean> => within((await drive.about(id, inTime())).parents, inTime())
    return (await reasonAgainst(folder)) === undefined && (await verdictOn(folder, asked())) === true
  }

  const toImage = ({ id, name, mimeType, imageMediaMetadata: { width, height } }: DriveFile) => ({
    id,
    name,
    mimeType,
    thumbUrl: media.addressOf(`/gdrive/images/${id}`),
    alt: toAlt(name),
    ...(width && { width }),
    ...(height && { height }),
  })

  const open = async (id: string): Promise<OpenBlob> => {
    if (!v.is(DriveId, id)) throw refusals.invalidFileId()
    return copy(id)
  }

  return {
    async list({ words, limit, folderId, refresh, defaultFolder }) {
      const folder = folderNamed(folderId) ?? defaultFolder
      if (folder === undefined) throw refusals.noFolder()
      const { images, reason } = await find({
        folder,
        words: words.map((word) => word.slice(0, 200)),
        isFresh: refresh === '1',
      })
      return {
        items: images.slice(0, limit).map(toImage),
        ...(reason !== undefined && { degraded: true, reason }),
      }
    },
    open,
    async bring(id, folderId) {
      const folder = folderNamed(folderId)
      if (folder !== undefined && !(await isIn(folder, id))) throw refusals.notFound()
      const blob = await open(id)
      // A copy is useful without the name of the image in Drive.
      const name = await drive.about(id, inTime()).then(
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
    },
    async storedName(id) {
      const picture = await open(id).catch(
        (err: unknown) => void log.warn({ err, fileId: id }, 'Google Drive image cannot be used'),
      )
      return picture?.key
    },
  }
}

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
