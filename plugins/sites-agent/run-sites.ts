import type { Clock } from '../../kernel/index.ts'
import type { Approvals } from './approvals.ts'
import type { Workspace } from './files/workspace.ts'
import { copySite, type Change, type WorkingCopy } from './files/working-copy.ts'

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
  /** Shows a person what the run changed in a site, with further lines of ours, and brings it there once that is approved. */
  settle(siteId: string, further?: readonly string[]): Promise<Settled>
  /** Ids of the sites with changes that nobody has seen. */
  unsettled(): Promise<readonly string[]>
  /** Removes the copies. */
  close(): Promise<void>
}

const mostPatch = 100_000

/** Keeps the copies of one run. */
export function createRunSites({ workspace, streamId, approvals, clock }: {
  readonly workspace: Workspace
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
    async settle(siteId, further = []) {
      if (created.has(siteId)) return 'unchanged'
      const copy = await copyOf(siteId)
      const changes = await copy.changes()
      if (changes.length === 0 && further.length === 0) return 'unchanged'
      const shown = toShown(changes)
      const names = changes.map(({ kind, path }) => `${kind}: ${path}`)
      const question = [`Apply these changes to the site '${siteId}'?`, ...names, ...further].join('\n')
      if (!(await approvals.allows(question, { header: 'Changes', label: 'Apply', changes: { changes: shown } }))) return 'declined'
      const stamp = clock.now().toISOString().replaceAll(/[:.]/g, '-')
      await copy.apply(changes, await workspace.own('backups', siteId, stamp))
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

/** Patches as long as a stream can carry them; of the others only that they are there. */
function toShown(changes: readonly Change[]): Change[] {
  let left = mostPatch
  return changes.map((change) => ((left -= change.patch.length) < 0 ? { ...change, patch: '(too long to be shown here)' } : change))
}
