import type { Stats } from 'node:fs'
import { appendFile, lstat, mkdir, realpath, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { errorCode } from '../../../kernel/index.ts'
import type { PlannedFile } from './framework.ts'
import { SiteFilesError } from './project.ts'

/** The kind of object at a path inside a folder. */
type PathState = 'nothing' | 'file' | 'something else'

/**
 * Checks whether a path exists. Throws a SiteFilesError if it leaves the folder through a link, or passes
 * through something other than a folder: a file would be written elsewhere.
 */
export async function inspectPath(folder: string, path: string): Promise<PathState> {
  for (const part of pathSegments(path)) {
    const place = join(folder, part)
    const found = await lstatOf(place)
    if (!found) return 'nothing'
    if (found.isSymbolicLink() && (await leavesBy(folder, place))) {
      throw new SiteFilesError(
        `${part} is a link out of ${folder}, and nothing is written through it; replace it with a regular file or folder`,
      )
    }
    if (part === path) return (await stat(place)).isFile() ? 'file' : 'something else'
    if (!(await stat(place)).isDirectory())
      throw new SiteFilesError(`${part} is not a folder, but ${path} belongs in it; rename it and try again`)
  }
  return 'something else'
}

/** Returns `a`, `a/b` and `a/b/c` for `a/b/c`. */
function pathSegments(path: string): readonly string[] {
  const parent = dirname(path)
  return parent === '.' ? [path] : [...pathSegments(parent), path]
}

const lstatOf = (place: string): Promise<Stats | undefined> =>
  lstat(place).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
    return undefined
  })

/** A dangling link also leaves the folder: writing through it would create its target. */
async function leavesBy(folder: string, place: string): Promise<boolean> {
  const target = await realpath(place).catch(() => undefined)
  return target === undefined || relative(folder, target).split(sep)[0] === '..'
}

/**
 * Writes the planned files, in order, and never over an existing one. Throws a SiteFilesError that names the first
 * file that cannot be written; the next call continues there.
 */
export async function writeFiles(folder: string, files: readonly PlannedFile[]): Promise<void> {
  for (const { path, action, text } of files) {
    const file = join(folder, path)
    try {
      if (action === 'append') await appendFile(file, text)
      if (action !== 'create') continue
      await mkdir(dirname(file), { recursive: true })
      // Variables files will contain secrets later.
      await writeFile(file, text, { flag: 'wx', ...(path.startsWith('.env') && { mode: 0o600 }) })
    } catch (error) {
      const code = errorCode(error) ?? 'no error code'
      const remedy = 'check the permissions of its folder and the free space, and run this again'
      throw new SiteFilesError(`${path} cannot be written (${code}): ${remedy}`, { cause: error })
    }
  }
}
