import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { errorCode, type Logger, writeDurably } from '../../../../kernel/index.ts'
import { Problem } from '../problem.ts'
import { guardPath, removeGuarded, replaceGuarded } from './guard.ts'
import { hashOf } from './patch.ts'
import { problems } from './problems.ts'
import { type FileChange, readBelow } from './working-copy.ts'
import type { Workspace } from './workspace.ts'

/** A file to replace: the hashes of its contents, `null` for no file. */
const Step = v.object({ path: v.string(), before: v.nullable(v.string()), after: v.nullable(v.string()) })
const Folder = v.optional(v.array(v.string()), [])

/** The lock of a site, and once it has steps, a decision to take all of them. */
const Journal = v.object({
  owner: v.string(),
  /** The folders of the contents after and before the steps, below the own folder of the workspace. */
  next: Folder,
  kept: Folder,
  steps: v.optional(v.array(Step), []),
})
type Journal = v.InferOutput<typeof Journal>
type Steps = Omit<Journal, 'owner'>

const folderName = 'applying'
let taken = 0

interface JournalParts {
  readonly workspace: Workspace
  /** The id of this process. */
  readonly owner: string
  readonly isAlive: (owner: string) => Promise<boolean>
  readonly log: Pick<Logger, 'warn' | 'error'>
}

/**
 * Applies changes to sites, completely or not at all, even if the service is killed: one file per site is its
 * lock and its journal. The next start finishes an apply whose steps were decided, and drops others.
 */
export class Journals {
  readonly #parts: JournalParts

  constructor(parts: JournalParts) {
    this.#parts = parts
  }

