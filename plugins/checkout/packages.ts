/** Gives a copy of a website the packages of the original, without their bytes where that is possible. */
import { constants } from 'node:fs'
import { copyFile, link, lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, limitConcurrency } from '../../kernel/index.ts'
import { copyLink } from './links.ts'

/** Ways to give a file, best first: shared until one side writes, one file with two names, and a copy. */
const ways: readonly ((from: string, to: string) => Promise<void>)[] = [
  (from, to) => copyFile(from, to, constants.COPYFILE_FICLONE_FORCE),
  link,
  copyFile,
]

/** Folders of `node_modules` in which programs store what they make, also by writing into a file that is there. */
const caches = /^\.(?:cache|vite.*|astro|tmp)$/

/** Files that a runner writes when it has installed packages. */
const records = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml', '.yarn-integrity']

/** Returns what changes when packages are installed into a folder; empty if it has none. */
export async function packagesStamp(folder: string): Promise<string> {
  const places = ['.', ...records].map((name) => join(folder, 'node_modules', name))
  const found = await Promise.all(places.map((place) => lstat(place).catch(() => undefined)))
  // The packages of a workspace may be a link.
  return found[0]?.isDirectory() ? found.map((each) => each?.mtimeMs ?? '').join(' ') : ''
}

/** Replaces the packages in the folder `to` of a copy of `root` by those of the folder `from`. */
export async function copyPackages(root: string, from: string, to: string): Promise<void> {
  await rm(join(to, 'node_modules'), { recursive: true, force: true })
  const limit = limitConcurrency(32)
  let way = 0
  /** What one way cannot do, the next one does, for all files after it. */
  async function give(source: string, target: string): Promise<void> {
    for (let at = way; ; at++) {
      try {
        return await ways[at]?.(source, target)
      } catch (error) {
        if (at === ways.length - 1 || errorCode(error) === 'ENOENT') throw error
        // A file may have too many names, which says nothing about the others.
        if (errorCode(error) !== 'EMLINK') way = Math.max(way, at + 1)
      }
    }
  }
  async function copy(source: string, target: string, isTop: boolean): Promise<void> {
    const [entries] = await Promise.all([readdir(source, { withFileTypes: true }), mkdir(target)])
    await Promise.all(
      entries.map(async (entry) => {
        const [each, copied] = [join(source, entry.name), join(target, entry.name)]
        if (entry.isDirectory()) {
          if (!isTop || !caches.test(entry.name)) await copy(each, copied, entry.name === 'node_modules')
        } else if (entry.isSymbolicLink()) await copyLink(root, each, copied)
        else if (entry.isFile()) await limit(() => give(each, copied))
      }),
    )
  }
  await mkdir(to, { recursive: true })
  await copy(join(from, 'node_modules'), join(to, 'node_modules'), true)
}
