import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../../kernel/index.ts'
import type { Journals } from '../files/journal.ts'
import { mostPatch, visible } from '../files/patch.ts'
import { problems } from '../files/problems.ts'
import { type FileChange, copySite, type WorkingCopy } from '../files/working-copy.ts'
import { ownFolder, type Workspace } from '../files/workspace.ts'
import type { Servers } from '../shell/servers.ts'
import type { Approvals } from './approvals.ts'

type Settled = 'unchanged' | 'applied' | 'declined'

/** The maximum length of the names in one question. */
const mostNames = 15_000

interface CopyParts {
  readonly workspace: Workspace
  readonly journals: Journals
  readonly servers: Pick<Servers, 'stop'>
  readonly streamId: string
  readonly approvals: Pick<Approvals, 'allows'>
  readonly clock: Clock
}

/** The working copies of sites in one run. */
export class RunCopies {
  readonly #parts: CopyParts
  readonly #copies = new Map<string, Promise<WorkingCopy>>()
  readonly #created = new Set<string>()

  constructor(parts: CopyParts) {
    this.#parts = parts
  }

  /** Returns the folder of the site itself, for programs that need installed packages. */
  home(siteId: string): Promise<string> {
    return this.#parts.workspace.site(siteId)
  }

  /** Returns the run's copy of a site. */
  async folder(siteId: string): Promise<string> {
    return (await this.#copyOf(siteId)).folder
  }

  /** Creates the folder of a new site, whose changes need no approval. */
  async create(siteId: string): Promise<string> {
    const folder = await this.#parts.workspace.create(siteId)
    this.#created.add(siteId)
    return folder
  }

  /** Moves another run's site to the backups if a person agrees, else throws a Problem. */
  async retire(siteId: string): Promise<void> {
    const { workspace, journals, servers, approvals, clock } = this.#parts
    if (this.#created.has(siteId) || !(await workspace.siteIds()).includes(siteId)) return
    const question = `The workspace already has a site '${siteId}'. Replace it with a new one? All its files will be moved to ${ownFolder}/backups/${siteId}.`
    if (!(await approvals.allows(question, { header: 'Replace', label: 'Replace' })))
      throw problems.siteExists(siteId)
    await servers.stop(siteId)
    const backup = join(await workspace.own('backups', siteId), stampOf(clock))
    await journals.locked(siteId, async () => rename(await workspace.site(siteId), backup))
    await this.#copies.get(siteId)?.then((copy) => copy.remove())
    this.#copies.delete(siteId)
  }

  /**
   * Shows a person all changes of a site, with additional lines, and applies them once every part is
   * approved. Throws a Problem like `Journals.apply`, without changing the site.
   */
  async settle(siteId: string, further: readonly string[] = []): Promise<Settled> {
    const { journals, clock } = this.#parts
    const copy = await this.#copyOf(siteId)
    const changes = await copy.changes()
    if (changes.length === 0 && further.length === 0) return 'unchanged'
    if (!this.#created.has(siteId) && !(await this.#isApproved(siteId, changes, further))) return 'declined'
    const backups = ['backups', siteId, stampOf(clock)]
    await journals.apply(siteId, { changes, copy: copy.folder, backups })
    copy.settled(changes)
    return 'applied'
  }

  /** Shows the changes of all sites that were not shown yet. */
  async settleAll(): Promise<void> {
    for (const siteId of this.#copies.keys()) await this.settle(siteId)
  }

  /** Waits until no copy is being made, so that the folders of the run can be removed. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#copies.values())
  }

  #copyOf(siteId: string): Promise<WorkingCopy> {
    const { workspace, streamId } = this.#parts
    const cached = this.#copies.get(siteId)
    if (cached) return cached
    const copying = workspace
      .site(siteId)
      .then(async (site) => copySite(site, await workspace.own('runs', streamId, siteId)))
    this.#copies.set(siteId, copying)
    copying.catch(() => this.#copies.delete(siteId))
    return copying
  }

  async #isApproved(
    siteId: string,
    changes: readonly FileChange[],
    further: readonly string[],
  ): Promise<boolean> {
    const parts = toParts(changes)
    for (const [at, part] of parts.entries()) {
      const title = `Apply these changes to the site '${siteId}'?${parts.length > 1 ? ` (part ${at + 1} of ${parts.length})` : ''}`
      const lines = [title, ...part.map(changeLine), ...(at === 0 ? further : [])]
      const shown = part.map(({ path, kind, patch }) => ({ path: visible(path), kind, patch }))
      const option = { header: 'Changes', label: 'Apply', changes: shown }
      if (!(await this.#parts.approvals.allows(lines, option))) return false
    }
    return true
  }
}

const stampOf = (clock: Clock): string => clock.now().toISOString().replaceAll(/[:.]/g, '-')

const changeLine = ({ kind, path, patch, isShown }: FileChange): string =>
  `${kind}: ${path}${isShown ? '' : ` ${patch}`}`

/** Splits changes into parts that fit into one question each. */
function toParts(changes: readonly FileChange[]): readonly (readonly FileChange[])[] {
  const parts: FileChange[][] = [[]]
  let [names, patches] = [0, 0]
  for (const change of changes) {
    names += changeLine(change).length
    patches += change.patch.length
    if (names > mostNames || patches > mostPatch) {
      ;[names, patches] = [changeLine(change).length, change.patch.length]
      parts.push([])
    }
    parts.at(-1)?.push(change)
  }
  return parts
}