  /** Does work on a site while no run applies changes to it; throws a Problem if one does. */
  async locked(siteId: string, work: () => Promise<void>): Promise<void> {
    await this.#take(siteId)
    await work().finally(() => this.#release(siteId))
  }

  /**
   * Applies changes of a copy to its site, exactly as they were shown, and keeps the replaced files in
   * `backups`. Throws a Problem if another run applies changes, or a file has changed; then, and if a write fails,
   * the site stays as it was.
   */
  async apply(
    siteId: string,
    changed: { readonly changes: readonly FileChange[]; readonly copy: string; readonly backups: string[] },
  ): Promise<void> {
    await this.#parts.workspace.site(siteId)
    await this.#take(siteId)
    let isWhole = true
    try {
      const steps = await this.#decide(siteId, changed)
      isWhole = false
      await this.#play(siteId, steps).catch(async (error: unknown) => {
        await this.#play(siteId, toOpposite(steps), true)
        isWhole = true
        throw error
      })
      isWhole = true
    } finally {
      // Otherwise the next start recovers the site.
      if (isWhole) await this.#release(siteId)
    }
  }

  /** Recovers every site. A failure is logged, and the site stays locked until a start recovers it. */
  async recover(): Promise<void> {
    const { workspace, log } = this.#parts
    for (const name of await readdir(await workspace.own(folderName))) {
      const [siteId = ''] = name.split('.')
      if (name === `${siteId}.json`)
        await this.#recover(siteId).catch((err: unknown) =>
          log.error({ err, site: siteId }, 'changes of a site could not be finished'),
        )
    }
  }

  async #fileOf(siteId: string): Promise<string> {
    return join(await this.#parts.workspace.own(folderName), `${siteId}.json`)
  }

  /** Takes the lock of a site. Throws a Problem if a living process has it. */
  async #take(siteId: string): Promise<void> {
    const file = await this.#fileOf(siteId)
    const temporary = `${file}.${process.pid}.${++taken}`
    await writeFile(temporary, JSON.stringify({ owner: this.#parts.owner }))
    try {
      if (await isTaken(temporary, file)) {
        await this.#recover(siteId)
        if (await isTaken(temporary, file))
          throw new Problem(
            `Another run is applying its changes to the site '${siteId}', so nothing was applied. Start the run again.`,
          )
      }
    } finally {
      await rm(temporary)
    }
  }

  async #release(siteId: string): Promise<void> {
    const root = await this.#parts.workspace.own(folderName)
    await rm(join(root, siteId), { recursive: true, force: true })
    await removeGuarded({ root, path: `${siteId}.json`, exists: true })
  }

  /** Keeps both versions of the files, then decides that all steps are taken. */
  async #decide(
    siteId: string,
    { changes, copy, backups }: Parameters<Journals['apply']>[1],
  ): Promise<Steps> {
    const { workspace, owner } = this.#parts
    const decided: Steps = {
      next: [folderName, siteId],
      kept: backups,
      steps: changes.map(({ path, before, after }) => ({ path, before, after })),
    }
    const site = await workspace.site(siteId)
    const [next, backup] = [await workspace.own(...decided.next), await workspace.own(...backups)]
    for (const { path, before, after } of changes) {
      const [old, content] = [await readBelow(site, path), await readBelow(copy, path)]
      if (hashOf(old) !== before) throw problems.siteChanged(path)
      if (hashOf(content) !== after) throw problems.copyChanged(path)
      if (old) await replaceGuarded(await guardPath(backup, path), old)
      if (content) await replaceGuarded(await guardPath(next, path), content)
    }
    const temporary = `${siteId}.next`
    await rm(join(await workspace.own(folderName), temporary), { force: true })
    await writeDurably(await this.#fileOf(siteId), JSON.stringify({ owner, ...decided }), { temporary })
    return decided
  }

  /**
   * Takes the steps that are left. Files with other contents were changed by others: when rolling back
   * they stay, otherwise no step is taken, and the first is the Problem that is thrown.
   */
  async #play(siteId: string, { next, steps }: Steps, isBack = false): Promise<void> {
    const { workspace } = this.#parts
    const [site, contents] = [await workspace.site(siteId), await workspace.own(...next)]
    const remaining: Steps['steps'] = []
    const foreign: string[] = []
    for (const step of steps) {
      const now = await readBelow(site, step.path).then(hashOf, () => undefined)
      if (now === step.before) remaining.push(step)
      else if (now !== step.after) foreign.push(step.path)
    }
    if (remaining.length > 0 && foreign[0] !== undefined && !isBack) throw problems.siteChanged(foreign[0])
    for (const { path, after } of remaining) {
      const content = after === null ? undefined : await readBelow(contents, path)
      if (hashOf(content) !== after) throw problems.copyChanged(path)
      if (content) await replaceGuarded(await guardPath(site, path), content)
      else await removeGuarded(await guardPath(site, path))
    }
  }

  /** Finishes what an ended process has left, or rolls it back: what was not decided or cannot be finished. */
  async #recover(siteId: string): Promise<void> {
    const { workspace, isAlive, log } = this.#parts
    const journal = await readJournal(await this.#fileOf(siteId))
    if (!journal || (await isAlive(journal.owner))) return
    const metadata = { site: siteId, files: journal.steps.length }
    if ((await workspace.siteIds()).includes(siteId)) {
      await this.#play(siteId, journal).catch(async (err: unknown) => {
        log.warn({ ...metadata, err }, 'changes of a site cannot be finished, so they are rolled back')
        await this.#play(siteId, toOpposite(journal), true)
      })
    }
    if ((await readJournal(await this.#fileOf(siteId)))?.owner !== journal.owner) return
    await this.#release(siteId)
    log.warn(metadata, 'recovered a site to which an ended service was applying changes')
  }
}

/** Returns the steps that lead back. */
const toOpposite = ({ next, kept, steps }: Steps): Steps => ({
  next: kept,
  kept: next,
  steps: steps.map(({ path, before, after }) => ({ path, before: after, after: before })),
})

/** Takes a lock by giving a complete file its name, which only one process can do. */
const isTaken = (temporary: string, file: string): Promise<boolean> =>
  link(temporary, file).then(
    () => false,
    (error: unknown) => {
      if (errorCode(error) === 'EEXIST') return true
      throw error
    },
  )

async function readJournal(file: string): Promise<Journal | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : v.parse(Journal, JSON.parse(text))
}
