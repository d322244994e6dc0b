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
  readonly start: string
}

/** Returns a process; `undefined` if there is none with this id, or if it has ended. */
async function readProcess(pid: number): Promise<Process | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The program name may contain spaces and brackets, so the fields are counted after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state = '', parent] = fields
  const start = fields[19]
  return start === undefined || /[ZX]/.test(state) ? undefined : { pid, parent: Number(parent), start }
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
export async function findMarked(
  isMeant: (mark: Mark) => boolean | Promise<boolean>,
): Promise<readonly number[]> {
  const found = await Promise.all(
    (await allPids()).map(async (pid) => {
      const mark = await markOf(pid)
      return mark && (await isMeant(mark)) ? [pid] : []
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

/** Returns all processes below others by their parents, without those that have ended. */
export async function findBelow(roots: readonly number[]): Promise<readonly number[]> {
  const all = (await Promise.all((await allPids()).map(readProcess))).filter((each) => each !== undefined)
  const children = Map.groupBy(all, ({ parent }) => parent)
  const found = new Set(roots)
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child.pid)
  return [...found.difference(new Set(roots))]
}

/** Kills the processes that a search finds, until it finds none. Returns how many there were. */
export async function killAll(find: () => Promise<readonly number[]>): Promise<number> {
  let count = 0
  for (let tries = 0; tries < 100; tries++) {
    const found = await Promise.all((await find()).map(readProcess))
    const alive = found.filter((each) => each !== undefined)
    if (alive.length === 0) break
    count += alive.length
    for (const { pid } of alive) signalTo(pid, 'SIGKILL')
    // The first process of a namespace ends after all others of it.
    for (const { pid, start } of alive)
      for (let waited = 0; waited < 200 && (await startOf(pid)) === start; waited++) await wait(5)
  }
  return count
}
