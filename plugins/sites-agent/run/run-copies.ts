import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../kernel/index.ts'
import { fileRefusals } from '../files/refusals.ts'
import { type Change, copySite, type WorkingCopy } from '../files/working-copy.ts'
import { ownFolder, type Workspace } from '../files/workspace.ts'
import type { Servers } from '../shell/servers.ts'
import type { Approvals } from './approvals.ts'

export type Settled = 'unchanged' | 'applied' | 'declined'

/** The site folders of one run. */
export type RunCopies = ReturnType<typeof createRunCopies>

const mostPatch = 100_000

/** Manages the working copies of one run. */
export function createRunCopies({ workspace, servers, streamId, approvals, clock }: {
  readonly workspace: Workspace
  readonly servers: Pick<Servers, 'stop'>
  readonly streamId: string
  readonly approvals: Pick<Approvals, 'allows'>
  readonly clock: Clock
}) {
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
    /** Returns the folder of the site itself, for programs that need installed packages. */
    home: (siteId: string): Promise<string> => workspace.site(siteId),
    /** Returns the run's folder for a site: a copy, or the site itself if the run created it. */
    async folder(siteId: string): Promise<string> {
      return created.has(siteId) ? workspace.site(siteId) : (await copyOf(siteId)).folder
    },
    /** Creates the folder of a new site, which needs no copy. */
    async create(siteId: string): Promise<string> {
      const folder = await workspace.create(siteId)
      created.add(siteId)
      return folder
    },

    /** Moves another run's site to the backups if a person agrees, else refuses with 409 `site_exists`. */
    async retire(siteId: string): Promise<void> {
      if (created.has(siteId) || !(await workspace.siteIds()).includes(siteId)) return
      const question = `The workspace already has a site '${siteId}'. Replace it with a new one? All its files will be moved to ${ownFolder}/backups/${siteId}.`
      if (!(await approvals.allows(question, { header: 'Replace', label: 'Replace' }))) throw fileRefusals.siteExists(siteId)
      await servers.stop(siteId)
      await rename(await workspace.site(siteId), join(await workspace.own('backups', siteId), stampOf(clock)))
      await copies.get(siteId)?.then((copy) => copy.remove())
      copies.delete(siteId)
    },
    /** Shows a person the changes of a site, with additional lines, and applies them on approval. */
    async settle(siteId: string, further: readonly string[] = []): Promise<Settled> {
      if (created.has(siteId)) return 'unchanged'
      const copy = await copyOf(siteId)
      const changes = await copy.changes()
      if (changes.length === 0 && further.length === 0) return 'unchanged'
      const shown = toShown(changes)
      const names = changes.map(({ kind, path }) => `${kind}: ${path}`)
      const question = [`Apply these changes to the site '${siteId}'?`, ...names, ...further].join('\n')
      if (!(await approvals.allows(question, { header: 'Changes', label: 'Apply', changes: shown }))) return 'declined'
      await copy.apply(changes, await workspace.own('backups', siteId, stampOf(clock)))
      return 'applied'
    },
    /** Returns the ids of sites with changes that were not shown yet. */
    async unsettled(): Promise<readonly string[]> {
      const found = await Promise.all([...copies].map(async ([siteId, copy]) => ((await (await copy).changes()).length > 0 ? [siteId] : [])))
      return found.flat()
    },
    async close(): Promise<void> {
      await Promise.all([...copies.values()].map(async (copy) => (await copy).remove()).map((removed) => removed.catch(() => undefined)))
    },
  }
}

const stampOf = (clock: Clock): string => clock.now().toISOString().replaceAll(/[:.]/g, '-')

/** Limits the total length of patches for the stream. */
function toShown(changes: readonly Change[]): Change[] {
  let left = mostPatch
  return changes.map((change) => ((left -= change.patch.length) < 0 ? { ...change, patch: '(too long to show)' } : change))
}
