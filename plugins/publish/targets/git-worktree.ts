import { access, constants, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repository } from './git-branch.ts'
import { gitIn, type Git, type GitVariables, succeeds } from './git-run.ts'

/** No daemon watches what is there for one publish, and line ends are those of the attributes. */
const settings = ['core.fsmonitor=false', 'core.safecrlf=false']
/** The hooks that run in a publish, and may read any file of the repository. */
const hookNames = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'pre-push']
/** Large files stay where they are: hooks see what the repository stores of them. */
const withoutLargeFiles = ['smudge=', 'process=', 'required=false'].flatMap((each) => [
  '-c',
  `filter.lfs.${each}`,
])
/** No publish takes that long: what is older was left by a process that was killed. */
const leftMs = 60 * 60 * 1000

/**
 * Runs a job in a work tree of its own, at a commit and on no branch. Only the index is filled, and with
 * hooks all files. It is in the data of git, where hooks find the packages of the checkout, and is
 * removed afterwards; the one of a killed process is removed by a later publish.
 */
export async function inWorktree<T>(
  repository: Repository,
  { commit, variables, signal }: WorktreeOptions,
  job: (folder: string, git: Git) => Promise<T>,
): Promise<T> {
  const { top, data, hooks } = repository
  // What ends a publish must not end the removal.
  const own = gitIn(top, variables)
  const folder = join(data, 'content-orchestrator')
  await mkdir(folder, { recursive: true })
  // The path in a setting such as `.husky/_` is relative to the top, and may be there only in the checkout.
  // Hooks hand settings on to every git that they run.
  const config = hooks === join(data, 'hooks') ? settings : [...settings, `core.hooksPath=${hooks}`]
  const PATH = `${variables.PATH}:${join(top, 'node_modules', '.bin')}`
  const place = await mkdtemp(join(folder, 'publish-'))
  const git = gitIn(place, { ...variables, PATH }, { signal, config })
  try {
    await removeLeft(folder, place)
    const at = commit ?? (await emptyCommit(own))
    await own('worktree', 'add', '--quiet', '--no-checkout', '--detach', place, at)
    await git('read-tree', 'HEAD')
    const isRun = await Promise.all(hookNames.map((name) => isProgram(join(hooks, name))))
    if (isRun.includes(true)) await git(...withoutLargeFiles, 'checkout-index', '--all')
    return await job(place, git)
  } finally {
    await rm(place, { recursive: true, force: true })
    await own('worktree', 'prune').catch(() => undefined)
  }
}

interface WorktreeOptions {
  /** Absent in a repository without any. */
  readonly commit: string | undefined
  readonly variables: GitVariables
  readonly signal: AbortSignal
}

async function removeLeft(folder: string, newest: string): Promise<void> {
  const { mtimeMs: now } = await stat(newest)
  for (const name of await readdir(folder)) {
    const { mtimeMs = now } = (await stat(join(folder, name)).catch(() => undefined)) ?? {}
    if (now - mtimeMs > leftMs) await rm(join(folder, name), { recursive: true, force: true })
  }
}

const emptyCommit = async (git: Git): Promise<string> => {
  const tree = (await git('hash-object', '-t', 'tree', '-w', '/dev/null')).trim()
  return (await git('commit-tree', tree, '-m', 'publish: first commit')).trim()
}

const isProgram = (path: string): Promise<boolean> => succeeds(access(path, constants.X_OK))
