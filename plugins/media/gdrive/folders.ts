import { limitConcurrency } from '../../../kernel/index.ts'
import { unlessFailed } from '../port.ts'
import { type Drive, type DriveFile, folderType } from './drive.ts'

/** The maximum number of parent lookups; a folder that needs more counts as outside. */
const maxLookups = 20

/** True if one of the folders is in `allowed`, or below such a folder, as far as the account can see. */
export async function isBelow(
  drive: Drive,
  allowed: ReadonlySet<string>,
  folders: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const seen = new Set(folders)
  let lookups = 0
  // Iterating a set includes parents added during the iteration.
  for (const folder of seen) {
    if (allowed.has(folder)) return true
    if (++lookups > maxLookups) return false
    for (const parent of await drive.parents(folder, signal)) seen.add(parent)
  }
  return false
}

/** The images in and below a folder. */
export interface Listing {
  /** At most {@link maxImages} images. */
  readonly images: readonly DriveFile[]
  /** The reason why the list may be incomplete, and its cause; `undefined` if it is complete. */
  readonly reason?: string | undefined
  readonly cause?: unknown
}

/** The maximum limit of a request. */
export const maxImages = 50
/** The maximum depth of folders below the first one. */
const maxDepth = 3
/** The maximum number of files and folders that one listing examines. */
const maxFiles = 2000
/** The maximum number of concurrent requests of all listings. */
const limited = limitConcurrency(4)

/** Lists images in and below a folder whose names contain one of the words, nearest folders first. */
export async function listBelow(
  drive: Drive,
  root: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<Listing> {
  let examined = 0
  let failure: { readonly reason: string; readonly cause?: unknown } | undefined

  /** Reads the matching images and the folders in one folder. */
  const readFolder = async (folder: string) => {
    const [images, folders]: [DriveFile[], string[]] = [[], []]
    const isEnough = (): boolean =>
      images.length >= maxImages || examined >= maxFiles || failure !== undefined
    let page: string | undefined
    do {
      const part = await limited(() => drive.list(folder, page, signal))
      examined += part.files.length
      for (const file of part.files) {
        if (file.mimeType === folderType) folders.push(file.id)
        else if (words.some((word) => file.name.toLowerCase().includes(word))) images.push(file)
      }
      page = part.next
    } while (page !== undefined && !isEnough())
    return { images, folders }
  }

  const images: DriveFile[] = []
  const seen = new Set([root])
  let level: readonly string[] = [root]
  for (let depth = 0; depth <= maxDepth && level.length > 0 && images.length < maxImages; depth++) {
    const parts = await Promise.all(
      level.map((folder) =>
        unlessFailed(readFolder(folder), (reason, cause) => {
          failure ??= { reason, cause }
          return { images: [], folders: [] }
        }),
      ),
    )
    images.push(...parts.flatMap((part) => part.images))
    level = parts.flatMap(({ folders }) => folders).filter((folder) => !seen.has(folder) && seen.add(folder))
    if (examined >= maxFiles && images.length < maxImages)
      failure ??= { reason: `Only the first ${maxFiles} files were examined. Choose a folder further down.` }
    if (failure) break
  }
  return { images: images.slice(0, maxImages), ...failure }
}
