import { join } from 'node:path'
import * as v from 'valibot'
import { defineLoopTool, type LoopTool, toolAnswer } from '../../loop/port.ts'
import { guardPath } from '../files/guard.ts'
import { isFolder } from '../files/workspace.ts'
import { Problem } from '../problem.ts'
import { allowCode, applyChanges, type SiteRun } from '../run/site-run.ts'
import { type Allowed, allowedPrograms, splitWords, toAllowed } from '../shell/allowed.ts'
import { packagesOf, runInstall } from './install.ts'

const usualMs = 120_000
const longMs = 600_000

/** Creates the tool that runs one command in the folder of a site. */
export function bashTool(run: SiteRun): LoopTool {
  const { settings } = run
  return defineLoopTool(
    {
      name: 'Bash',
      description: settings.fullShell
        ? 'Runs a shell command in the folder of a site.'
        : `Runs one command in the folder of a site, without a shell: ${allowedPrograms.join(', ')}. ` +
          'Packages are installed from the registry, without running their scripts.',
      input: v.object({ siteId: v.string(), command: v.pipe(v.string(), v.nonEmpty(), v.maxLength(4000)) }),
    },
    async ({ siteId, command }, { signal }) => {
      const allowed = settings.fullShell ? shell(command) : toAllowed(splitWords(command))
      const { kind, args } = allowed
      if (kind === 'project' && args.some((arg) => /build|typecheck|test/.test(arg))) run.begin('verifying')
      const { exitCode, output, ended } =
        kind === 'install'
          ? await runInstall(run, siteId, allowed.program, args[0])
          : await runOne(run, siteId, allowed, { command, signal })
      return { ...toolAnswer({ exitCode, ended, output }), ...(exitCode !== 0 && { isError: true }) }
    },
  )
}

async function runOne(
  run: SiteRun,
  siteId: string,
  { program, args, kind, paths }: Allowed,
  { command, signal }: { readonly command: string; readonly signal: AbortSignal },
) {
  const { copies, launcher, streamId: stream } = run
  const copy = await copies.folder(siteId)
  for (const path of paths) await guardPath(copy, path)
  const home = await copies.home(siteId)
  // Without a box, code of a site runs in the site itself, with the packages there and what a person approved.
  const isHere = kind === 'project' && launcher.isolation === 'process'
  if (isHere) await applyChanges(run, siteId)
  const repository = join(home, '.git')
  if (kind === 'git' && !(await isFolder(repository)))
    throw new Problem('The command was not run: the site is not a git repository.')
  return launcher.launch({
    program,
    args,
    stream,
    signal,
    folder: isHere ? home : copy,
    ...(kind === 'project' && { packages: await packagesOf(run, siteId) }),
    ...(kind === 'git' && { reads: [repository] }),
    tool: 'Bash',
    timeoutMs: kind === 'project' ? longMs : usualMs,
    variables: {
      ...(kind === 'git' && { GIT_DIR: repository, GIT_WORK_TREE: '.' }),
      ...(args.includes('build') && { NODE_ENV: 'production' }),
    },
    allow: () => allowCode(run, siteId, command.slice(0, 200)),
  })
}

const shell = (command: string): Allowed => ({
  program: 'sh',
  args: ['-c', command],
  kind: 'project',
  paths: [],
})
