import { lstat, mkdir, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isSiteId, siteIdRule } from '../../sites/port.ts'
import { refusals } from '../refusals.ts'
import { ownFolder } from '../settings.ts'

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
    if (!isSiteId(siteId)) throw refusals.badSiteId(siteIdRule)
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
      if (!(await isFolder(path))) throw refusals.noSite()
      return path
    },
    async create(siteId) {
      const path = check(siteId)
      const names = await readdir(root)
      if (names.some((name) => name.toLowerCase() === siteId)) throw refusals.siteExists(siteId)
      await mkdir(path).catch(() => {
        throw refusals.siteExists(siteId)
      })
      return path
    },
  }
}
