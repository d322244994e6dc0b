import { dirname, join } from 'node:path'
import { wordSet } from '../../../content/words.ts'
import { belowFirst, canRun, findProgram } from '../../../processes/port.ts'

/** What a program in a box sees of this machine, besides programs and their libraries. */
export interface BoxView {
  /** The folder in which the program runs, and the only one that it writes to: `/site` in the box. */
  readonly folder: string
  /** The installed packages of a site: `/site/node_modules` in the box. */
  readonly packages?: string | undefined
  /** Files and folders at their own paths. */
  readonly reads?: readonly string[]
  readonly writes?: readonly string[]
  /** Shares the network of this machine, including its loopback addresses. */
  readonly network?: boolean
  /** The folder is a site itself, not a copy of it. */
  readonly isSite?: boolean
}

interface BoxPrograms {
  /** The folders of programs. */
  readonly folders: readonly string[]
  readonly variables: Readonly<Record<string, string>>
}

/** Listed one by one: applications and their data are often below /usr and /etc. */
const shown = wordSet(`
  /usr/bin /usr/sbin /usr/lib /usr/lib32 /usr/lib64 /usr/libexec /usr/share
  /usr/local/bin /usr/local/lib /usr/local/share /bin /sbin /lib /lib32 /lib64
  /etc/alternatives /etc/ssl/certs /etc/ld.so.cache /etc/nsswitch.conf
  /etc/passwd /etc/group /etc/hosts /etc/resolv.conf`)
/** The packages of the running Node, such as npm. */
const packagesOfNode = join(dirname(dirname(process.execPath)), 'lib/node_modules')

/** Returns the words that run others in a box. */
export type Box = (view: BoxView, programs: BoxPrograms, words: readonly string[]) => readonly string[]

/** Returns the arguments of bubblewrap for a box; the program and its arguments follow. */
function boxArguments(
  { folder, packages, reads = [], writes = [], network = false, isSite = false }: BoxView,
  { folders, variables }: BoxPrograms,
): readonly string[] {
  return [
    '--die-with-parent',
    // It ends with its first process, and bubblewrap ends after all of them.
    '--as-pid-1',
    '--new-session',
    '--unshare-all',
    '--cap-drop',
    'ALL',
    ...(network ? ['--share-net'] : []),
    // Before the rest: a program may be below /tmp.
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    ...[...shown, packagesOfNode, ...folders].flatMap((path) => ['--ro-bind-try', path, path]),
    '--bind',
    folder,
    '/site',
    ...(isSite ? ['--tmpfs', '/site/.git'] : []),
    ...(packages === undefined ? [] : ['--bind', packages, '/site/node_modules']),
    ...reads.flatMap((path) => ['--ro-bind', path, path]),
    ...writes.flatMap((path) => ['--bind', path, path]),
    // Tools that observe the service may add variables to every process that it starts.
    '--clearenv',
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir',
    '/site',
    '--',
  ]
}

/** Returns boxes if bubblewrap is installed and this system lets it work. */
export async function findBox(folders: readonly string[], folder: string): Promise<Box | undefined> {
  const [file, shell] = await Promise.all(['bwrap', 'sh'].map((name) => findProgram(name, folders)))
  if (file === undefined || shell === undefined) return undefined
  const box: Box = (view, programs, words) => [
    file,
    ...boxArguments(view, programs),
    ...belowFirst(shell, words),
  ]
  const words = box({ folder }, { folders, variables: {} }, [process.execPath, '--version'])
  return (await canRun(words)) ? box : undefined
}
