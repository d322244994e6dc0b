import { execFile } from 'node:child_process'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Logger } from '../../../kernel/index.ts'
import { toStored, withCarried } from '../../content/carry.ts'
import { inTurn, readContentFile, writeContentFile, writeFileAtomically } from '../../site/port.ts'
import type { PublishEnvironment } from '../environment.ts'
import type { Publication, PublishOutcome, PublishTarget } from '../port.ts'
import { failed, succeeded } from './outcome.ts'

const run = promisify(execFile)
const gitLimits = { timeout: 120_000, maxBuffer: 4 * 1024 * 1024 }
/** Files of a publish are stored next to the content file. */
const filesFolder = 'generated-images'

/**
 * Publishes by writing the content file, committing it with its files, and pushing.
 *
 * Publishes run one at a time, because they share one work tree; other staged or changed files in it are not
 * touched. A commit that could not be pushed is pushed by the next publish.
 */
export function gitTarget(contentPath: string, variables: PublishEnvironment, log: Logger): PublishTarget {
  const { PATH, HOME, SSH_AUTH_SOCK, PUBLISH_GIT_BRANCH: branch, PUBLISH_GIT_STRICT: strict } = variables
  // Paths of programs and keys; nothing secret.
  const env = { PATH, HOME, GIT_TERMINAL_PROMPT: '0', ...(SSH_AUTH_SOCK !== undefined && { SSH_AUTH_SOCK }) }
  const folder = dirname(contentPath)
  const contentFile = basename(contentPath)

  const commitAndPush = async (publication: Publication): Promise<PublishOutcome> => {
    const { key, publishedAt, assets, signal } = publication
    const git = async (...args: readonly string[]): Promise<string> =>
      (await run('git', ['-C', folder, ...args], { ...gitLimits, env, signal })).stdout
    const names = [contentFile, ...Object.values(assets).map(({ fileName }) => `${filesFolder}/${fileName}`)]
    const ours = [...new Set(names)].map((name) => `:(literal)${name}`)

    if (strict === '1') {
      const others = names.map((name) => `:(exclude,literal)${name}`)
      const changed = await git('status', '--porcelain', '--', ':(top)', ...others)
      if (changed !== '') return broken('working_tree_not_clean', changed.split('\n').slice(0, shownLines))
    }
    for (const { fileName, data } of Object.values(assets)) {
      await writeFileAtomically(join(folder, filesFolder, fileName), Buffer.from(data, 'base64'))
    }
    const { pages, carried, siteConfig } = publication
    const { content: stored } = await readContentFile(contentPath).catch(() => nothing)
    const { entries } = await withCarried(pages, stored, carried)
    await writeContentFile(contentPath, { content: { pages: toStored(entries), siteConfig } })
    await git('add', '--', ...ours)
    const hasNews = (await git('status', '--porcelain', '--', ...ours)) !== ''
    if (hasNews) await git('commit', '--quiet', '-m', `publish: session ${key} ${publishedAt}`, '--', ...ours)
    try {
      const pushed = await git('push', '--porcelain', 'origin', `HEAD:refs/heads/${branch}`)
      if (!hasNews && /^=/m.test(pushed))
        return succeeded('ready', { branch, message: nothingNew }, trackerOf(200))
    } catch (err) {
      log.error({ err }, 'git push failed')
      return broken('push_failed')
    }
    const commitSha = (await git('rev-parse', 'HEAD')).trim()
    return { ...succeeded('triggered', { branch, commitSha }, trackerOf(200)), commit: commitSha }
  }

  return {
    name: 'git',
    takesFiles: true,
    publish: (publication) =>
      inTurn(contentPath, () => commitAndPush(publication)).catch((err: unknown) => {
        log.error({ err }, 'git publish failed')
        return broken('commit_failed')
      }),
  }
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
  push_failed:
    'The commit was made but could not be pushed. Check the remote and its permissions, then publish ' +
    'again; the log of the service has the output of git.',
} as const

/** Clients expect the code in `reason`. The output of git is for the log only, because hooks may print anything. */
function broken(reason: keyof typeof remedies, details: readonly string[] = []): PublishOutcome {
  const facts = { reason, details: [...details] }
  return failed(400, remedies[reason], { code: reason, tracker: trackerOf(500), facts })
}
