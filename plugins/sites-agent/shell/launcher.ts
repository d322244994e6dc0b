import type { AgentLog } from '../agent-log.ts'
import type { Workspace } from '../files/workspace.ts'
import { refusals } from '../refusals.ts'
import { childVariables, findProgram, type ChildEnvironment } from './environment.ts'
import { bubblewrap, type Isolation } from './isolation.ts'
import type { Mark } from './processes.ts'
import { runCommand, type CommandLimits, type CommandRequest, type CommandResult } from './run-command.ts'

/** One program for a run. */
export interface Launch extends Pick<CommandRequest, 'timeoutMs' | 'signal' | 'onLine'> {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The run that it belongs to, for the log. */
  readonly stream: string
  readonly tool: string
  /** Whether it may reach the network, where that can be prevented. */
  readonly network: boolean
  readonly variables?: Readonly<Record<string, string>>
  /** Runs it outside of the sandbox: for programs that the operator chose and no site can name. */
  readonly isTrusted?: true
  readonly limits?: Partial<CommandLimits>
}

export interface Launcher {
  readonly isolation: Isolation
  /** Runs a program to its end. Refuses with 503 `program_missing` one that no folder has. */
  launch(what: Launch): Promise<CommandResult>
}

/** What every command is held to. */
export const usualLimits: CommandLimits = { outputBytes: 64 * 1024, processes: 200, countEveryMs: 100, graceMs: 5_000 }

/** Makes what starts programs, each with a home of its run, listed variables and a mark, and logs how they ended. */
export function createLauncher({ workspace, environment, sandbox, mark, log }: {
  readonly workspace: Workspace
  readonly environment: Omit<ChildEnvironment, 'home' | 'cache'> & { readonly cache: string | undefined }
  /** The program of the sandbox; `undefined` where there is none. */
  readonly sandbox: string | undefined
  readonly mark: Omit<Mark, 'run'>
  readonly log: AgentLog
}): Launcher {
  let count = 0
  return {
    isolation: sandbox === undefined ? 'process' : 'bubblewrap',
    async launch({ program, args, cwd, stream, tool, network, variables = {}, isTrusted, limits, ...rest }) {
      const file = await findProgram(program, environment.folders)
      if (file === undefined) throw refusals.programMissing(program)
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
