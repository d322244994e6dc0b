import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Logger } from '../../../kernel/index.ts'
import { inTurn, writeFileAtomically } from '../../site/port.ts'
import type { Publication, PublishOutcome, PublishTarget } from '../port.ts'

export interface GitOptions {
  /** The content file, inside a work tree. */
  readonly contentPath: string
  /** The branch that is pushed. */
  readonly branch: string
  /** Refuses while other files of the work tree are changed. */
  readonly strict: boolean
  /** What git may see of the environment: where programs and keys are, and nothing secret. */
  readonly env: Readonly<Record<string, string>>
  readonly log: Logger
}

const run = promisify(execFile)
const gitTimes = { timeout: 120_000, maxBuffer: 4 * 1024 * 1024 }
const shownLines = 12

type Failure = 'working_tree_not_clean' | 'commit_failed' | 'push_failed'

/**
 * Publishes by writing the content file, committing that file alone, and pushing.
 *
 * Publishes take turns, because they share one work tree; what others have staged or changed in it is left alone.
 */
export function gitTarget({ contentPath, branch, strict, env, log }: GitOptions): PublishTarget {
  const git = async (...args: readonly string[]): Promise<string> => (await run('git', ['-C', dirname(contentPath), ...args], { ...gitTimes, env })).stdout

  const commitAndPush = async (publication: Publication): Promise<PublishOutcome> => {
    const file = basename(contentPath)
    if (strict) {
      const others = (await git('status', '--porcelain')).split('\n').filter((line) => line !== '' && !line.endsWith(file))
      if (others.length > 0) return broken('working_tree_not_clean', others.slice(0, shownLines))
    }
    await writeFileAtomically(contentPath, await contentOf(publication, contentPath))
    await git('add', '--', file)
    if ((await git('status', '--porcelain', '--', file)).trim() === '') {
      return outcome('ready', { branch, message: 'There is nothing new to publish.', vercelState: 'READY' })
    }
    await git('commit', '--quiet', '-m', `publish: session ${publication.key} ${publication.publishedAt}`, '--', file)
    const commitSha = (await git('rev-parse', 'HEAD')).trim()
    try {
      await git('push', '--quiet', 'origin', `HEAD:${branch}`)
    } catch (err) {
      log.error({ err }, 'git push failed')
      return broken('push_failed', linesOf(err))
    }
    return { ...outcome('triggered', { branch, commitSha, vercelState: 'TRIGGERED' }), commit: commitSha }
  }

  return {
    name: 'git',
    publish: (publication) =>
      inTurn(contentPath, () => commitAndPush(publication)).catch((err: unknown) => {
        log.error({ err }, 'git publish failed')
        return broken('commit_failed', linesOf(err))
      }),
  }
}

function outcome(status: 'ready' | 'triggered', body: { readonly branch: string; readonly vercelState: string; readonly [more: string]: unknown }): PublishOutcome {
  return { ok: true, httpStatus: 200, status, body, tracker: { deployStatus: 200, deployResponse: 'git_publish', vercelState: body.vercelState } }
}

const remedies: Readonly<Record<Failure, string>> = {
  working_tree_not_clean: 'The work tree has other changes. Commit or remove them, or unset PUBLISH_GIT_STRICT.',
  commit_failed: 'The content could not be committed. Look into the log of the service.',
  push_failed: 'The commit was made but could not be pushed. Look at the remote and its permissions, then publish again.',
}

function broken(reason: Failure, details: readonly string[]): PublishOutcome {
  const body = { error: remedies[reason], code: reason, reason, details: [...details] }
  return { ok: false, httpStatus: 400, status: 'failed', body, tracker: { deployStatus: 500, deployResponse: 'git_publish' } }
}

/** The last lines that git printed; they name branches and files of the repository, never the environment. */
function linesOf(error: unknown): readonly string[] {
  const stderr = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr) : ''
  return stderr.split('\n').filter(Boolean).slice(-shownLines).map((line) => line.replace(/\/\/[^/@\s]+@/g, '//'))
}

/** The content in the form that the file already has: a plain array, or an object with `pages` and `siteConfig`. */
async function contentOf({ pages, siteConfig }: Publication, path: string): Promise<string> {
  const before = await readFile(path, 'utf8').catch(() => '[]')
  const content = before.trimStart().startsWith('{') ? { pages, siteConfig } : pages
  return `${JSON.stringify(content, null, 2)}\n`
}
