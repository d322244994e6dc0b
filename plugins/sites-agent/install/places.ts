import type { Stats } from 'node:fs'
import { lstat, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { SiteFilesError } from './failure.ts'

/** What stands at a path inside a folder. */
export type Place = 'nothing' | 'file' | 'something else'

/**
 * Looks what stands at a path. Refuses, as a SiteFilesError, a way there that a link leads out of the folder, or that
 * goes through something that is not a folder: a file that is written there would not be where it is said to be.
 */
export async function lookAt(folder: string, path: string): Promise<Place> {
  for (const part of partsOf(path)) {
    const place = join(folder, part)
    const found = await lstatOf(place)
    if (!found) return 'nothing'
    if (found.isSymbolicLink() && (await leavesBy(folder, place))) {
      throw new SiteFilesError(`${part} is a link that leads out of ${folder}; nothing is written through it. Put a folder or a file of its own there`)
    }
    if (part === path) return (await stat(place)).isFile() ? 'file' : 'something else'
    if (!(await stat(place)).isDirectory()) throw new SiteFilesError(`${part} is not a folder, and ${path} has to lie in it; rename it and try again`)
  }
  return 'something else'
}

/** `a`, `a/b` and `a/b/c` of `a/b/c`. */
function partsOf(path: string): readonly string[] {
  const parent = dirname(path)
  return parent === '.' ? [path] : [...partsOf(parent), path]
}

async function lstatOf(place: string): Promise<Stats | undefined> {
  try {
    return await lstat(place)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** A link to nothing leads out too: whatever it would make lies where it says. */
async function leavesBy(folder: string, place: string): Promise<boolean> {
  const target = await realpath(place).catch(() => undefined)
  return target === undefined || relative(folder, target).split(sep)[0] === '..'
}
