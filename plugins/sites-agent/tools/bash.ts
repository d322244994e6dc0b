import * as v from 'valibot'
import { defineLoopTool, type LoopTool, toolAnswer } from '../../agent/port.ts'
import { placeOf } from '../files/guard.ts'
import { refusals } from '../run/refusals.ts'
import { type Allowed, allowedPrograms, NotOneCommand, splitWords, toAllowed } from '../shell/allowed.ts'
import { applyChanges, type SiteRun } from '../run/site-run.ts'
import { allowCode, hasManagerSettings } from './sites.ts'

const usualMs = 120_000
const longMs = 600_000

/** Creates the tool that runs one command in the folder of a site. */
export function bashTool(run: SiteRun): LoopTool {
  const { copies, launcher, settings } = run
  const shell = (command: string): Allowed => ({ program: 'sh', args: ['-c', command], kind: 'project', paths: [] })
  return defineLoopTool({
    name: 'Bash',
    description: settings.fullShell
      ? 'Runs a shell command in the folder of a site.'
      : `Runs one command in the folder of a site, without a shell: ${allowedPrograms.join(', ')}. ` +
        'Packages are installed without running their scripts.',
    input: v.object({ siteId: v.string(), command: v.pipe(v.string(), v.nonEmpty(), v.maxLength(4000)) }),
  }, async ({ siteId, command }, { signal }) => {
    const allowed = settings.fullShell ? shell(command) : parse(command)
    const onFiles = allowed.kind === 'files' && allowed.program !== 'git'
    const folder = onFiles ? await copies.folder(siteId) : await copies.home(siteId)
    for (const path of allowed.paths) await placeOf(folder, path)
    if (!onFiles && allowed.program !== 'git') {
      await applyChanges(run, siteId)
      // Settings of a package manager may name programs that an installation runs.
      const { kind, program } = allowed
      const isPlain = kind === 'install' && program === 'npm' && !(await hasManagerSettings(folder))
      if (!isPlain) await allowCode(run, siteId, command.slice(0, 200))
      if (allowed.args.some((arg) => /build|typecheck|test/.test(arg))) run.begin('verifying')
    }
    const { exitCode, output, ended } = await launcher.launch({
      program: allowed.program,
      args: allowed.args,
      cwd: folder,
      stream: run.streamId,
      tool: 'Bash',
      network: allowed.kind === 'install',
      timeoutMs: allowed.kind === 'files' ? usualMs : longMs,
      signal,
      variables: allowed.args.includes('build') ? { NODE_ENV: 'production' } : {},
    })
    return { ...toolAnswer({ exitCode, ended, output }), ...(exitCode !== 0 && { isError: true }) }
  })
}

function parse(command: string): Allowed {
  try {
    return toAllowed(splitWords(command))
  } catch (error) {
    if (error instanceof NotOneCommand) throw refusals.commandRefused(error.message)
    throw error
  }
}
