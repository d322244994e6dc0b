import type { Clock, Logger } from '../../kernel/index.ts'
import { createLimiter } from '../auth/port.ts'
import { folderType, reasonOf, type Drive, type DriveFile } from './drive.ts'
import { DriveFailure } from './failure.ts'
import { createKept } from './kept.ts'

export interface AllowanceContext {
  readonly drive: Drive
  /** Folders that may be listed with all that is in them; `undefined` allows whatever is public. */
  readonly folders: ReadonlySet<string> | undefined
  readonly clock: Clock
}

/** Says whether one of some folders is an allowed one, or is in one. */
export type Allows = (folders: readonly string[], signal: AbortSignal) => Promise<boolean>

/** How many folders are looked up, from a folder upwards, before it counts as not allowed. */
const mostLookups = 20

/** Makes the judge of which folders a service account may show: more are shared with it than a site should see. */
export function createAllowance({ drive, folders: allowed, clock }: AllowanceContext): Allows {
  const known = createKept<boolean>({ most: 1000, clock })

  /** The folders above; none of one that the account does not know. */
  const above = async (folder: string, signal: AbortSignal): Promise<readonly string[]> => {
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
    // What is found on the way is looked at as well: a set gives what is added while it is read.
    for (const folder of seen) {
      verdict = allowed.has(folder) || known.get(folder) === true
      if (verdict) break
      if (known.get(folder) === false) continue
      if (++lookups > mostLookups) break
      for (const parent of await above(folder, signal)) seen.add(parent)
    }
    // Of several parents one alone may be allowed.
    const [only, ...others] = folders
    if (only !== undefined && others.length === 0) known.set(only, verdict)
    return verdict
  }
}

/** What was found in a folder and below it. */
export interface Found {
  /** At most {@link mostImages}. */
  readonly images: readonly DriveFile[]
  /** Why there may be more; `undefined` where these are all that were asked for. */
  readonly reason: string | undefined
}

export interface ListingContext {
  readonly drive: Drive
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
  /** For everything that one listing asks. */
  readonly timeoutMs: number
}

export interface FolderQuery {
  readonly folder: string
  /** Parts of names, in any case; an image has at least one of them. */
  readonly words: readonly string[]
  /** Asks Drive, whatever is known. */
  readonly isFresh: boolean
}

/** No request asks for more. */
export const mostImages = 50
/** Levels of folders below the first one. */
const deepest = 3
/** Files and folders that one listing looks at. */
const mostFiles = 2000
const mostKept = 100
/** Folders that are read at the same time, for all listings together. */
const atOnce = 4

/** Makes the function that lists the images of folders, nearest level first. What is complete is known for five minutes. */
export function createListing({ drive, clock, log, signal: stopped, timeoutMs }: ListingContext): (query: FolderQuery) => Promise<Found> {
  const known = createKept<Found>({ most: mostKept, clock })
  const under = new Map<string, Promise<Found>>()
  const limited = createLimiter(atOnce)

  const walk = async (root: string, words: readonly string[]): Promise<Found> => {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)])
    const images: DriveFile[] = []
    let looked = 0
    let reason: string | undefined

    /** The images and folders in one folder, as far as they are wanted. */
    const readFolder = async (folder: string) => {
      const [own, folders]: [DriveFile[], string[]] = [[], []]
      const isEnough = (): boolean => own.length >= mostImages || looked >= mostFiles || reason !== undefined
      let page: string | undefined
      do {
        const part = await limited(() => drive.list(folder, page, signal))
        looked += part.files.length
        for (const file of part.files) {
          if (file.mimeType === folderType) folders.push(file.id)
          else if (words.some((word) => file.name.toLowerCase().includes(word))) own.push(file)
        }
        page = part.next
      } while (page !== undefined && !isEnough())
      return { own, folders }
    }
    const readOrSkip = (folder: string) => readFolder(folder).catch((error: unknown) => {
      const why = reasonOf(error)
      if (why === undefined) throw error
      if (reason === undefined) log.warn({ err: error, folder }, 'Google Drive could not be listed')
      reason ??= why
      return { own: [], folders: [] }
    })

    const seen = new Set([root])
    let level: readonly string[] = [root]
    for (let depth = 0; depth <= deepest && level.length > 0 && images.length < mostImages; depth++) {
      const parts = await Promise.all(level.map(readOrSkip))
      images.push(...parts.flatMap(({ own }) => own))
      level = parts.flatMap(({ folders }) => folders).filter((folder) => !seen.has(folder) && seen.add(folder))
      if (looked >= mostFiles && images.length < mostImages) reason ??= `Only the first ${mostFiles} files were looked at. Choose a folder further down.`
      if (reason !== undefined) break
    }
    return { images: images.slice(0, mostImages), reason }
  }

  return async ({ folder, words, isFresh }) => {
    const wanted = words.map((word) => word.toLowerCase())
    const key = JSON.stringify([folder, ...wanted])
    const kept = isFresh ? undefined : known.get(key)
    if (kept) return kept
    const walking = under.get(key) ?? walk(folder, wanted).finally(() => under.delete(key))
    under.set(key, walking)
    const found = await walking
    if (found.reason === undefined) known.set(key, found)
    return found
  }
}
