import { hash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { LRUCache } from '../../../kernel/index.ts'
import type { PublishEnvironment } from '../environment.ts'
import { GitRefusal, outputOf } from './git-failure.ts'
import { type Git, gitIn, succeeds } from './git-run.ts'

/** The repository with the content file, and what is checked out there. */
export interface Repository {
  readonly git: Git
  /** The folder that is checked out. */
  readonly top: string
  /** The folder with the data of git. */
  readonly data: string
  readonly indexLock: string
  /** The folder with the hooks. */
  readonly hooks: string
  /** The content file or folder, from the top; empty for the top itself. */
  readonly path: string
}

/** A file of a commit; without an id, the commit lacks it. */
interface TreeFile {
  readonly path: string
  readonly id: string | undefined
}

export type GitBranch = ReturnType<typeof createGitBranch>

/**
 * Creates access to the content file, or the folder with the content, on the branch of the remote, whatever is checked out: links are
 * followed, in the checkout to the repository that has the file itself, and in a commit.
 */
export function createGitBranch(contentPath: string, variables: PublishEnvironment) {
  const { PUBLISH_GIT_BRANCH: branch } = variables
  const tracking = `refs/remotes/origin/${branch}`
  let isFetched = false
  const filesOfCommits = new LRUCache<string, TreeFile>({ max: 16 })

  /** Returns the repository, and the commit of the branch of the remote, if that is known there. */
  const locate = async (
    signal?: AbortSignal,
  ): Promise<readonly [repository: Repository, tracked: string | undefined]> => {
    const [folder, below] = await existingFolderOf(contentPath)
    const paths = ['--show-toplevel', '--git-common-dir', '--git-path', 'index.lock', '--git-path', 'hooks']
    const parse = (...more: readonly string[]) =>
      gitIn(folder, variables, { signal })('rev-parse', '--path-format=absolute', ...paths, ...more)
    // One process instead of two where the commit is known.
    const found = await parse(`${tracking}^{commit}`).catch(() => parse())
    const [top = '', data = '', indexLock = '', hooks = '', tracked = ''] = found.split('\n')
    const path = relative(top, join(folder, below)).replaceAll(sep, '/')
    const git = gitIn(top, variables, { signal })
    return [{ git, top, data, indexLock, hooks, path }, tracked || undefined]
  }
  const repository = async (signal?: AbortSignal): Promise<Repository> => (await locate(signal))[0]

  /** Finds the content file, or another path, in a commit. */
  const fileIn = async (found: Repository, commit: string, path: string = found.path): Promise<TreeFile> => {
    const key = `${commit}:${path}`
    const known = filesOfCommits.get(key)
    if (known) return known
    const file = await fileAt({ ...found, path }, commit)
    filesOfCommits.set(key, file)
    return file
  }

  const fetch = async ({ git }: Pick<Repository, 'git'>): Promise<void> => {
    const quietly = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head']
    try {
      await git('fetch', ...quietly, 'origin', `+refs/heads/${branch}:${tracking}`)
    } catch (error) {
      if (!outputOf(error).includes("couldn't find remote ref")) throw error
      await git('update-ref', '-d', tracking)
    }
    isFetched = true
  }

  /** Returns the newest known commit of the branch, or of what a new branch begins with. */
  const start = async ({ git }: Repository): Promise<string | undefined> => {
    for (const name of [tracking, `refs/heads/${branch}`, 'refs/remotes/origin/HEAD']) {
      const commit = await commitOf(git, name)
      if (commit !== undefined) return commit
    }
    // What is checked out may be the unfinished work of a person.
    if ((await git('for-each-ref', '--count=1', 'refs/remotes/origin')) !== '') throw new GitRefusal('branch')
    return commitOf(git, 'HEAD')
  }

  const textAt = ({ git }: Repository, commit: string, { path }: TreeFile): Promise<string> =>
    git('cat-file', '--filters', `${commit}:${path}`)

  return {
    branch,
    repository,
    fetch,
    start,
    fileIn,
    textAt,
    /** Whether what is checked out is the branch, or follows it. */
    async isCheckedOut({ git }: Repository): Promise<boolean> {
      const head = await git('symbolic-ref', '--quiet', 'HEAD').catch(() => '')
      if (head.trim() === `refs/heads/${branch}`) return true
      const upstream = await git('rev-parse', '--symbolic-full-name', '@{upstream}').catch(() => '')
      return upstream.trim() === tracking
    },
    /** Whether the remote has a commit on the branch. */
    has: ({ git }: Repository, commit: string): Promise<boolean> =>
      succeeds(git('merge-base', '--is-ancestor', commit, tracking)),
    /**
     * Opens the content file as the remote had it last; what the branch lacks is read from the checkout.
     * `version` is that of git, which compares files without their line ends and filters.
     */
    async open() {
      const [found, tracked] = await locate()
      if (!isFetched && tracked === undefined) await fetch(found).catch(() => undefined)
      const commit = tracked ?? (await start(found))
      const file = commit === undefined ? undefined : await fileIn(found, commit)
      if (commit !== undefined && file?.id !== undefined)
        return { version: file.id, text: () => textAt(found, commit, file) }
      const text = await readFile(contentPath, 'utf8')
      return { version: hash('sha256', text), text: async () => text }
    },
  }
}

const commitOf = async (git: Git, name: string): Promise<string | undefined> =>
  (await git('rev-parse', '--verify', '--quiet', `${name}^{commit}`).catch(() => '')).trim() || undefined

/** Returns the branch that is checked out in a folder; `undefined` outside of a repository with a commit. */
export async function branchIn(folder: string, variables: PublishEnvironment): Promise<string | undefined> {
  const name = await gitIn(folder, variables)('rev-parse', '--abbrev-ref', 'HEAD').catch(() => '')
  return name.trim() || undefined
}

/** Returns the deepest folder of a path that exists, without links, and the rest of the path. */
async function existingFolderOf(path: string): Promise<[folder: string, below: string]> {
  const file = await realpath(path).catch(() => resolve(path))
  if ((await stat(file).catch(() => undefined))?.isDirectory()) return [file, '']
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => undefined)
    if (real !== undefined) return [real, relative(folder, file)]
  }
}

const mostLinks = 16
const [link, submodule] = ['120000', '160000']

/** Finds a file or folder in a commit, behind links. Refuses one that the repository does not have itself. */
async function fileAt({ git, path }: Pick<Repository, 'git' | 'path'>, commit: string): Promise<TreeFile> {
  let at = path
  for (let links = 0; links < mostLinks; links++) {
    const names = at.split('/')
    const parts = names.map((_, n) => names.slice(0, n + 1).join('/'))
    const listed = await git('ls-tree', '-z', '-t', '--full-tree', commit, '--', ...parts)
    const entries = new Map(
      listed.split('\0').map((line) => {
        const [about = '', name = ''] = line.split('\t')
        const [mode, , id = ''] = about.split(' ')
        return [name, { mode, id }]
      }),
    )
    const part = parts.find((each) => [link, submodule].includes(entries.get(each)?.mode ?? ''))
    const entry = part === undefined ? undefined : entries.get(part)
    if (part === undefined || !entry) return { path: at, id: entries.get(at)?.id }
    if (entry.mode === submodule) throw new GitRefusal('submodule')
    const target = await git('cat-file', 'blob', entry.id)
    at = posix.join(posix.dirname(part), target, at.slice(part.length))
    if (posix.isAbsolute(target) || at.startsWith('../')) throw new GitRefusal('outside')
  }
  throw new GitRefusal('outside')
}
