import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { fileNotFound } from './refusals.ts'

/** A plain file inside the folder. */
export interface FoundFile {
  /** Without links. */
  readonly path: string
  readonly size: number
  /** When it was changed last, in milliseconds. */
  readonly changed: number
}

/** True where the last segment ends like the name of a file: `/app.js` and `/v1.2`, not `/.env` and `/.well-known/x`. */
export function hasExtension(path: string): boolean {
  return /[^/]\.[A-Za-z\d]{1,10}$/.test(path)
}

/** The page of an editor, and of a folder. */
export const pageName = 'index.html'

/**
 * Finds the file of a decoded path in a folder, for a folder in it its `index.html`; `undefined` when there is none.
 *
 * Refuses as not found a name that begins with a dot, but for `.well-known`, and a link that leads out of the folder.
 */
export async function findFile(root: string, path: string): Promise<FoundFile | undefined> {
  if (isHidden(path)) throw fileNotFound()
  try {
    const file = path.endsWith('/') ? undefined : await toFile(await walk(root, path))
    return file ?? (await toFile(await walk(root, `${path}/${pageName}`)))
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}

/** Goes from segment to segment, so that an answer never shows what is behind a link that leads out. */
async function walk(root: string, path: string): Promise<string> {
  let place = root
  for (const segment of path.split('/').filter(Boolean)) {
    place = await realpath(join(place, segment))
    const inside = relative(root, place)
    // What is outside begins with two dots, or is on another drive.
    if (isAbsolute(inside) || isHidden(inside.replaceAll(sep, '/'))) throw fileNotFound()
  }
  return place
}

async function toFile(path: string): Promise<FoundFile | undefined> {
  const found = await stat(path)
  if (!found.isFile()) return undefined
  await access(path, constants.R_OK)
  return { path, size: found.size, changed: found.mtimeMs }
}

const isHidden = (path: string): boolean =>
  path.split('/').some((segment) => segment.startsWith('.') && segment !== '.well-known')

const absences = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'EPERM'])
const isAbsence = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && absences.has(String(error.code))
