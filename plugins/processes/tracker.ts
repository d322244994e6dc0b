import { appendFile, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cgroups, endCgroup, findCgroups, inCgroup, listCgroup, makeCgroup } from './cgroup.ts'
import { findNamespace } from './namespace.ts'
import { canFind, findBelow, findMarked, isAlive, killAll, type Mark, signalTo } from './processes.ts'

/** How the processes of a command are found: in a namespace or a cgroup, or else by what they inherit. */
type Tracking = 'namespace' | 'cgroup' | 'tree' | 'group'

/** The processes of one command, by the id of the process that was started for it. */
export interface Tracked {
  /** Returns the words that start the command as one of them. */
  words(words: readonly string[]): readonly string[]
  list(pid: number): Promise<readonly number[]>
  /** Kills them all; without an id when no process could be started. */
  end(pid?: number): Promise<unknown>
}

export interface Tracker {
  readonly tracking: Tracking
  track(mark: Mark): Promise<Tracked>
}

/** Tracks processes in a namespace: the process that was started ends after all below it. */
export const namespaceTracker = (words: Tracked['words']): Tracker => ({
  tracking: 'namespace',
  track: async () => ({
    words,
    list: (pid) => findBelow([pid]),
    end: async (pid) => pid !== undefined && killAll(() => findBelow([pid])),
  }),
})

/** Tracks processes in cgroups, recorded in `file`. A process can leave by moving itself to another one. */
export const cgroupTracker = (cgroups: Cgroups, file: string): Tracker => ({
  tracking: 'cgroup',
  async track() {
    const group = await makeCgroup(cgroups.folder)
    await appendFile(file, `${group}\n`)
    return {
      words: (words) => inCgroup(cgroups.shell, group, words),
      list: () => listCgroup(group),
      end: () => endCgroup(group),
    }
  },
})

/** Tracks processes by their mark and their group. A process that changes both is lost. */
export const markTracker: Tracker = {
  tracking: canFind ? 'tree' : 'group',
  async track(mark) {
    const marked = () => findMarked(({ run, owner }) => run === mark.run && owner === mark.owner)
    return {
      words: (words) => words,
      list: async (pid) => (canFind ? marked() : [-pid]),
      async end(pid) {
        if (pid !== undefined) signalTo(-pid, 'SIGKILL')
        await killAll(marked)
      },
    }
  },
}

/** True if no process of a command stays unless it moves itself. */
export const isComplete = ({ tracking }: Tracker): boolean =>
  tracking === 'namespace' || tracking === 'cgroup'

/** Returns the best tracker that this system allows. `folder` exists, for what `endLeftovers` needs. */
export async function findTracker(
  folders: readonly string[],
  { folder, owner }: { readonly folder: string; readonly owner: string },
): Promise<Tracker> {
  const namespace = await findNamespace(folders)
  if (namespace) return namespaceTracker(namespace)
  const cgroups = await findCgroups(folders)
  if (!cgroups) return markTracker
  return cgroupTracker(cgroups, recordOf(folder, owner))
}

/** The file with the cgroups of a service. */
export const recordOf = (folder: string, owner: string): string => join(folder, encodeURIComponent(owner))

/** Kills the processes of services that have ended. Returns their number. */
export async function endLeftovers(folder: string, workspace: string): Promise<number> {
  let count = 0
  for (const name of await readdir(folder).catch(() => [])) {
    if (await isAlive(decodeURIComponent(name))) continue
    const groups = await readFile(join(folder, name), 'utf8').catch(() => '')
    for (const group of groups.split('\n').filter(Boolean)) count += await endCgroup(group)
    await rm(join(folder, name), { force: true })
  }
  const isLeft = async (mark: Mark): Promise<boolean> =>
    mark.workspace === workspace && !(await isAlive(mark.owner))
  return (
    count +
    (await killAll(async () => {
      const marked = await findMarked(isLeft)
      // No command can change the mark of the process that holds its namespace.
      return [...marked, ...(await findBelow(marked))]
    }))
  )
}
