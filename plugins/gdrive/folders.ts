import { limitConcurrency, type Clock, type Logger } from '../../kernel/index.ts'
import { folderType, reasonOf, type Drive, type DriveFile } from './drive.ts'
import { DriveFailure } from './tokens.ts'

/** True if one of the folders is allowed, or below an allowed one. */
export type Allows = (folders: readonly string[], signal: AbortSignal) => Promise<boolean>

/** The maximum number of parent lookups; a folder that needs more counts as not allowed. */
const maxLookups = 20

/** Creates the check of allowed folders: a service account may have access to more than a site should see. */
export function createAllowance({
  drive,
  folders: allowed,
  clock,
}: {
  readonly drive: Drive
  /** Folders that are allowed with all their content; `undefined` allows everything public. */
  readonly folders: ReadonlySet<string> | undefined
  readonly clock: Clock
}): Allows {
  const cache = createCache<boolean>({ maxEntries: 1000, clock })

  /** Returns the parents of a folder; none for a folder that the account cannot see. */
  const parentsOf = async (folder: string, signal: AbortSignal): Promise<readonly string[]> => {
    try {
      return (await drive.about(folder, signal)).parents
    } catch (error) {
      if (error instanceof DriveFailure && error.status === 404) return []
      throw error
    }
  }

  return async (folders, signal) => {
    if (!allowed) return true
    const seen = new Set(folders)
    let lookups = 0
    let verdict = false
    // Iterating a set includes parents added during the iteration.
    for (const folder of seen) {
      verdict = allowed.has(folder) || cache.get(folder) === true
      if (verdict) break
      if (cache.get(folder) === false) continue
      if (++lookups > maxLookups) break
      for (const parent of await parentsOf(folder, signal)) seen.add(parent)
    }
    // With several parents, the verdict does not apply to each of them.
    const [only, ...others] = folders
    if (only !== undefined && others.length === 0) cache.set(only, verdict)
    return verdict
  }
}

/** The images in and below a folder. */
export interface Found {
  /** At most {@link maxImages} images. */
  readonly images: readonly DriveFile[]
  /** The reason why the list may be incomplete; `undefined` if it is complete. */
  readonly reason: string | undefined
}

export interface FolderQuery {
  readonly folder: string
  /** Parts of names, case-insensitive, of which an image must have at least one. */
  readonly words: readonly string[]
  /** Bypasses the cache. */
  readonly isFresh: boolean
}

/** The maximum limit of a request. */
export const maxImages = 50
/** The maximum depth of folders below the first one. */
const maxDepth = 3
/** The maximum number of files and folders that one listing examines. */
const maxFiles = 2000
/** The maximum number of concurrent requests of all listings. */
const concurrency = 4

/** Creates the function that lists images in and below a folder, nearest first, cached for five minutes. */
export function createListing({
  drive,
  clock,
  log,
  signal: stopped,
  timeoutMs,
}: {
  readonly drive: Drive
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
  /** The time limit of one listing. */
  readonly timeoutMs: number
}): (query: FolderQuery) => Promise<Found> {
  const cache = createCache<Found>({ maxEntries: 100, clock })
  const running = new Map<string, Promise<Found>>()
  const limited = limitConcurrency(concurrency)

  const walk = async (root: string, words: readonly string[]): Promise<Found> => {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)])
    const images: DriveFile[] = []
    let examined = 0
    let reason: string | undefined

    /** Reads the matching images and the folders in one folder. */
    const readFolder = async (folder: string) => {
      const [own, folders]: [DriveFile[], string[]] = [[], []]
      const isEnough = (): boolean => own.length >= maxImages || examined >= maxFiles || reason !== undefined
      let page: string | undefined
      do {
        const part = await limited(() => drive.list(folder, page, signal))
        examined += part.files.length
        for (const file of part.files) {
          if (file.mimeType === folderType) folders.push(file.id)
          else if (words.some((word) => file.name.toLowerCase().includes(word))) own.push(file)
        }
        page = part.next
      } while (page !== undefined && !isEnough())
      return { own, folders }
    }
    const readOrSkip = (folder: string) =>
      readFolder(folder).catch((error: unknown) => {
        const why = reasonOf(error)
        if (why === undefined) throw error
        if (reason === undefined) log.warn({ err: error, folder }, 'Google Drive folder could not be listed')
        reason ??= why
        return { own: [], folders: [] }
      })

    const seen = new Set([root])
    let level: readonly string[] = [root]
    for (let depth = 0; depth <= maxDepth && level.length > 0 && images.length < maxImages; depth++) {
      const parts = await Promise.all(level.map(readOrSkip))
      images.push(...parts.flatMap(({ own }) => own))
      level = parts
        .flatMap(({ folders }) => folders)
        .filter((folder) => !seen.has(folder) && seen.add(folder))
      if (examined >= maxFiles && images.length < maxImages)
        reason ??= `Only the first ${maxFiles} files were examined. Choose a folder further down.`
      if (reason !== undefined) break
    }
    return { images: images.slice(0, maxImages), reason }
  }

  return async ({ folder, words, isFresh }) => {
    const wanted = words.map((word) => word.toLowerCase())
    const key = JSON.stringify([folder, ...wanted])
    const cached = isFresh ? undefined : cache.get(key)
    if (cached) return cached
    const walking = running.get(key) ?? walk(folder, wanted).finally(() => running.delete(key))
    running.set(key, walking)
    const found = await walking
    if (found.reason === undefined) cache.set(key, found)
    return found
  }
}

/** Caches the newest values for five minutes. Not `lru-cache`, a package of 3 MB for these few lines. */
function createCache<T>({ maxEntries, clock }: { readonly maxEntries: number; readonly clock: Clock }) {
  const known = new Map<string, { readonly value: T; readonly until: number }>()
  return {
    get(key: string): T | undefined {
      const found = known.get(key)
      return found && found.until > clock.now().getTime() ? found.value : undefined
    },
    set(key: string, value: T): void {
      known.delete(key)
      known.set(key, { value, until: clock.now().getTime() + 5 * 60_000 })
      for (const [oldest] of known) {
        if (known.size <= maxEntries) break
        known.delete(oldest)
      }
    },
  }
}
