/** Lists the files of a website, and reads one. */
import { type BigIntStats, lstatSync, readFileSync } from 'node:fs'
import { readdir, readFile, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { errorCode, paced, whenSaved } from '../../../kernel/index.ts'
import { foreignFolders } from './select.ts'

/** Runs git in the folder of the website; rejects if it fails. */
export type RunGit = (...args: readonly string[]) => Promise<string>

/**
 * Creates the lister of the files below a folder: those that git has or does not ignore and that are there,
 * else all but packages, dot folders and what is built. The first list decides which of the two it is, so
 * that a failure of git does not change the content. While no file comes or goes, the list is the same
 * object.
 */
export function createLister(root: string, git: RunGit | undefined): () => Promise<readonly string[]> {
  let isRepository: boolean | undefined
  let last = { text: '', paths: [] as readonly string[] }
  const listed = async (): Promise<string> => {
    if (isRepository === false || !git) return (await walked(root)).join('\0')
    const listing = git('ls-files', '-t', '--cached', '--others', '--deleted', '--exclude-standard', '-z')
    const text = await (isRepository ? listing : listing.catch(() => ''))
    // A folder that git ignores has no files there.
    isRepository ??= text !== ''
    return isRepository ? text : (await walked(root)).join('\0')
  }
  return async () => {
    const text = await listed()
    if (text !== last.text) last = { text, paths: isRepository ? pathsOfGit(text) : entriesIn(text) }
    return last.paths
  }
}

const entriesIn = (list: string): readonly string[] => list.split('\0').filter((entry) => entry !== '')

/** In front of each path is its kind, and a blank; those that are not there are listed again with an R. */
function pathsOfGit(list: string): readonly string[] {
  const entries = entriesIn(list)
  const gone = new Set(entries.flatMap((entry) => (entry.startsWith('R ') ? [entry.slice(2)] : [])))
  return [...new Set(entries.map((entry) => entry.slice(2)))].filter((path) => !gone.has(path))
}

async function walked(root: string): Promise<readonly string[]> {
  const found: string[] = []
  const open = ['']
  for await (const folder of paced(open)) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
      if (folder === '') throw error
      return []
    })
    for (const entry of entries) {
      const path = folder + entry.name
      const isOwn = entry.name === '.vitepress' || !entry.name.startsWith('.')
      if (entry.isFile() || entry.isSymbolicLink()) found.push(path)
      else if (entry.isDirectory() && isOwn && !foreignFolders.has(entry.name)) open.push(`${path}/`)
    }
  }
  return found
}

/** The state of a file, as it differs after each change, and its time. */
export interface FileStamp {
  readonly stamp: string
  readonly size: number
  readonly modified: Date
}

/**
 * Returns the stamp of a file; `undefined` if there is none: it is gone, a folder, or a link inside of the
 * website, whose file is listed itself. Returns a sentence for a link that leads out.
 */
export async function stampOf(root: string, path: string): Promise<FileStamp | string | undefined> {
  const place = join(root, path)
  const stats = statsOf(place)
  if (stats?.isSymbolicLink()) {
    const target = await realpath(place).catch(() => undefined)
    return target === undefined || isInside(root, target)
      ? undefined
      : 'it is a link that leads out of the folder'
  }
  if (!stats?.isFile()) return undefined
  return { stamp: stampIn(stats), size: Number(stats.size), modified: stats.mtime }
}

const stampIn = ({ mtimeNs, size, ino }: BigIntStats): string => `${mtimeNs} ${size} ${ino}`

/** Whether a file has still the state of a stamp. */
export function hasStamp(root: string, path: string, stamp: string): boolean {
  const stats = statsOf(join(root, path))
  return stats !== undefined && stampIn(stats) === stamp
}

/** Without a thread, which takes twenty times as long for each of thousands of files. */
function statsOf(place: string) {
  try {
    return lstatSync(place, { bigint: true })
  } catch {
    return undefined
  }
}

/** Whether a real path is in a folder. */
export const isInside = (root: string, place: string): boolean =>
  place === root || place.startsWith(root.endsWith(sep) ? root : root + sep)

const mostBytes = 5 * 1024 * 1024
/** The size up to which a file is read without a thread: that takes less than a tenth of the time. */
const mostAtOnce = 64 * 1024

/** The text of a file, or why it has none that can be edited. */
export type FileText = { readonly text: string } | { readonly unreadable: string }

/** Reads a file. One that is too large, is not text or has conflict markers is unreadable. */
export async function readText(root: string, path: string, size: number): Promise<FileText> {
  if (size > mostBytes) return { unreadable: 'it has more than 5 MB' }
  try {
    const place = join(root, path)
    const bytes = size <= mostAtOnce ? readFileSync(place) : await readFile(place)
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const line = conflictLine(text)
    if (line !== undefined) return { unreadable: `line ${line}: a merge has left conflict markers` }
    return text.includes('\0') ? { unreadable: 'it is not text' } : { text }
  } catch (error) {
    const code = errorCode(error)
    return {
      unreadable:
        code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : `it cannot be read (${code})`,
    }
  }
}

/** Reads a file once no program is at writing it in place, so that it is not read half; `undefined` if it goes. */
export const readSaved = (root: string, path: string) =>
  whenSaved(
    async () => {
      const found = await stampOf(root, path)
      return typeof found === 'object' ? found : undefined
    },
    ({ size }) => readText(root, path, size),
  )

const markers = [/^<{7} /, /^={7}\r?$/, /^>{7} /] as const

/** Returns the line at which a merge has left its first conflict. */
function conflictLine(text: string): number | undefined {
  if (!text.includes('<<<<<<< ')) return undefined
  let [seen, first] = [0, 0]
  for (const [at, line] of text.split('\n').entries()) {
    if (!markers[seen]?.test(line)) continue
    if (seen === 0) first = at + 1
    seen += 1
    if (seen === markers.length) return first
  }
  return undefined
}
