import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import type { Logger } from '../../../kernel/index.ts'
import type { ContentAdapter, FileChange } from '../../content/adapter.ts'
import { inTurn, writeFileAtomically } from '../../site/port.ts'
import type { Publication, PublishOutcome, PublishTarget } from '../port.ts'
import { adapterTarget } from './adapter.ts'
import type { GitBranch, Repository } from './git-branch.ts'
import { createBroken, createFailing, GitRefusal, outputOf } from './git-failure.ts'
import { createPush } from './git-push.ts'
import { type Git, literally } from './git-run.ts'
import { refuseIgnored, refuseLocked } from './git-state.ts'
import { inWorktree } from './git-worktree.ts'
import type { PublishEnvironment } from '../environment.ts'

interface GitFilesOptions {
  readonly ownSiteId: string
  readonly remote: GitBranch
  readonly env: PublishEnvironment
  readonly redact: (text: string) => string
  readonly log: Logger
}

/**
 * Publishes the files of an adapter by committing those that differ on the branch of the remote, and pushing.
 * Its folder is a checkout of that branch without commits and changes of its own, which is pulled before each
 * publish and after it.
 */
export function gitFilesTarget(
  adapter: ContentAdapter,
  { ownSiteId, remote, env, redact, log }: GitFilesOptions,
): PublishTarget {
  const broken = createBroken(redact)
  const failing = createFailing(broken, log)
  const push = createPush(remote.branch, broken, log)

  /** Brings the checkout to a commit of its branch. */
  const follow = ({ git }: Repository, commit: string): Promise<unknown> =>
    git('merge', '--quiet', '--ff-only', commit).catch((error: unknown) => {
      throw new GitRefusal('own changes', outputOf(error))
    })

  const pull = async (signal: AbortSignal): Promise<void> => {
    const repository = await remote.repository(signal)
    await remote.fetch(repository)
    if (!(await remote.isCheckedOut(repository))) throw new GitRefusal('other branch')
    const start = await remote.start(repository)
    if (start !== undefined) await follow(repository, start)
  }

  const commitAndPush = async (
    publication: Publication,
    changes: readonly FileChange[],
  ): Promise<PublishOutcome> => {
    const { signal } = publication
    const repository = await remote.repository(signal)
    await refuseLocked(repository)
    const files = filesIn(repository, changes)
    const start = await remote.start(repository)
    const head = await repository.git('rev-parse', '--verify', '--quiet', 'HEAD').catch(() => '')
    const names = files.map(({ path }) => path)
    if (head.trim() !== (start ?? '')) throw new GitRefusal('own changes')
    const changed =
      names.length > 0 ? await repository.git('status', '--porcelain', '--', ...literally(names)) : ''
    if (changed !== '') throw new GitRefusal('own changes', changed)
    await refuseIgnored(
      repository,
      changes.flatMap(({ before }, n) => (before === undefined ? (names[n] ?? []) : [])),
    )
    const outcome = await inWorktree(
      repository,
      { commit: start, variables: env, signal },
      async (folder, git) => {
        await stageFiles(git, folder, files)
        return push(git, publication)
      },
    )
    if (outcome.ok && outcome.commit !== undefined) await follow(repository, outcome.commit)
    return outcome
  }

  return {
    ...adapterTarget(
      adapter,
      ownSiteId,
      log,
      () => (publication, changes) =>
        commitAndPush(publication, changes).catch(failing('commit_failed', publication.signal)),
    ),
    name: 'git',
    claims: ({ id }) => env.PUBLISH_MODE === 'git' && id.siteId === ownSiteId,
    refresh: (signal) =>
      inTurn(adapter, () => pull(signal)).then(() => undefined, failing('push_failed', signal)),
  }
}

/** A file of a repository, from its top; without a text and a file whose bytes it gets, it is removed. */
export interface RepositoryFile {
  readonly path: string
  readonly text?: string | undefined
  readonly copyOf?: string | undefined
}

/** Returns what changes of the files of a folder are in its repository. */
export const filesIn = (
  { path: folder }: Repository,
  changes: readonly FileChange[],
): readonly RepositoryFile[] => {
  const at = (path: string): string => posix.join(folder, path)
  const written = changes.map(({ path, after, copyOf }) => ({ path: at(path), text: after, copyOf }))
  const places = new Set(changes.map(({ path }) => path))
  const left = changes.flatMap(({ from }) =>
    from === undefined || places.has(from) ? [] : [{ path: at(from) }],
  )
  return [...written, ...left]
}

/** Writes files into the work tree of a commit, and stages exactly them. */
export async function stageFiles(git: Git, folder: string, files: readonly RepositoryFile[]): Promise<void> {
  if (files.length === 0) return
  const named = literally(files.map(({ path }) => path))
  const there = (await git('ls-files', '-z', '--', ...named)).split('\0').filter((path) => path !== '')
  // With their modes.
  if (there.length > 0) await git('checkout-index', '--force', '--', ...there)
  for (const { path, text, copyOf } of files) {
    const place = join(folder, path)
    if (copyOf !== undefined) {
      await mkdir(dirname(place), { recursive: true })
      await copyFile(copyOf, place)
    } else if (text === undefined) await rm(place, { force: true })
    else await writeFileAtomically(place, text)
  }
  const staged = files.filter(
    ({ path, text, copyOf }) => (text ?? copyOf) !== undefined || there.includes(path),
  )
  await git('add', '--force', '--sparse', '--', ...literally(staged.map(({ path }) => path)))
}
