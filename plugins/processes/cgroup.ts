import { access, mkdtemp, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { canRun, findProgram } from './programs.ts'

/** The start of the names of all cgroups of this service. */
const prefix = 'sites-agent.'

/** Enters a cgroup, then becomes the program: no process of it is ever outside. */
const entering = 'echo 0 > "$0/cgroup.procs" && exec "$@"'

/** The cgroup below which others are made, and the shell that enters them. */
export interface Cgroups {
  readonly folder: string
  readonly shell: string
}

/** Returns the words that run a program in a cgroup. */
export const inCgroup = (shell: string, group: string, words: readonly string[]): readonly string[] => [
  shell,
  '-c',
  entering,
  group,
  ...words,
]

/** Returns the cgroup of this process if it may make others below it, and if they can be killed. */
export async function findCgroups(folders: readonly string[]): Promise<Cgroups | undefined> {
  const shell = await findProgram('sh', folders)
  const [mounts, groups] = await Promise.all(
    ['mountinfo', 'cgroup'].map((name) => readFile(`/proc/self/${name}`, 'utf8').catch(() => '')),
  )
  const lines = (mounts ?? '').split('\n').filter((line) => line.includes(' - cgroup2 '))
  const mount = lines[0]?.split(' ')[4]
  const own = /^0::(\S+)$/m.exec(groups ?? '')?.[1]
  if (shell === undefined || mount === undefined || own === undefined) return undefined
  const folder = join(mount, own)
  let tried: string | undefined
  try {
    tried = await makeCgroup(folder)
    await access(join(tried, 'cgroup.kill'))
    return (await canRun(inCgroup(shell, tried, [process.execPath, '--version'])))
      ? { folder, shell }
      : undefined
  } catch {
    return undefined
  } finally {
    if (tried !== undefined) await rmdir(tried).catch(() => undefined)
  }
}

/** Makes a cgroup for a command. */
export const makeCgroup = (folder: string): Promise<string> => mkdtemp(join(folder, prefix))

/** Returns the processes in a cgroup. */
export async function listCgroup(group: string): Promise<readonly number[]> {
  const text = await readFile(join(group, 'cgroup.procs'), 'utf8').catch(() => '')
  return text.split('\n').filter(Boolean).map(Number)
}

/** Kills all processes of a cgroup and of those below it, and removes them. Returns their number. */
export async function endCgroup(group: string): Promise<number> {
  if (!basename(group).startsWith(prefix)) return 0
  const { length } = await listCgroup(group)
  await writeFile(join(group, 'cgroup.kill'), '1').catch(() => undefined)
  for (let tries = 0; tries < 1_000 && (await isPopulated(group)); tries++) await wait(5)
  await removeCgroup(group)
  return length
}

const isPopulated = (group: string): Promise<boolean> =>
  readFile(join(group, 'cgroup.events'), 'utf8').then(
    (text) => text.includes('populated 1'),
    () => false,
  )

async function removeCgroup(group: string): Promise<void> {
  const entries = await readdir(group, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) if (entry.isDirectory()) await removeCgroup(join(group, entry.name))
  await rmdir(group).catch(() => undefined)
}
