import { randomInt } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { endCgroup, findCgroup, inCgroup, listCgroup, makeCgroup } from './cgroup.ts'
import { canFind, createTree, findMarked, isAlive, type Mark, startOf, withScore } from './processes.ts'

/** How the processes of a command are found. */
type Tracking = 'cgroup' | 'tree' | 'group'

/** The processes of one command. */
export interface Tracked {
  /** Returns the words that start the command as one of them. */
  words(words: readonly string[]): readonly string[]
  started(pid: number): Promise<void>
  list(): Promise<readonly number[]>
  /** Kills them all. */
  end(): Promise<void>
}

export interface Tracker {
  readonly tracking: Tracking
  track(mark: Mark): Promise<Tracked>
}

/**
 * Creates a tracker: with a cgroup for each command, otherwise by the process tree. Records in `folder` what
 * `endLeftovers` needs after the service was killed.
 */
export async function createTracker({
  folder,
  owner,
  cgroup,
}: {
  readonly folder: string
  readonly owner: string
  /** Below which cgroups are made; `undefined` if that is not possible. */
  readonly cgroup: string | undefined
}): Promise<Tracker> {
  await mkdir(folder, { recursive: true })
  const record = (line: string): Promise<void> =>
    appendFile(join(folder, encodeURIComponent(owner)), `${line}\n`)

  const byCgroup = async (parent: string): Promise<Tracked> => {
    const group = await makeCgroup(parent)
    await record(group)
    return {
      words: (words) => inCgroup(group, words),
      started: async () => undefined,
      list: () => listCgroup(group),
      end: async () => void (await endCgroup(group)),
    }
  }
  const byTree = (mark: Mark): Tracked => {
    const tree = createTree(
      ({ run, owner: each }) => run === mark.run && each === mark.owner,
      ({ pid, start }) => void record(`${pid} ${start}`).catch(() => undefined),
    )
    const score = randomInt(500, 1000)
    return {
      words: (words) => (canFind ? withScore(score, words) : words),
      async started(pid) {
        const start = await startOf(pid)
        if (start === undefined) return
        tree.addScore(score, Number(start))
        await record(`score ${score} ${start}`)
        await tree.add(pid, start)
      },
      list: tree.scan,
      end: async () => void (await tree.end()),
    }
  }
  return {
    tracking: cgroup !== undefined ? 'cgroup' : canFind ? 'tree' : 'group',
    track: async (mark) => (cgroup === undefined ? byTree(mark) : byCgroup(cgroup)),
  }
}

/** Returns the cgroup below which a tracker makes others. */
export const findTracking = (): Promise<string | undefined> =>
  canFind ? findCgroup() : Promise.resolve(undefined)

/** Kills the processes of services that have ended. Returns their number. */
export async function endLeftovers(folder: string, workspace: string): Promise<number> {
  const names = new Set(await readdir(folder).catch(() => []))
  await findMarked((mark) => {
    if (mark.workspace === workspace) names.add(encodeURIComponent(mark.owner))
    return false
  })
  let count = 0
  for (const name of names) {
    const owner = decodeURIComponent(name)
    if (await isAlive(owner)) continue
    const tree = createTree((mark) => mark.workspace === workspace && mark.owner === owner)
    const file = join(folder, name)
    for (const line of (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)) {
      const [first, ...rest] = line.split(' ')
      if (line.startsWith('/')) count += await endCgroup(line)
      else if (first === 'score') tree.addScore(Number(rest[0]), Number(rest[1]))
      else await tree.add(Number(first), rest[0])
    }
    count += await tree.end()
    await rm(file, { force: true })
  }
  return count
}
