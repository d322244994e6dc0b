/** A copy of a website's repository, which follows it, and into which a draft is written. */
import { copyFile, constants, lstat, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import * as v from 'valibot'
import { createKeyedQueue, limitConcurrency, pace } from '../../kernel/index.ts'
import { copyLink } from './links.ts'
import { listFiles, mostAtOnce, type ListingGit } from './listing.ts'
import { copyPackages, packagesStamp } from './packages.ts'
import { type DraftFile, placeIn, readFound, type Replace, replaceFrom, writeDraftFile } from './places.ts'
import type { DevProject } from './project.ts'

const Stamps = v.record(v.string(), v.string())
/** What is known of a copy from the last time. */
const State = v.object({
  /** The files that were copied, by their path, with the state in which they were. */
  files: Stamps,
  /** The folders whose packages were copied. */
  packages: Stamps,
  /** The paths that were written since. */
  written: v.array(v.string()),
})

/** Opens the copy in `place`, which is as the repository is afterwards. */
export async function openCopy(
  project: DevProject,
  {
    place,
    git,
    isContent,
    isBusy,
  }: {
    readonly place: string
    readonly git: ListingGit | undefined
    readonly isContent: (path: string) => boolean
    readonly isBusy: () => Promise<boolean>
  },
) {
  const { root } = project
  const top = join(place, basename(root))
  const folder = join(top, relative(root, project.folder))
  const temporary = join(place, 'tmp')
  await rm(temporary, { recursive: true, force: true })
  for (const each of [top, temporary]) await mkdir(each, { recursive: true })
  const replace = replaceFrom(temporary)
  const { stamps, packages, written, save } = await openState(join(place, 'state.json'), replace)
  const queue = createKeyedQueue<'copy'>()

  /** Copies what differs from the last copy, but what `skips`; returns the paths. */
  async function follow(
    skips: (path: string) => boolean,
    isLeft: () => Promise<boolean>,
  ): Promise<readonly string[]> {
    const now = await stampsIn(root, await listFiles(project, git))
    const gone = [...stamps.keys()].filter((path) => !now.has(path) && !skips(path))
    const changed = [...now].filter(([path, stamp]) => stamps.get(path) !== stamp && !skips(path))
    for (const path of gone) {
      await rm(join(top, path), { force: true })
      stamps.delete(path)
    }
    const limit = limitConcurrency(mostAtOnce)
    const copy = async ([path, stamp]: readonly [string, string]): Promise<void> => {
      const [from, to] = [join(root, path), join(top, path)]
      if (await copyOne({ root, from, to, isLeft }, replace)) stamps.set(path, stamp)
    }
    await Promise.all(changed.map((each) => limit(() => copy(each))))
    if (gone.length + changed.length > 0) await save()
    return [...gone, ...changed.map(([path]) => path)]
  }

  /** Copies the packages of each folder with a package.json in which other ones have been installed. */
  async function followPackages(): Promise<void> {
    const manifests = [...stamps.keys()].filter((path) => basename(path) === 'package.json')
    for (const each of new Set(['.', ...manifests.map(dirname)])) {
      const stamp = await packagesStamp(join(root, each))
      if (stamp === '' || packages.get(each) === stamp) continue
      packages.delete(each)
      await save()
      await copyPackages(root, join(root, each), join(top, each))
      packages.set(each, stamp)
    }
    await save()
  }

  async function write(files: readonly DraftFile[]): Promise<void> {
    const targets = await Promise.all(files.map(({ path }) => placeIn(folder, path)))
    const paths = targets.map((target) => relative(top, target).split(sep).join('/'))
    const known = written.size
    for (const path of paths) written.add(path)
    // Before the files, so that the next start puts them back whatever happens to this one.
    if (written.size > known) await save()
    for (const [at, { text }] of files.entries()) await writeDraftFile(text, targets[at] ?? '', replace)
  }

  for (const path of written) stamps.delete(path)
  await follow(
    () => false,
    async () => false,
  )
  // What was written last time, and is not a file of the repository.
  for (const path of written) if (!stamps.has(path)) await rm(join(top, path), { force: true })
  written.clear()
  await followPackages()

  return {
    folder,
    top,
    follow: () => queue.run('copy', () => follow((path) => written.has(path) || isContent(path), isBusy)),
    write: (files: readonly DraftFile[]) => queue.run('copy', () => write(files)),
  }
}

async function openState(file: string, replace: Replace) {
  // Without it everything is copied again.
  const state = await readFile(file, 'utf8')
    .then((text) => v.parse(State, JSON.parse(text)))
    .catch(() => ({ files: {}, packages: {}, written: [] }))
  const stamps = new Map(Object.entries(state.files))
  const packages = new Map(Object.entries(state.packages))
  const written = new Set(state.written)
  const save = (): Promise<unknown> =>
    replace(file, (path) => {
      const [files, folders] = [stamps, packages].map((each) => Object.fromEntries(each))
      return writeFile(path, JSON.stringify({ files, packages: folders, written: [...written] }))
    })
  return { stamps, packages, written, save }
}

interface Copied {
  readonly root: string
  readonly from: string
  readonly to: string
  /** Whether it is left as it is, once it has been read: git makes its lock before it writes a file. */
  readonly isLeft: () => Promise<boolean>
}

/** Returns whether it was copied. */
async function copyOne({ root, from, to, isLeft }: Copied, replace: Replace): Promise<boolean> {
  const found = await lstat(from)
  if (found.isSymbolicLink()) {
    await mkdir(dirname(to), { recursive: true })
    await copyLink(root, from, to)
    return true
  }
  return replace(to, async (unfinished) => {
    // A development server may end at half a file.
    await readFound(from, () => copyFile(from, unfinished, constants.COPYFILE_FICLONE))
    // Some websites show the time of a file.
    await utimes(unfinished, found.atime, found.mtime)
    return !(await isLeft())
  })
}

/** Returns the states of those files that are there. */
async function stampsIn(root: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const limited = limitConcurrency(mostAtOnce)
  const stampOf = async (path: string) => {
    await pace()
    const found = await lstat(join(root, path), { bigint: true }).catch(() => undefined)
    if (!found?.isFile() && !found?.isSymbolicLink()) return []
    return [[path, `${found.mtimeNs} ${found.size} ${found.ino} ${found.mode}`] as const]
  }
  const stamps = await Promise.all(paths.map((path) => limited(() => stampOf(path))))
  return new Map(stamps.flat())
}
