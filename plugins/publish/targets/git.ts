import { hash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { Logger } from '../../../kernel/index.ts'
import { readContentText } from '../../content/baseline.ts'
import { toStored, withCarried, withoutEntries } from '../../content/carry.ts'
import { headerToSend } from '../../content/redirects.ts'
import { inTurn, readContentFile, writeContentFile, writeFileAtomically } from '../../site/port.ts'
import type { PublishEnvironment } from '../environment.ts'
import type { Publication, PublishOutcome, PublishTarget } from '../port.ts'
import type { GitBranch, Repository } from './git-branch.ts'
import { createBroken, createFailing } from './git-failure.ts'
import { createPush } from './git-push.ts'
import { type Git, literally } from './git-run.ts'
import { changesBeside, refuseIgnored, refuseLocked } from './git-state.ts'
import { inWorktree } from './git-worktree.ts'
import { changedMeanwhile, withNotes } from '../outcome.ts'

/** Files of a publish are stored next to the content file. */
const filesFolder = 'generated-images'

/**
 * Publishes by committing the content file with its files on the branch of the remote, in a work tree of its
 * own, and pushing.
 *
 * What is checked out beside the content file is not published. A checkout of the branch is brought up to
 * date afterwards, unless it has other commits or changes in the way, which the answer notes.
 */
export function gitTarget(
  contentPath: string,
  context: {
    readonly remote: GitBranch
    readonly env: PublishEnvironment
    readonly redact: (text: string) => string
    readonly log: Logger
  },
): PublishTarget {
  const { remote, env, log } = context
  const { branch } = remote
  const broken = createBroken(context.redact)
  const failing = createFailing(broken, log)
  const push = createPush(branch, broken, log)

  /** Finds the commit that a publish is made on, the content file in it, and the folder for files beside. */
  const place = async (repository: Repository, commit?: string) => {
    const start = commit ?? (await remote.start(repository))
    const at = async (path: string) =>
      start === undefined ? { path, id: undefined } : remote.fileIn(repository, start, path)
    const file = await at(repository.path)
    return { start, file, beside: () => at(posix.join(posix.dirname(file.path), filesFolder)) }
  }

  const commitAndPush = async (publication: Publication): Promise<PublishOutcome> => {
    const { assets, ifStored, signal } = publication
    const repository = await remote.repository(signal)
    const { start, file, beside } = await place(repository)
    const files = Object.values(assets)
    const besidePath = files.length > 0 ? (await beside()).path : ''
    const others = files.map(({ fileName }) => posix.join(besidePath, fileName))
    const names = [...new Set([file.path, ...others])]
    const changed = env.PUBLISH_GIT_STRICT === '1' ? await changesBeside(repository, names) : []
    if (changed.length > 0) return broken('working_tree_not_clean', undefined, changed.slice(0, shownLines))
    await refuseIgnored(repository, file.id === undefined ? names : others)
    const isCheckedOut = await remote.isCheckedOut(repository)
    if (isCheckedOut) await refuseLocked(repository)
    // What git does not have yet is published from the checkout for the first time.
    const found = file.id === undefined ? await readFile(contentPath).catch(() => undefined) : undefined
    const version = file.id ?? (found && hash('sha256', found))
    if (ifStored !== undefined && ifStored !== version) return changedMeanwhile()
    const job = async (folder: string, git: Git): Promise<PublishOutcome> => {
      if (file.id !== undefined) await git('checkout-index', '--force', '--', file.path)
      else if (found !== undefined) await writeFileAtomically(join(folder, file.path), found)
      await write(publication, join(folder, file.path), join(folder, besidePath))
      await git('add', '--force', '--sparse', '--', ...literally(names))
      return push(git, publication)
    }
    const outcome = await inWorktree(repository, { commit: start, variables: env, signal }, job)
    const commit = outcome.commit ?? start
    if (!outcome.ok || !isCheckedOut || commit === undefined) return outcome
    return (await follow(repository, commit, found)) ? outcome : withNotes(outcome, [notUpToDate])
  }

  /** Brings a checkout of the branch to a commit, if nothing is in the way; files new to git are replaced. */
  const follow = async ({ git }: Repository, commit: string, found?: Uint8Array): Promise<boolean> => {
    try {
      if (found) await rm(contentPath)
      await git('merge', '--quiet', '--ff-only', commit)
      return true
    } catch (err) {
      if (found) await writeFileAtomically(contentPath, found)
      log.warn({ err }, 'the checkout of the content file stays behind what was published')
      return false
    }
  }

  return {
    name: 'git',
    takesFiles: true,
    refresh: (signal) =>
      inTurn(contentPath, async () => {
        const repository = await remote.repository(signal)
        await remote.fetch(repository)
        await place(repository)
      }).then(() => undefined, failing('push_failed', signal)),
    publish: (publication) =>
      inTurn(contentPath, () => commitAndPush(publication)).catch(
        failing('commit_failed', publication.signal),
      ),
    async stored(outcome) {
      const repository = await remote.repository()
      if (outcome) await remote.fetch(repository)
      const { commit } = outcome ?? {}
      const isThere = commit !== undefined && (await remote.has(repository, commit))
      const { start, file } = await place(repository, isThere ? commit : undefined)
      return start === undefined || file.id === undefined
        ? undefined
        : readContentText(await remote.textAt(repository, start, file))
    },
  }
}

/** Writes a content file, and the files of a publish into a folder. */
async function write(
  { assets, pages, carried, removed, siteConfig, redirects }: Publication,
  file: string,
  beside: string,
): Promise<void> {
  for (const { fileName, data } of Object.values(assets))
    await writeFileAtomically(join(beside, fileName), Buffer.from(data, 'base64'))
  const { content: stored } = await readContentFile(file).catch(() => nothing)
  const { entries } = await withCarried(pages, withoutEntries(stored, removed).site, carried)
  const content = { pages: toStored(entries), siteConfig: headerToSend(siteConfig), redirects }
  await writeContentFile(file, { content })
}

const nothing = { content: { pages: [] } }
const notUpToDate =
  'The checkout with the content file has commits or changes of its own, so it does not show this publish. Pull there.'
const shownLines = 12
