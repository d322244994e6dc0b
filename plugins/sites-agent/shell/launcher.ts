import { access, constants } from 'node:fs/promises'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { defineRefusal } from '../../../kernel/index.ts'
import type { AgentLog } from '../files/agent-log.ts'
import { isInside } from '../files/guard.ts'
import type { Workspace } from '../files/workspace.ts'
import type { Mark } from './processes.ts'
import { type CommandLimits, type CommandRequest, type CommandResult, runCommand } from './run-command.ts'

const programMissing = defineRefusal({ status: 503, code: 'program_missing', reason: (name: string) => `The program '${name}' is not installed on the server. Install it, or have its folder in PATH.` })

/** A program to run. */
export interface Launch extends Pick<CommandRequest, 'timeoutMs' | 'signal' | 'onLine'> {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The run of the program, for the log. */
  readonly stream: string
  readonly tool: string
  /** True if it may use the network; only a sandbox can prevent it. */
  readonly network: boolean
  readonly variables?: Readonly<Record<string, string>>
  /** Runs outside the sandbox; only for programs that the operator chose and no site can name. */
  readonly isTrusted?: true
  readonly limits?: Partial<CommandLimits>
}

export type Launcher = ReturnType<typeof createLauncher>

/** The limits of every command. */
export const usualLimits: CommandLimits = { outputBytes: 64 * 1024, processes: 200, countEveryMs: 100, graceMs: 5_000 }

/** Starts programs with the home folder of their run, listed variables and a mark, and logs their end. */
export function createLauncher({ workspace, environment, sandbox, mark, log }: {
  readonly workspace: Workspace
  readonly environment: Omit<ChildEnvironment, 'home' | 'cache'> & { readonly cache: string | undefined }
  /** The sandbox program; `undefined` if there is none. */
  readonly sandbox: string | undefined
  readonly mark: Omit<Mark, 'run'>
  readonly log: AgentLog
}) {
  let count = 0
  const isolation: 'bubblewrap' | 'process' = sandbox === undefined ? 'process' : 'bubblewrap'
  return {
    isolation,
    /** Runs a program to its end. Refuses a missing one with 503 `program_missing`. */
    async launch(what: Launch): Promise<CommandResult> {
      const { program, args, cwd, stream, tool, network, variables = {}, isTrusted, limits, ...rest } = what
      const file = await findProgram(program, environment.folders)
      if (file === undefined) throw programMissing(program)
      const home = await workspace.own('homes', stream)
      const cache = environment.cache ?? (await workspace.own('cache'))
      const inside = sandbox !== undefined && isTrusted === undefined
      const result = await runCommand({
        ...rest,
        file: inside ? sandbox : file,
        args: inside ? [...bubblewrap({ folders: [cwd, home, cache], files: environment.certificates === undefined ? [] : [environment.certificates], network }), file, ...args] : args,
        cwd,
        variables: childVariables({ ...environment, home, cache }, variables),
        mark: { ...mark, run: `${stream}/${++count}` },
        limits: { ...usualLimits, ...limits },
      })
      await log.append({ stream, tool, program, exitCode: result.exitCode, ended: result.ended })
      return result
    },
  }
}

interface ChildEnvironment {
  /** The search path: the folders of `PATH` outside the workspace, and the folder of the running Node. */
  readonly folders: readonly string[]
  readonly home: string
  readonly cache: string
  readonly lang: string
  /** A file with additional trusted certificates. */
  readonly certificates: string | undefined
}

/** Returns the folders of a `PATH` that no site can write to; the folder of the running Node is included. */
export function programFolders(path: string, workspace: string): readonly string[] {
  const named = path.split(delimiter)
  const own = dirname(process.execPath)
  return [...(named.includes(own) ? [] : [own]), ...named].filter((folder, at, all) => isAbsolute(folder) && !isInside(workspace, folder) && all.indexOf(folder) === at)
}

/** Returns all variables of a child process, which inherits nothing else from this process. */
export function childVariables({ folders, home, cache, lang, certificates }: ChildEnvironment, more: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return {
    PATH: folders.join(delimiter),
    HOME: home,
    TMPDIR: home,
    LANG: lang,
    CI: '1',
    npm_config_cache: cache,
    npm_config_update_notifier: 'false',
    NEXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    ...(certificates !== undefined && { NODE_EXTRA_CA_CERTS: certificates }),
    ...more,
  }
}

/** Returns the file of a program; `undefined` if no folder has it. */
export async function findProgram(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const file = join(folder, name)
    if (await access(file, constants.X_OK).then(() => true, () => false)) return file
  }
  return undefined
}

/** The parts of this machine that a sandbox shows: programs and their libraries. */
const shown = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc/alternatives', '/etc/ssl', '/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/passwd', '/etc/group']

/** Builds bubblewrap arguments: writable `folders`, readable `files`, and the network only if allowed. */
export function bubblewrap({ folders, files, network }: { readonly folders: readonly string[]; readonly files: readonly string[]; readonly network: boolean }): readonly string[] {
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
