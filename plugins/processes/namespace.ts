import { canRun, findProgram } from './programs.ts'

type Wrap = (words: readonly string[]) => readonly string[]

/**
 * Returns the words that run a command below the first process of a namespace, which ends all others with it.
 * A command that were the first one itself would ignore most signals.
 */
export const belowFirst = (shell: string, words: readonly string[]): readonly string[] => [
  shell,
  '-c',
  '"$@"; exit $?',
  shell,
  ...words,
]

/** A user namespace in which the user of the service keeps its name and number. */
const user = ['--user', '--map-current-user']

/**
 * The options of `unshare`, best first. Without a user namespace the service keeps all its rights over files.
 * Programs that search for processes need a `/proc` of the namespace, which some containers do not allow.
 */
const variants = [['--mount-proc'], [...user, '--mount-proc'], user]

/** Returns what runs words in a process namespace, if this system lets the service make one. */
export async function findNamespace(folders: readonly string[]): Promise<Wrap | undefined> {
  const [unshare, shell] = await Promise.all(['unshare', 'sh'].map((name) => findProgram(name, folders)))
  if (unshare === undefined || shell === undefined) return undefined
  for (const more of variants) {
    const options = ['--pid', '--fork', '--kill-child', ...more, '--']
    const wrap: Wrap = (words) => [unshare, ...options, ...belowFirst(shell, words)]
    if (await canRun(wrap([process.execPath, '--version']))) return wrap
  }
  return undefined
}
