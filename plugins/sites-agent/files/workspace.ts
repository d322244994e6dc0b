import { lstat, mkdir, opendir, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isSiteId, siteIdRule } from '../../sites/port.ts'
import { isProtectedName } from './guard.ts'
import { fileRefusals } from './refusals.ts'

/** The folder of all sites, and one of ours in it for copies, backups and the log. */
export interface Workspace {
  /** Without links. */
  readonly root: string
  /** Our own folder, or one in it, made on the first use. */
  own(...names: readonly string[]): Promise<string>
  /** Ids of the sites, in order. */
  siteIds(): Promise<readonly string[]>
  /** The folder of a site. Refuses with 400 `invalid_site_id` and 404 `site_not_found`; a link is no site. */
  site(siteId: string): Promise<string>
  /** Makes the folder of a new site. Refuses with 409 `site_exists` whatever bears its name in any case. */
  create(siteId: string): Promise<string>
}

/** Opens a workspace, whose folder is made where there is none. */
export async function openWorkspace(folder: string): Promise<Workspace> {
  await mkdir(folder, { recursive: true })
  const root = await realpath(folder)

  const check = (siteId: string): string => {
    if (!isSiteId(siteId)) throw fileRefusals.badSiteId(siteIdRule)
    return join(root, siteId)
  }
  const isFolder = (path: string): Promise<boolean> => lstat(path).then((found) => found.isDirectory(), () => false)

  return {
    root,
    async own(...names) {
      const path = join(root, ownFolder, ...names)
      await mkdir(path, { recursive: true, mode: 0o700 })
      return path
    },
    async siteIds() {
      const entries = await readdir(root, { withFileTypes: true })
      return entries.filter((entry) => entry.isDirectory() && isSiteId(entry.name)).map(({ name }) => name).toSorted()
    },
    async site(siteId) {
      const path = check(siteId)
      if (!(await isFolder(path))) throw fileRefusals.noSite()
      return path
    },
    async create(siteId) {
      const path = check(siteId)
      const names = await readdir(root)
      if (names.some((name) => name.toLowerCase() === siteId)) throw fileRefusals.siteExists(siteId)
      await mkdir(path).catch(() => {
        throw fileRefusals.siteExists(siteId)
      })
      return path
    },
  }
}

/** Folders that programs fill; they are neither copied nor searched. */
const made: ReadonlySet<string> = new Set(['node_modules', '.next', '.astro', '.turbo', '.cache', '.vercel', '.orchestrator', 'dist', 'build', 'out', 'coverage'])
const mostFiles = 20_000

/** The paths of all files below a folder, from there. Links, protected names and what programs make are left out; refuses with 413 more than `most`. */
export async function filesBelow(root: string, most = mostFiles): Promise<readonly string[]> {
  const found: string[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const entry of await opendir(join(root, folder))) {
      if (isProtectedName(entry.name) || (entry.isDirectory() && made.has(entry.name))) continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile()) found.push(path)
      if (found.length + folders.length > most) throw fileRefusals.tooManyFiles(most)
    }
  }
  return found.toSorted()
}

/** What lies in a workspace beside the sites: copies, backups, homes of runs and the log. */
export const ownFolder = '.sites-agent'
