import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** The variable by which every process that a run starts can be found again, whatever group it moved to. */
export const markName = 'SITES_AGENT_MARK'

/** Who started a process, and for what. */
export interface Mark {
  /** Tells workspaces apart. */
  readonly workspace: string
  /** The process of the service, with the time at which it started: numbers of processes are used again. */
  readonly owner: string
  readonly run: string
}

export const writeMark = ({ workspace, owner, run }: Mark): string => [workspace, owner, run].join(' ')

function readMark(text: string): Mark | undefined {
  const [workspace, owner, run] = text.split(' ')
  return workspace !== undefined && owner !== undefined && run !== undefined ? { workspace, owner, run } : undefined
}

/** Only Linux tells the variables of a process. */
export const canFind = process.platform === 'linux'

/** The processes that bear a mark; none where the system does not tell. */
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

/** When a process started, as the system counts it; `undefined` where there is none. */
export async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name of the program may hold blanks and brackets; the fields are counted from behind it.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19]
}

/** The owner that processes of this service are marked with. */
export const ownerOf = async (pid: number): Promise<string> => `${pid}:${(await startOf(pid)) ?? ''}`

/** False for the mark of a service that has ended without ending what it started. */
export async function isAlive(owner: string): Promise<boolean> {
  return owner === (await ownerOf(Number(owner.split(':')[0])))
}

/** Sends a signal to a process, or to a group by its number below zero; what has ended does not mind. */
export function signalTo(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended, or belongs to somebody else by now.
  }
}

/** Ends processes for good, also those that they start meanwhile. */
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
