import { lstat, mkdir, opendir, readdir, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { wordSet } from '../../../content/words.ts'
import { isSiteId, siteIdRule } from '../../../sites/port.ts'
import { Problem } from '../problem.ts'
import { isProtectedName } from './guard.ts'
import { problems } from './problems.ts'

/** The folder of all sites, which also contains copies, backups and the log. */
export type Workspace = Awaited<ReturnType<typeof openWorkspace>>

/** Opens a workspace, and creates its folder if necessary. */
export async function openWorkspace(folder: string) {
  await mkdir(folder, { recursive: true })
  const root = await realpath(folder)

  const check = (siteId: string): string => {
    if (!isSiteId(siteId)) throw new Problem(`This is not a valid site id: use ${siteIdRule}.`)
    return join(root, siteId)
  }
  return {
    /** The path of the folder, without links. */
    root,
    /** Returns a folder for the service's own use, created on first use. */
    async own(...names: readonly string[]): Promise<string> {
      const path = join(root, ownFolder, ...names)
      await mkdir(path, { recursive: true, mode: 0o700 })
      return path
    },
    /** Removes the folders of a run that has ended: its copies, its home, and the files of its program. */
    async removeRun(streamId: string): Promise<void> {
      for (const name of ['runs', 'homes', 'cli'])
        await rm(join(root, ownFolder, name, streamId), { recursive: true, force: true })
    },
    async siteIds(): Promise<readonly string[]> {
      const entries = await readdir(root, { withFileTypes: true })
      return entries
        .filter((entry) => entry.isDirectory() && isSiteId(entry.name))
        .map(({ name }) => name)
        .toSorted()
    },
    /** Returns a site's folder, never a link. Throws a Problem for an invalid id, and without such a site. */
    async site(siteId: string): Promise<string> {
      const path = check(siteId)
      if (!(await isFolder(path)))
        throw new Problem('The workspace has no such site. list_sites lists the sites.')
      return path
    },
    /** Creates a new site's folder. Throws a Problem if the name is taken, ignoring case. */
    async create(siteId: string): Promise<string> {
      const path = check(siteId)
      const names = await readdir(root)
      if (names.some((name) => name.toLowerCase() === siteId)) throw problems.siteExists(siteId)
      await mkdir(path).catch(() => {
        throw problems.siteExists(siteId)
      })
      return path
    },
  }
}

/** True for a folder, and not for a link to one. */
export const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Folders of generated files, which are neither copied nor searched. */
const made = wordSet('node_modules .next .astro .turbo .cache .vercel .orchestrator dist build out coverage')
const mostFiles = 20_000

/** Lists the files of a folder but links, protected and generated ones. Throws a Problem beyond `most`. */
export async function filesBelow(root: string, most = mostFiles): Promise<readonly string[]> {
  const found: string[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const entry of await opendir(join(root, folder))) {
      if (isProtectedName(entry.name) || (entry.isDirectory() && made.has(entry.name))) continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile()) found.push(path)
      if (found.length + folders.length > most)
        throw new Problem(
          `The site has more than ${most} files. Move files that do not belong to it elsewhere.`,
        )
    }
  }
  return found.toSorted()
}

/** Removes links, pipes and sockets from a folder: what follows them later would leave the folder. */
export async function removeLinks(root: string): Promise<void> {
  for (const entry of await readdir(root, { withFileTypes: true })) {
    const path = join(root, entry.name)
    if (entry.isDirectory()) {
      if (!made.has(entry.name)) await removeLinks(path)
    } else if (!entry.isFile()) await rm(path)
  }
}

/** The folder in a workspace for copies, backups, home folders of runs, and the log. */
export const ownFolder = '.sites-agent'
