import { rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  findProgram,
  isComplete,
  namespaceTracker,
  runCommand,
  type CommandLimits,
  type CommandRequest,
  type CommandResult,
  type Mark,
  type Tracker,
} from '../../../processes/port.ts'
import type { AgentLog } from '../files/agent-log.ts'
import { removeLinks, type Workspace } from '../files/workspace.ts'
import { Problem } from '../problem.ts'
import type { Box, BoxView } from './box.ts'
import { type ChildEnvironment, childVariables } from './environment.ts'

/** A program to run, and what it sees in a box. */
export interface Launch extends BoxView, Pick<CommandRequest, 'timeoutMs' | 'signal' | 'onLine'> {
  readonly program: string
  readonly args: readonly string[]
  /** The run of the program, for the log. */
  readonly stream: string
  readonly tool: string
  readonly variables?: Readonly<Record<string, string>>
  /** Runs without a box. */
  readonly isOutside?: true
  readonly limits?: Partial<CommandLimits>
  /** Asks a person, and rejects without a yes. */
  readonly allow: (isBoxed: boolean) => Promise<void>
}

/** The launcher of one run. */
export type Launcher = ReturnType<ReturnType<typeof createLaunchers>['forRun']>

/** The processes of a box. */
const boxed = namespaceTracker((words) => words)

/** The limits of every command. */
export const usualLimits: CommandLimits = {
  outputBytes: 64 * 1024,
  processes: 200,
  countEveryMs: 100,
  graceMs: 5_000,
}

/**
 * Creates the only way in which programs start. A program in a box without network, without secrets and on a
 * copy starts at once; every other one starts after a person has allowed it.
 */
export function createLaunchers({
  workspace,
  environment,
  box,
  mark,
  tracker,
  log,
}: {
  readonly workspace: Workspace
  readonly environment: Omit<ChildEnvironment, 'home' | 'ceiling'>
  /** `undefined` if no boxes can be made. */
  readonly box: Box | undefined
  readonly mark: Omit<Mark, 'run'>
  /** The tracker of programs without a box. */
  readonly tracker: Tracker
  readonly log: AgentLog
}) {
  let count = 0
  const isBoxed = ({ isOutside }: Launch): boolean => box !== undefined && !isOutside

  const isolation = box === undefined ? 'process' : 'bubblewrap'

  /** Returns the launcher of a run. `allowLeft` asks a person before a program whose processes may stay. */
  function forRun(allowLeft: () => Promise<void>) {
    /** Rejects unless the program may start. */
    async function permit(what: Launch): Promise<void> {
      if (!isBoxed(what) && !isComplete(tracker)) await allowLeft()
      if (!isBoxed(what) || what.network || what.isSite) await what.allow(isBoxed(what))
    }

    /** Runs a program to its end. Throws a Problem if it is not installed. */
    async function launch(what: Launch): Promise<CommandResult> {
      const {
        program,
        args,
        folder,
        reads = [],
        stream,
        tool,
        variables = {},
        limits,
        timeoutMs,
        signal,
        onLine,
      } = what
      const { folders, certificates } = environment
      const file = await findProgram(program, folders)
      if (file === undefined)
        throw new Problem(
          `The program '${program}' is not installed on the server. Install it, or have its folder in PATH.`,
        )
      await permit(what)
      const inside = box !== undefined && isBoxed(what)
      const view = { ...what, reads: [...reads, ...(certificates === undefined ? [] : [certificates])] }
      const home = inside ? '/tmp' : await workspace.own('homes', stream)
      const allVariables = childVariables({ ...environment, home, ceiling: workspace.root }, variables)
      const result = await runCommand({
        timeoutMs,
        signal,
        ...(onLine && { onLine }),
        words: inside ? box(view, { folders, variables: allVariables }, [file, ...args]) : [file, ...args],
        cwd: folder,
        variables: allVariables,
        tracker: inside ? boxed : tracker,
        mark: { ...mark, run: `${stream}/${++count}` },
        limits: { ...usualLimits, ...limits },
      })
      if (inside && !what.isSite && !what.network) await removeLinks(folder)
      // The mask of `.git` leaves an empty folder in a site without a repository.
      if (inside && what.isSite) await rmdir(join(folder, '.git')).catch(() => undefined)
      await log.append({ stream, tool, program, exitCode: result.exitCode, ended: result.ended })
      return result
    }
    return { isolation, permit, launch } as const
  }
  return { isolation, forRun } as const
}
