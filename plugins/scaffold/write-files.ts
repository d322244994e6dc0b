import type { Stats } from 'node:fs'
import { chmod, lstat, mkdir, readFile, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { errorCode } from '../../kernel/index.ts'
import type { PlannedFile } from './framework.ts'
import { SiteFilesError } from './project.ts'

/** The kind of object at a path inside a folder. */
export type Place = 'nothing' | 'file' | 'something else'

/**
 * Checks whether a path exists. Throws a SiteFilesError if it leaves the folder through a link, or passes
 * through something other than a folder: a file would be written elsewhere.
 */
export async function inspectPath(folder: string, path: string): Promise<Place> {
  for (const part of partsOf(path)) {
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
function partsOf(path: string): readonly string[] {
  const parent = dirname(path)
  return parent === '.' ? [path] : [...partsOf(parent), path]
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

/** Reverts one step; steps are reverted in reverse order. */
type Undo = () => Promise<unknown>

/**
 * Writes all planned files or none: first under temporary names, then under their own. A failure restores
 * everything and throws a SiteFilesError that names the file.
 */
export async function writeFiles(folder: string, files: readonly PlannedFile[]): Promise<void> {
  const undo: Undo[] = []
  let current = ''
  try {
    const ready: Ready[] = []
    for (const file of files.filter(({ action }) => action !== 'skip')) {
      current = file.path
      ready.push(await prepare(folder, file, undo))
    }
    for (const each of ready) {
      current = each.path
      await put(each, undo)
    }
  } catch (error) {
    for (const step of undo.toReversed()) await step().catch(() => undefined)
    const code = errorCode(error) ?? 'no error code'
    const remedy = 'check the permissions of its folder and the free space. Nothing was written'
    throw new SiteFilesError(`${current} cannot be written (${code}): ${remedy}`, { cause: error })
  }
}

interface Ready {
  readonly path: string
  readonly temporary: string
  readonly target: string
  /** The previous content. */
  readonly before: Uint8Array | undefined
}

async function prepare(folder: string, { path, action, text }: PlannedFile, undo: Undo[]): Promise<Ready> {
  const wanted = join(folder, path)
  await makeFolder(dirname(wanted), undo)
  const target = action === 'append' ? await realpath(wanted) : wanted
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`)
  const before = action === 'append' ? await readFile(target) : undefined
  undo.push(() => rm(temporary, { force: true }))
  await writeFile(temporary, before ? Buffer.concat([before, Buffer.from(text)]) : text, {
    flag: 'wx',
    ...(isPrivate(path) && { mode: 0o600 }),
  })
  if (before) await chmod(temporary, (await stat(target)).mode & 0o7777)
  return { path, temporary, target, before }
}

/** Variables files will contain secrets later. */
const isPrivate = (path: string): boolean => path.startsWith('.env')

async function makeFolder(folder: string, undo: Undo[]): Promise<void> {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  const made = [folder]
  for (let each = folder; each !== first; each = dirname(each)) made.unshift(dirname(each))
  // Only empty folders: files created by others in the meantime stay.
  undo.push(...made.map((each) => () => rmdir(each)))
}

async function put({ temporary, target, before }: Ready, undo: Undo[]): Promise<void> {
  if (!before) {
    const isTaken = await lstat(target).then(
      () => true,
      () => false,
    )
    if (isTaken) throw Object.assign(new Error('it was created meanwhile'), { code: 'EEXIST' })
  }
  await rename(temporary, target)
  undo.push(() => (before ? writeFile(target, before) : rm(target, { force: true })))
}
