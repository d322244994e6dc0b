import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../kernel/index.ts'
import { fileRefusals } from '../files/refusals.ts'
import { type Change, copySite, type WorkingCopy } from '../files/working-copy.ts'
import { ownFolder, type Workspace } from '../files/workspace.ts'
import type { Servers } from '../shell/servers.ts'
import type { Approvals } from './approvals.ts'

export type Settled = 'unchanged' | 'applied' | 'declined'

/** The sites that one run works on. */
export interface RunSites {
  /** The folder in which the run works on a site: a copy of it, or the site itself where the run created it. */
  folder(siteId: string): Promise<string>
  /** Where a site lies; programs that need what is installed run there. */
  home(siteId: string): Promise<string>
  /** Makes the folder of a new site, which needs no copy. */
  create(siteId: string): Promise<string>
  isCreated(siteId: string): boolean
  /** Moves a site that this run did not make to the backups, once a person has agreed. Refuses with 409 `site_exists`, and leaves it, otherwise. */
  retire(siteId: string): Promise<void>
  /** Shows a person what the run changed in a site, with further lines of ours, and brings it there once that is approved. */
  settle(siteId: string, further?: readonly string[]): Promise<Settled>
  /** Ids of the sites with changes that have not been shown yet. */
  unsettled(): Promise<readonly string[]>
  /** Removes the copies. */
  close(): Promise<void>
}

const mostPatch = 100_000

/** Keeps the copies of one run. */
export function createRunSites({ workspace, servers, streamId, approvals, clock }: {
  readonly workspace: Workspace
  readonly servers: Pick<Servers, 'stop'>
  readonly streamId: string
  readonly approvals: Pick<Approvals, 'allows'>
  readonly clock: Clock
}): RunSites {
  const copies = new Map<string, Promise<WorkingCopy>>()
  const created = new Set<string>()

  const copyOf = (siteId: string): Promise<WorkingCopy> => {
    const known = copies.get(siteId)
    if (known) return known
    const copying = workspace.site(siteId).then(async (site) => copySite(site, await workspace.own('runs', streamId, siteId)))
    copies.set(siteId, copying)
    copying.catch(() => copies.delete(siteId))
    return copying
  }

  return {
    home: (siteId) => workspace.site(siteId),
    async folder(siteId) {
      return created.has(siteId) ? workspace.site(siteId) : (await copyOf(siteId)).folder
    },
    async create(siteId) {
      const folder = await workspace.create(siteId)
      created.add(siteId)
      return folder
    },
    isCreated: (siteId) => created.has(siteId),
    async retire(siteId) {
      if (created.has(siteId) || !(await workspace.siteIds()).includes(siteId)) return
      const question = `The workspace has a site '${siteId}' already. Replace it with a new one? All its files move to ${ownFolder}/backups/${siteId}.`
      if (!(await approvals.allows(question, { header: 'Replace', label: 'Replace' }))) throw fileRefusals.siteExists(siteId)
      await servers.stop(siteId)
      await rename(await workspace.site(siteId), join(await workspace.own('backups', siteId), stampOf(clock)))
      await copies.get(siteId)?.then((copy) => copy.remove())
      copies.delete(siteId)
    },
    async settle(siteId, further = []) {
      if (created.has(siteId)) return 'unchanged'
      const copy = await copyOf(siteId)
      const changes = await copy.changes()
      if (changes.length === 0 && further.length === 0) return 'unchanged'
      const shown = toShown(changes)
      const names = changes.map(({ kind, path }) => `${kind}: ${path}`)
      const question = [`Apply these changes to the site '${siteId}'?`, ...names, ...further].join('\n')
      if (!(await approvals.allows(question, { header: 'Changes', label: 'Apply', changes: { changes: shown } }))) return 'declined'
      await copy.apply(changes, await workspace.own('backups', siteId, stampOf(clock)))
      return 'applied'
    },
    async unsettled() {
      const found = await Promise.all([...copies].map(async ([siteId, copy]) => ((await (await copy).changes()).length > 0 ? [siteId] : [])))
      return found.flat()
    },
    async close() {
      await Promise.all([...copies.values()].map(async (copy) => (await copy).remove()).map((removed) => removed.catch(() => undefined)))
    },
  }
}

const stampOf = (clock: Clock): string => clock.now().toISOString().replaceAll(/[:.]/g, '-')

/** Patches as long as a stream can carry them; of the others only that they are there. */
function toShown(changes: readonly Change[]): Change[] {
  let left = mostPatch
  return changes.map((change) => ((left -= change.patch.length) < 0 ? { ...change, patch: '(too long to be shown here)' } : change))
}
