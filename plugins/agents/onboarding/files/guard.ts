import { Problem } from '../problem.ts'
import { problems } from './problems.ts'
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { errorCode, writeDurably } from '../../../../kernel/index.ts'

/** A path inside a root, without links on the way. */
interface GuardedPath {
  readonly root: string
  /** The path relative to the root, in the spelling of the file system; '' is the root itself. */
  readonly path: string
  readonly exists: boolean
}

/** The maximum length of a path; longer ones are refused. */
const longest = 1024

/**
 * Resolves a path from an agent: the real path of its deepest existing folder, and the rest as written.
 * Refuses paths outside the root and protected paths, with the same message whether they exist or not.
 */
export async function guardPath(root: string, given: string): Promise<GuardedPath> {
  if (given.length > longest || /[\0\\]/.test(given)) throw problems.outside()
  const wanted = join(root, relative(root, join(root, given)))
  if (given.startsWith(sep) || !isInside(root, wanted)) throw problems.outside()
  const { real, rest } = await deepest(wanted)
  const path = relative(root, join(real, ...rest))
  if (!isInside(root, join(real, ...rest))) throw problems.outside()
  for (const each of [relative(root, wanted), path])
    if (isProtected(each))
      throw new Problem(
        'Agents must not read or write files with this name: repositories, variables and keys. Ask the owner of the site.',
      )
  return { root, path, exists: rest.length === 0 }
}

/** True for the root and every path below it. */
export const isInside = (root: string, path: string): boolean => path === root || path.startsWith(root + sep)

async function deepest(path: string): Promise<{ readonly real: string; readonly rest: readonly string[] }> {
  try {
    return { real: await realpath(path), rest: [] }
  } catch (error) {
    // A dangling link exists, and writing through it would create its target.
    const isLink = await lstat(path).then(
      (found) => found.isSymbolicLink(),
      () => false,
    )
    if (isLink || errorCode(error) !== 'ENOENT') throw problems.outside()
    const { real, rest } = await deepest(dirname(path))
    return { real, rest: [...rest, basename(path)] }
  }
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
/** Without O_NONBLOCK, opening a named pipe would block. */
const fileFlags = constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Opens the folder of a place step by step, each below the handle of its parent and never through a link, and
 * passes its path to `use`. Refuses a folder replaced by a link meanwhile, and opens nothing behind it.
 *
 * Only Linux can address a file below an open folder; other systems open each folder by its path.
 */
async function inFolder<T>(
  { root, path }: GuardedPath,
  makes: boolean | 'durably',
  use: (folder: string, handle: FileHandle) => Promise<T>,
): Promise<T> {
  const names =
    path === ''
      ? []
      : dirname(path)
          .split(sep)
          .filter((name) => name !== '.')
  let handle = await open(root, folderFlags).catch(refuse)
  try {
    let at = root
    for (const name of names) {
      const below = join(addressOf(handle, at), name)
      const isMade = makes !== false && (await mkdir(below).then(() => true, ignoreExisting))
      if (isMade && makes === 'durably') await handle.sync()
      const next = await open(below, folderFlags).catch(refuse)
      await handle.close()
      handle = next
      at = join(at, name)
    }
    return await use(addressOf(handle, at), handle)
  } finally {
    await handle.close()
  }
}

const addressOf = (handle: FileHandle, path: string): string =>
  process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path

function ignoreExisting(error: unknown): false {
  if (errorCode(error) !== 'EEXIST') throw error
  return false
}

function refuse(error: unknown): never {
  if (errorCode(error) === 'ENOENT') throw problems.notThere()
  throw problems.outside()
}

/** Opens a regular file. Refuses others, and writes to a hard-linked file, which may be elsewhere. */
async function openFile(place: GuardedPath, flags: number, mode?: number): Promise<FileHandle> {
  return inFolder(place, (flags & constants.O_CREAT) !== 0, async (folder) => {
    const handle = await open(join(folder, basename(place.path)), flags | fileFlags, mode).catch(refuse)
    const found = await handle.stat()
    if (found.isFile() && (found.nlink === 1 || (flags & constants.O_WRONLY) === 0)) return handle
    await handle.close()
    throw found.isDirectory() ? problems.isFolder() : problems.outside()
  })
}

export async function readGuarded(place: GuardedPath, mostBytes: number): Promise<Buffer> {
  if (place.path === '') throw problems.isFolder()
  const handle = await openFile(place, constants.O_RDONLY)
  try {
    if ((await handle.stat()).size > mostBytes) throw problems.tooLarge(mostBytes)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** Writes a file, and creates missing folders. A new file gets `mode`. */
export async function writeGuarded(
  place: GuardedPath,
  content: string | Uint8Array,
  mode = 0o644,
): Promise<void> {
  if (place.path === '') throw problems.isFolder()
  const handle = await openFile(place, constants.O_WRONLY | constants.O_CREAT, mode)
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    await handle.truncate(0)
    await handle.writeFile(bytes)
  } finally {
    await handle.close()
  }
}

/** The name of an unfinished file. It is protected, so that no run reads or copies one. */
const temporary = '.sites-agent'

/** Replaces a file completely or not at all, even if the process or the power fails; keeps its mode. */
export async function replaceGuarded(place: GuardedPath, content: Uint8Array): Promise<void> {
  await inFolder(place, 'durably', async (folder) => {
    const file = join(folder, basename(place.path))
    const mode = await lstat(file).then(
      (found) => found.mode,
      () => undefined,
    )
    await rm(join(folder, temporary), { force: true })
    await writeDurably(file, content, { temporary, mode })
  })
}

/** Removes a file; it stays removed if the power fails. */
export async function removeGuarded(place: GuardedPath): Promise<void> {
  await inFolder(place, false, async (folder, handle) => {
    await rm(join(folder, basename(place.path)))
    await handle.sync()
  })
}

/** Lists the names in a folder; folder names end with a slash. Omits links and protected names. */
export async function listGuarded(place: GuardedPath): Promise<readonly string[]> {
  const below: GuardedPath = { ...place, path: join(place.path, 'x') }
  const entries = await inFolder(below, false, (folder) => readdir(folder, { withFileTypes: true }))
  return entries
    .filter((entry) => (entry.isFile() || entry.isDirectory()) && !isProtected(join(place.path, entry.name)))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .toSorted()
}

/** Names that agents must not read or write, as patterns of git: variables, keys and logins. */
export const protectedGlobs: readonly string[] = (
  '.env* *.pem *.key *.p12 *.pfx *.jks *.keystore id_rsa* id_dsa* id_ecdsa* id_ed25519* .npmrc .netrc ' +
  '.yarnrc* .pypirc .git-credentials .ssh .aws .gnupg .docker .kube .sites-agent'
).split(' ')
const patterns = [...protectedGlobs, '.git', 'git~*'].map(
  (glob) => new RegExp(`^${glob.replaceAll('.', '\\.').replace('*', '.*')}$`, 's'),
)
const examples = /^\.env\.(?:example|sample|template)$/

/** True if a part of the path has such a name, in any case or spelling that a file system treats as equal. */
export function isProtected(path: string): boolean {
  return path.split(sep).some((part) => isProtectedName(part))
}

export function isProtectedName(name: string): boolean {
  // Windows and macOS treat similar letters, trailing dots and spaces, and stream names as the same name.
  const plain =
    name
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/\p{Cf}/gu, '')
      .replace(/(?<![. ])[. ]+$/, '')
      .split(':', 1)[0] ?? ''
  return !examples.test(plain) && patterns.some((pattern) => pattern.test(plain))
}
