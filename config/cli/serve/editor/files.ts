import { constants } from 'node:fs'
import { access, open, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { ByteRange } from '../../../../kernel/http/range.ts'
import { BootError, defineRefusal, errorCode } from '../../../../kernel/index.ts'

export const fileNotFound = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: () =>
    'The editor has no such file, and the service has no such path. Reload the editor: it may have been rebuilt.',
})

/** The page of the editor, and of a folder. */
export const pageName = 'index.html'

/** Resolves the folder of a built editor, without links. Throws a BootError if it or its page is missing. */
export async function openEditorFolder(cwd: string, given: string): Promise<string> {
  const folder = resolve(cwd, given)
  const isFolder =
    given.trim() !== '' &&
    (await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    ))
  if (!isFolder)
    throw new BootError([
      `--editor: '${given}' is not a folder; name the output folder of the editor's build, such as dist`,
    ])
  const root = await realpath(folder)
  if (await findFile(root, `/${pageName}`).catch(() => undefined)) return root
  throw new BootError([
    `--editor: ${folder} has no readable ${pageName}; build the editor, or name the output folder of its build`,
  ])
}

/** True if the last segment ends like a file name: `/app.js`, `/v1.2`, not `/.env` and `/.well-known/x`. */
export const hasExtension = (path: string): boolean => /[^/]\.[A-Za-z\d]{1,10}$/.test(path)

/**
 * Finds the file of a decoded path in a folder, or the `index.html` of a subfolder; `undefined` if there is
 * none. Refuses a name that starts with a dot, except `.well-known`, and a link that leads out of the folder.
 */
export async function findFile(root: string, path: string): Promise<FoundFile | undefined> {
  if (isHidden(path)) throw fileNotFound()
  try {
    const file = path.endsWith('/') ? undefined : await toFile(await walk(root, path))
    return file ?? (await toFile(await walk(root, `${path}/${pageName}`)))
  } catch (error) {
    if (absences.has(errorCode(error) ?? '')) return undefined
    throw error
  }
}

const absences = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'EPERM'])

/** Resolves segment by segment, so an answer reveals nothing behind a link that leads out of the folder. */
async function walk(root: string, path: string): Promise<string> {
  let place = root
  for (const segment of path.split('/').filter(Boolean)) {
    place = await realpath(join(place, segment))
    const inside = relative(root, place)
    // A path outside starts with two dots, or is on another drive.
    if (isAbsolute(inside) || isHidden(inside.replaceAll(sep, '/'))) throw fileNotFound()
  }
  return place
}

async function toFile(path: string) {
  const found = await stat(path)
  if (!found.isFile()) return undefined
  await access(path, constants.R_OK)
  return { path, size: found.size, changed: found.mtimeMs }
}

/** A plain file inside the folder: its path without links, and its modification time in milliseconds. */
export type FoundFile = NonNullable<Awaited<ReturnType<typeof toFile>>>

const isHidden = (path: string): boolean =>
  path.split('/').some((segment) => segment.startsWith('.') && segment !== '.well-known')

/**
 * Reads a part of a file, which is opened on the first read: not every body is read. Fails if the file has
 * changed since it was found, because its length and ETag are already sent.
 */
export async function* readPart(
  { path, size, changed }: FoundFile,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  const file = await open(path)
  try {
    const now = await file.stat()
    if (now.size !== size || now.mtimeMs !== changed)
      throw new Error('the file was changed before it was sent')
    let remaining = end + 1 - start
    if (remaining === 0) return
    const chunks: AsyncIterable<Uint8Array> = file.createReadStream({ start, end, autoClose: false })
    for await (const chunk of chunks) {
      remaining -= chunk.byteLength
      yield chunk
    }
    if (remaining > 0) throw new Error('the file was cut while it was sent')
  } finally {
    await file.close()
  }
}
