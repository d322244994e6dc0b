import { dirname } from 'node:path'

export type Isolation = 'bubblewrap' | 'process'

/** What a sandbox leaves of this machine: programs and what they need, and the folders of the run. */
const shown = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc/alternatives', '/etc/ssl', '/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/passwd', '/etc/group']

export interface Confinement {
  /** Folders that may be written to. */
  readonly folders: readonly string[]
  /** Files that may be read. */
  readonly files: readonly string[]
  readonly network: boolean
}

/** The arguments of bubblewrap in front of a command: its own processes, nothing of this machine but programs, a network where it is allowed. */
export function bubblewrap({ folders, files, network }: Confinement): readonly string[] {
  return [
    '--die-with-parent',
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    ...[...shown, dirname(dirname(process.execPath)), ...files].flatMap((path) => ['--ro-bind-try', path, path]),
    '--proc', '/proc',
    '--dev', '/dev',
    '--tmpfs', '/tmp',
    ...folders.flatMap((path) => ['--bind', path, path]),
    '--',
  ]
}
