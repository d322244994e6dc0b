import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Logger } from '../../../kernel/index.ts'
import { toStored, withCarried, withoutEntries } from '../../content/carry.ts'
import { headerOf } from '../../content/redirects.ts'
import { inTurn, readContentFile, writeContentFile, writeFileAtomically } from '../../site/port.ts'
import type { PublishEnvironment } from '../environment.ts'
import type { Publication, PublishOutcome, PublishTarget } from '../port.ts'
import { pull } from './git-pull.ts'
import { changedMeanwhile, failed, succeeded } from './outcome.ts'
import { type Git, gitIn, literally, undoing } from './work-tree.ts'

/** Files of a publish are stored next to the content file. */
const filesFolder = 'generated-images'

/**
 * Publishes by writing the content file, committing it with its files, and pushing, after a pull.
 *
 * Publishes run one at a time, because they share one work tree; other staged or changed files in it are not
 * touched. A publish that fails leaves the work tree as it was.
 */
export function gitTarget(contentPath: string, variables: PublishEnvironment, log: Logger): PublishTarget {
  const { PUBLISH_GIT_BRANCH: branch, PUBLISH_GIT_STRICT: strict } = variables
  const folder = dirname(contentPath)
  const contentFile = basename(contentPath)

  const changesOfOthers = async (git: Git, names: readonly string[]): Promise<PublishOutcome | undefined> => {
    const others = names.map((name) => `:(exclude,literal)${name}`)
    const changed = await git('status', '--porcelain', '--', ':(top)', ...others)
    return changed === ''
      ? undefined
      : broken('working_tree_not_clean', changed.split('\n').slice(0, shownLines))
  }

  const write = async ({
    assets,
    pages,
    carried,
    removed,
    siteConfig,
    redirects,
  }: Publication): Promise<void> => {
    for (const { fileName, data } of Object.values(assets)) {
      await writeFileAtomically(join(folder, filesFolder, fileName), Buffer.from(data, 'base64'))
    }
    const { content: stored } = await readContentFile(contentPath).catch(() => nothing)
    const { entries } = await withCarried(pages, withoutEntries(stored, removed).site, carried)
    const content = { pages: toStored(entries), siteConfig: headerOf(siteConfig), redirects }
    await writeContentFile(contentPath, { content })
  }

  const push = async (git: Git, commit: string, hasNews: boolean): Promise<PublishOutcome> => {
    try {
      const pushed = await git('push', '--porcelain', 'origin', `${commit}:refs/heads/${branch}`)
      if (!hasNews && /^=/m.test(pushed))
        return succeeded('ready', { branch, message: nothingNew }, trackerOf(200))
    } catch (err) {
      if (isBehind(err)) return changedMeanwhile()
      log.error({ err }, 'git push failed')
      return broken('push_failed')
    }
    return { ...succeeded('triggered', { branch, commitSha: commit }, trackerOf(200)), commit }
  }

  const commitAndPush = async (publication: Publication): Promise<PublishOutcome> => {
    const { key, publishedAt, assets, ifStored, signal } = publication
    const git = gitIn(folder, variables, signal)
    const names = [contentFile, ...Object.values(assets).map(({ fileName }) => `${filesFolder}/${fileName}`)]
    const ours = literally([...new Set(names)])
    const objection = strict === '1' ? await changesOfOthers(git, names) : undefined
    if (objection) return objection
    if (ifStored !== undefined && ifStored !== (await tagOfFile(contentPath))) return changedMeanwhile()
    // What ends a publish must not end its undo.
    const undo = await undoing(gitIn(folder, variables), contentPath, names)
    let own: string | undefined
    try {
      await write(publication)
      await git('add', '--', ...ours)
      const hasNews = (await git('status', '--porcelain', '--', ...ours)) !== ''
      if (hasNews)
        await git('commit', '--quiet', '-m', `publish: session ${key} ${publishedAt}`, '--', ...ours)
      const commit = (await git('rev-parse', 'HEAD')).trim()
      own = hasNews ? commit : undefined
      const outcome = await push(git, commit, hasNews)
      if (!outcome.ok) await undo(own)
      return outcome
    } catch (err) {
      await undo(own)
      throw err
    }
  }

  return {
    name: 'git',
    takesFiles: true,
    refresh: (signal) =>
      inTurn(contentPath, () => pull(gitIn(folder, variables, signal), contentPath, branch)).then(
        () => undefined,
        (err: unknown) => {
          log.error({ err }, 'git pull failed')
          return broken('pull_failed')
        },
      ),
    publish: (publication) =>
      inTurn(contentPath, () => commitAndPush(publication)).catch((err: unknown) => {
        log.error({ err }, 'git publish failed')
        return broken('commit_failed')
      }),
  }
}

const tagOfFile = async (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').then(
    (text) => hash('sha256', text),
    () => undefined,
  )

/** Whether a push was refused because the remote has other commits, also since a moment ago. */
function isBehind(error: unknown): boolean {
  const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : ''
  return /^!.*(\[rejected\]|cannot lock ref|failed to update ref|incorrect old value)/m.test(output)
}

const nothing = { content: { pages: [] } }
const nothingNew = 'There is nothing new to publish.'
const shownLines = 12

const trackerOf = (deployStatus: 200 | 500) => ({ deployStatus, deployResponse: 'git_publish' })

const remedies = {
  working_tree_not_clean:
    'The work tree has other changes. Commit or remove them, or unset PUBLISH_GIT_STRICT.',
  commit_failed:
    'The content could not be committed. Check that PUBLISHED_CONTENT_PATH lies in a work tree that may be ' +
    'written to and that git knows a name and an address there; the log of the service has the output of git.',
  pull_failed:
    'The work tree of PUBLISHED_CONTENT_PATH could not be brought up to the branch of its remote. Check the remote, and ' +
    'merge there what both have changed, then publish again; the log of the service has the output of git.',
  push_failed:
    'The content could not be pushed, so nothing was changed. Check the remote and its permissions, then publish ' +
    'again; the log of the service has the output of git.',
} as const

/** Clients expect the code in `reason`. The output of git is for the log only, because hooks may print anything. */
function broken(reason: keyof typeof remedies, details: readonly string[] = []): PublishOutcome {
  const facts = { reason, details: [...details] }
  return failed(400, remedies[reason], { code: reason, tracker: trackerOf(500), facts })
}
