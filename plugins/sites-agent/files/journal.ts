import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { errorCode, type Logger, writeDurably } from '../../../kernel/index.ts'
import { placeOf, removePlace, replacePlace } from './guard.ts'
import { hashOf } from './patch.ts'
import { fileRefusals } from './refusals.ts'
import { type Change, readBelow } from './working-copy.ts'
import type { Workspace } from './workspace.ts'

/** A file to replace: the hashes of its contents, `null` for no file. */
const Step = v.object({ path: v.string(), before: v.nullable(v.string()), after: v.nullable(v.string()) })
type Step = v.InferOutput<typeof Step>
const Folder = v.optional(v.array(v.string()), [])

/** The lock of a site, and once it has steps, a decision to take all of them. */
const Journal = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    owner: v.string(),
    /** The folders of the contents after and before the steps, below the own folder of the workspace. */
    next: Folder,
    kept: Folder,
    steps: v.optional(v.array(Step), []),
  }),
)
type Journal = v.InferOutput<typeof Journal>
type Steps = Omit<Journal, 'owner'>

export type Journals = ReturnType<typeof createJournals>

const folderName = 'applying'
let taken = 0

/**
 * Applies changes to sites, completely or not at all, even if the service is killed: one file per site is its
 * lock and its journal. The next start finishes an apply whose steps were decided, and drops others.
 */
export function createJournals({
  workspace,
  owner,
  isAlive,
  log,
}: {
  readonly workspace: Workspace
  /** The id of this process. */
  readonly owner: string
  readonly isAlive: (owner: string) => Promise<boolean>
  readonly log: Pick<Logger, 'warn' | 'error'>
}) {
  const fileOf = async (siteId: string): Promise<string> =>
    join(await workspace.own(folderName), `${siteId}.json`)

  /** Takes the lock of a site. Refuses with 409 `site_busy` if a living process has it. */
  async function take(siteId: string): Promise<void> {
    const file = await fileOf(siteId)
    const temporary = `${file}.${process.pid}.${++taken}`
    await writeFile(temporary, JSON.stringify({ owner }))
    try {
      if (await isTaken(temporary, file)) {
        await recover(siteId)
        if (await isTaken(temporary, file)) throw fileRefusals.siteBusy(siteId)
      }
    } finally {
      await rm(temporary)
    }
  }

  async function release(siteId: string): Promise<void> {
    await rm(await workspace.own(folderName, siteId), { recursive: true })
    await removePlace({ root: await workspace.own(folderName), path: `${siteId}.json`, exists: true })
  }

  /** Decides steps, and takes them, like `play`. */
  async function run(siteId: string, decided: Steps, isBack = false): Promise<void> {
    const temporary = `${siteId}.next`
    await rm(join(await workspace.own(folderName), temporary), { force: true })
    await writeDurably(await fileOf(siteId), JSON.stringify({ owner, ...decided }), { temporary })
    await play(siteId, decided, isBack)
  }

  /**
   * Takes the steps that are left. Files with other contents were changed by others: when rolling back
   * they stay, otherwise no step is taken, and the first is refused with 409 `site_changed`.
   */
  async function play(siteId: string, { next, steps }: Steps, isBack = false): Promise<void> {
    const [site, contents] = [await workspace.site(siteId), await workspace.own(...next)]
    const left: Step[] = []
    const foreign: string[] = []
    for (const step of steps) {
      const now = await readBelow(site, step.path).then(hashOf, () => undefined)
      if (now === step.before) left.push(step)
      else if (now !== step.after) foreign.push(step.path)
    }
    if (left.length > 0 && foreign[0] !== undefined && !isBack) throw fileRefusals.siteChanged(foreign[0])
    for (const { path, after } of left) {
      const content = after === null ? undefined : await readBelow(contents, path)
      if (hashOf(content) !== after) throw fileRefusals.copyChanged(path)
      if (content) await replacePlace(await placeOf(site, path), content)
      else await removePlace(await placeOf(site, path))
    }
  }

  /** Finishes what an ended process has left, or rolls it back: what was not decided or cannot be finished. */
  async function recover(siteId: string): Promise<void> {
    const journal = await readJournal(await fileOf(siteId))
    if (!journal || (await isAlive(journal.owner))) return
    const isThere = (await workspace.siteIds()).includes(siteId)
    const about = { site: siteId, files: journal.steps.length }
    if (isThere) {
      await play(siteId, journal).catch(async (err: unknown) => {
        log.warn({ ...about, err }, 'changes of a site cannot be finished, so they are rolled back')
        await play(siteId, toOpposite(journal), true)
      })
    }
    if ((await readJournal(await fileOf(siteId)))?.owner !== journal.owner) return
    await release(siteId)
    log.warn(about, 'recovered a site to which an ended service was applying changes')
  }

  return {
    /** Does work on a site while no run applies changes to it. Refuses with 409 `site_busy`. */
    async locked(siteId: string, work: () => Promise<void>): Promise<void> {
      await take(siteId)
      await work().finally(() => release(siteId))
    },
    /**
     * Applies changes of a copy to its site, exactly as they were shown, and keeps the replaced files in
     * `backups`. Refuses with 409 `site_busy`, `site_changed` and `copy_changed`; then, and if a write fails,
     * the site stays as it was.
     */
    async apply(
      siteId: string,
      {
        changes,
        copy,
        backups,
      }: { readonly changes: readonly Change[]; readonly copy: string; readonly backups: readonly string[] },
    ): Promise<void> {
      const site = await workspace.site(siteId)
      await take(siteId)
      let isWhole = true
      try {
        const decided = {
          next: [folderName, siteId],
          kept: [...backups],
          steps: changes.map(({ path, before, after }) => ({ path, before, after })),
        }
        const [next, kept] = [await workspace.own(...decided.next), await workspace.own(...backups)]
        for (const { path, before, after } of changes) {
          const [old, content] = [await readBelow(site, path), await readBelow(copy, path)]
          if (hashOf(old) !== before) throw fileRefusals.siteChanged(path)
          if (hashOf(content) !== after) throw fileRefusals.copyChanged(path)
          if (old) await replacePlace(await placeOf(kept, path), old)
          if (content) await replacePlace(await placeOf(next, path), content)
        }
        try {
          await run(siteId, decided)
        } catch (error) {
          isWhole = false
          await run(siteId, toOpposite(decided), true)
          isWhole = true
          throw error
        }
      } finally {
        // Otherwise the next start restores the rest.
        if (isWhole) await release(siteId)
      }
    },
    /** Recovers every site. A failure is logged, and the site stays locked until a start recovers it. */
    async recover(): Promise<void> {
      for (const name of await readdir(await workspace.own(folderName))) {
        const [siteId = ''] = name.split('.')
        if (name === `${siteId}.json`)
          await recover(siteId).catch((err: unknown) =>
            log.error({ err, site: siteId }, 'changes of a site could not be finished'),
          )
      }
    },
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
  return text === undefined ? undefined : v.parse(Journal, text)
}
