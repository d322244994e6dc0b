import type { Logger } from '../../../kernel/index.ts'
import { changedMeanwhile, succeeded } from '../outcome.ts'
import type { Publication, PublishOutcome } from '../port.ts'
import { type createBroken, outputOf, withHooks } from './git-failure.ts'
import type { Git } from './git-run.ts'

/** Creates a function that commits what is staged, if anything is, and pushes that to a branch of the remote. */
export function createPush(branch: string, broken: ReturnType<typeof createBroken>, log: Logger) {
  return async (git: Git, { key, publishedAt }: Publication): Promise<PublishOutcome> => {
    const hasNews = (await git('diff', '--cached', '--name-only')) !== ''
    if (hasNews) await withHooks(git('commit', '--quiet', '-m', `publish: session ${key} ${publishedAt}`))
    const commit = (await git('rev-parse', 'HEAD')).trim()
    try {
      const pushed = await withHooks(git('push', '--porcelain', 'origin', `${commit}:refs/heads/${branch}`))
      if (!hasNews && /^=/m.test(pushed))
        return succeeded('ready', { branch, message: nothingNew }, trackerOf)
    } catch (err) {
      if (isBehind(err)) return changedMeanwhile()
      log.error({ err }, 'git push failed')
      return broken('push_failed', err)
    }
    return { ...succeeded('triggered', { branch, commitSha: commit }, trackerOf), commit }
  }
}

/** Whether a push was refused because the remote has other commits, also since a moment ago. */
const isBehind = (error: unknown): boolean =>
  /^!.*(\[rejected\]|cannot lock ref|failed to update ref|incorrect old value)/m.test(outputOf(error))

const nothingNew = 'There is nothing new to publish.'
const trackerOf = { deployStatus: 200, deployResponse: 'git_publish' }
