/** Where files of a copy are, and how they are replaced. */
import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { errorCode, whenSaved } from '../../kernel/index.ts'
import { isInside } from './links.ts'

/** A file of a draft: its path below the folder of the website, with slashes, and its text or bytes. */
export interface DraftFile {
  readonly path: string
  /** `undefined` removes it. */
  readonly text: string | Uint8Array | undefined
}

/** Reads a file once no program is at writing it in place; returns `undefined` if there is none. */
export async function readFound<T>(path: string, read: () => Promise<T>): Promise<T | undefined> {
  const saved = await whenSaved(async () => {
    const found = await lstat(path).catch(() => undefined)
    if (!found?.isFile()) return undefined
    const { size, mtime: modified, mtimeMs, ino } = found
    return { size, modified, stamp: `${mtimeMs} ${size} ${ino}` }
  }, read)
  return saved?.content
}

/**
 * Makes a file under another name, and gives it its own, unless `make` returns false: programs that watch it see it
 * complete. Returns whether it did.
 */
export type Replace = (target: string, make: (path: string) => Promise<unknown>) => Promise<boolean>

/** Returns a `Replace` whose unfinished files are in a folder that no program watches. */
export const replaceFrom =
  (temporary: string): Replace =>
  async (target, make) => {
    const unfinished = join(temporary, randomBytes(8).toString('hex'))
    try {
      const isMade = (await make(unfinished)) !== false
      if (!isMade) await rm(unfinished, { force: true })
      if (!isMade) return false
      await mkdir(dirname(target), { recursive: true })
      await rename(unfinished, target)
      return true
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }

/** Returns the place of a path in a folder. Throws for one outside of it, also through a link. */
export async function placeIn(folder: string, path: string): Promise<string> {
  const target = resolve(folder, path)
  const isBelow = target !== folder && isInside(folder, target) && !/[\0\\]/.test(path)
  if (!isBelow || !isInside(await realpath(folder), await deepest(target)))
    throw new Error(`${JSON.stringify(path)} is not in the folder of the website`)
  return target
}

/** Returns the place without links to which a path leads, as far as there is one. */
async function deepest(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink()
    if (isLink || errorCode(error) !== 'ENOENT') throw error
    return join(await deepest(dirname(path)), basename(path))
  }
}

/** Writes a file of a draft if it differs, with the rights that it has. */
export async function writeDraftFile(
  text: DraftFile['text'],
  target: string,
  replace: Replace,
): Promise<void> {
  if (text === undefined) return rm(target, { force: true })
  const before = await readFile(target).catch(() => undefined)
  const bytes = Buffer.from(text)
  if (before?.equals(bytes)) return undefined
  const found = await lstat(target).catch(() => undefined)
  await replace(target, async (unfinished) => {
    await writeFile(unfinished, bytes)
    if (found?.isFile()) await chmod(unfinished, found.mode & 0o7777)
  })
}
