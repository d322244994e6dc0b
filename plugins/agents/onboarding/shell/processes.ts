import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** The variable that marks every process of a run, to find it after it left the process tree. */
export const markName = 'SITES_AGENT_MARK'

/** The origin of a process. */
export interface Mark {
  /** Identifies the workspace. */
  readonly workspace: string
  /** The service process with its start time, because process ids are reused. */
  readonly owner: string
  readonly run: string
}

export const writeMark = ({ workspace, owner, run }: Mark): string => [workspace, owner, run].join(' ')

function readMark(text: string): Mark | undefined {
  const [workspace, owner, run] = text.split(' ')
  return workspace !== undefined && owner !== undefined && run !== undefined
    ? { workspace, owner, run }
    : undefined
}

/** Only Linux exposes the processes of this machine as files. */
export const canFind = process.platform === 'linux'

/** A process of this machine. Its start time tells it from others with the same id. */
interface Process {
  readonly pid: number
  readonly parent: number
  readonly session: number
  readonly start: string
}

/** Returns a process; `undefined` if there is none with this id, or if it has ended. */
async function readProcess(pid: number): Promise<Process | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The program name may contain spaces and brackets, so the fields are counted after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state = '', parent, , session] = fields
  const start = fields[19]
  return start === undefined || /[ZX]/.test(state)
    ? undefined
    : { pid, parent: Number(parent), session: Number(session), start }
}

async function allPids(): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => [])
  return names.filter((name) => /^\d+$/.test(name)).map(Number)
}

async function markOf(pid: number): Promise<Mark | undefined> {
  const variables = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
  const value = variables.split('\0').find((each) => each.startsWith(`${markName}=`))
  return value === undefined ? undefined : readMark(value.slice(markName.length + 1))
}

/** Returns processes with a matching mark; none if the system does not expose variables. */
export async function findMarked(isMeant: (mark: Mark) => boolean): Promise<readonly number[]> {
  const found = await Promise.all(
    (await allPids()).map(async (pid) => {
      const mark = await markOf(pid)
      return mark && isMeant(mark) ? [pid] : []
    }),
  )
  return found.flat()
}

/** Returns the start time of a process in system units; `undefined` if there is no such process. */
export const startOf = async (pid: number): Promise<string | undefined> => (await readProcess(pid))?.start

/** Returns the owner in the marks of a service process. */
export const ownerOf = async (pid: number): Promise<string> => `${pid}:${(await startOf(pid)) ?? ''}`

/** False if the service that owns a mark has ended. */
export async function isAlive(owner: string): Promise<boolean> {
  return owner === (await ownerOf(Number(owner.split(':')[0])))
}

/** Sends a signal to a process, or to a group by its negative id; ignores processes that have ended. */
export function signalTo(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended, or its id has been reused.
  }
}

/**
 * Starts a program that is among the first to be ended when memory runs out. All that it starts inherits the
 * score: no change of parent, session or variables removes it, only writing another one.
 */
const scored = 'echo "$0" > /proc/self/oom_score_adj; exec "$@"'
export const withScore = (score: number, words: readonly string[]): readonly string[] => [
  '/bin/sh',
  '-c',
  scored,
  String(score),
  ...words,
]

const scoreOf = async (pid: number): Promise<number> =>
  Number(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8').catch(() => NaN))

/**
 * Follows processes by their parents, sessions, marks and scores. A process that leaves all four before it was
 * seen is lost. `onFound` receives each process that is seen for the first time.
 */
export function createTree(
  isMeant: (mark: Mark) => boolean,
  onFound: (process: Process) => void = () => undefined,
) {
  const tracked = new Map<number, string>()
  /** The start times of the first processes with these scores. */
  const scores = new Map<number, number>()

  async function scan(): Promise<readonly number[]> {
    const all = (await Promise.all((await allPids()).map(readProcess))).filter((each) => each !== undefined)
    const isTracked = ({ pid, start }: Process): boolean => tracked.get(pid) === start
    const add = (found: Process): void => {
      tracked.set(found.pid, found.start)
      onFound(found)
    }
    const starts = new Map(all.map(({ pid, start }) => [pid, start]))
    for (const [pid, start] of tracked) if (starts.get(pid) !== start) tracked.delete(pid)
    await Promise.all(
      all
        .filter((each) => !isTracked(each))
        .map(async (each) => {
          const since = scores.get(await scoreOf(each.pid))
          const mark = await markOf(each.pid)
          if ((mark && isMeant(mark)) || (since !== undefined && Number(each.start) >= since)) add(each)
        }),
    )
    for (let count = -1; count < tracked.size;) {
      count = tracked.size
      const sessions = new Set(all.filter(isTracked).map(({ session }) => session))
      for (const each of all)
        if (!isTracked(each) && (tracked.has(each.parent) || sessions.has(each.session))) add(each)
    }
    return [...tracked.keys()]
  }

  return {
    /** Adds a process with a known start time, or the one that has this id now. */
    async add(pid: number, start?: string): Promise<void> {
      const found = await readProcess(pid)
      if (!found || (start !== undefined && found.start !== start)) return
      tracked.set(pid, found.start)
      onFound(found)
    },
    /** Adds all processes with a score that started since a time. */
    addScore: (score: number, since: number): void => void scores.set(score, since),
    /** Returns the ids of the processes that are alive. */
    scan,
    /** Kills all processes, including ones started in the meantime. Returns how many there were. */
    async end(graceMs = 0): Promise<number> {
      const first = await scan()
      if (graceMs > 0) {
        for (const pid of first) signalTo(pid, 'SIGTERM')
        for (let waited = 0; waited < graceMs && (await scan()).length > 0; waited += 50) await wait(50)
      }
      for (
        let alive = await scan(), tries = 0;
        alive.length > 0 && tries < 100;
        alive = await scan(), tries++
      ) {
        for (const pid of alive) signalTo(pid, 'SIGKILL')
        await wait(5)
      }
      return first.length
    },
  }
}
