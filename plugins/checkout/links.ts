import { readlink, realpath, rm, symlink } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'

/** True for a path in a folder, and for the folder. */
export const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** Copies a link: one to a place in `root` leads to that place of the copy, another one to what it leads to. */
export async function copyLink(root: string, from: string, to: string): Promise<void> {
  const target = await readlink(from)
  const place = resolve(dirname(from), target)
  const copied = isInside(root, place)
    ? isAbsolute(target)
      ? relative(dirname(from), place)
      : target
    : await realpath(from).catch(() => place)
  await rm(to, { force: true })
  await symlink(copied, to)
}
