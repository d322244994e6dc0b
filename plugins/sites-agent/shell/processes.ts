import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** The variable that marks every process of a run, to find it in any process group. */
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
  return workspace !== undefined && owner !== undefined && run !== undefined ? { workspace, owner, run } : undefined
}

/** Only Linux exposes the variables of a process. */
export const canFind = process.platform === 'linux'

/** Returns processes with a matching mark; none if the system does not expose variables. */
export async function findMarked(isMeant: (mark: Mark) => boolean): Promise<readonly number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(pids.map(async (pid) => {
    const variables = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    const value = variables.split('\0').find((each) => each.startsWith(`${markName}=`))
    const mark = value === undefined ? undefined : readMark(value.slice(markName.length + 1))
    return mark && isMeant(mark) ? [Number(pid)] : []
  }))
  return found.flat()
}

/** Returns the start time of a process in system units; `undefined` if there is no such process. */
export async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The program name may contain spaces and brackets, so the fields are counted after it.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19]
}

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

/** Kills matching processes, including ones started in the meantime. Returns their number. */
export async function endMarked(isMeant: (mark: Mark) => boolean, graceMs = 0): Promise<number> {
  const first = await findMarked(isMeant)
  if (graceMs > 0) {
    for (const pid of first) signalTo(pid, 'SIGTERM')
    for (let waited = 0; waited < graceMs && (await findMarked(isMeant)).length > 0; waited += 50) await wait(50)
  }
  for (let left = await findMarked(isMeant), tries = 0; left.length > 0 && tries < 100; left = await findMarked(isMeant), tries++) {
    for (const pid of left) signalTo(pid, 'SIGKILL')
    await wait(5)
  }
  return first.length
}
