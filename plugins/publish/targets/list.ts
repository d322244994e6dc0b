import { BootError, type Logger } from '../../../kernel/index.ts'
import type { ContentAdapter } from '../../content/adapter.ts'
import type { Outbound } from '../../outbound/port.ts'
import type { PublishEnvironment } from '../environment.ts'
import type { PublishTarget } from '../port.ts'
import { adapterTarget } from './adapter.ts'
import { deployHook } from './deploy-hook.ts'
import { committing } from './git-commit.ts'
import { createGitBranch, type GitBranch } from './git-branch.ts'
import { gitFilesTarget } from './git-files.ts'
import { gitTarget } from './git.ts'
import { siteContract } from './site-contract.ts'

/** Publish targets by their names. */
export type Targets = ReadonlyMap<string, PublishTarget>

/**
 * Returns the targets of this installation by name, in-house plugins first: they may claim a publish. Throws
 * a BootError for a duplicate name, and for PUBLISH_TARGET or PUBLISH_MODE without their settings.
 */
export function listTargets(context: {
  readonly own: readonly PublishTarget[]
  readonly adapter: ContentAdapter | undefined
  readonly adapterSiteId: string
  readonly outbound: Outbound
  readonly env: PublishEnvironment
  /** The branch with the content file, if that is set. */
  readonly remote: GitBranch | undefined
  readonly redact: ((text: string) => string) | undefined
  readonly log: Logger
}): Targets {
  const { own, adapter, adapterSiteId, outbound, env, remote, redact = asIs, log } = context
  const { PUBLISHED_CONTENT_PATH: contentPath, PUBLISH_TARGET: forced } = env
  const all = [
    ...own,
    siteContract(outbound, env.PUBLISH_TOKEN),
    ...(adapter ? [ownTarget(adapter)] : []),
    deployHook(outbound, env.VERCEL_DEPLOY_HOOK_URL),
    ...gitTargets(),
  ]
  function ownTarget(adapter: ContentAdapter): PublishTarget {
    if (!adapter.files) return adapterTarget(adapter, adapterSiteId, log)
    const commit = committing(adapter.files.folder, { env, redact, log })
    const target = adapterTarget(adapter, adapterSiteId, log, ({ commitMessage }) =>
      commitMessage === undefined ? undefined : commit,
    )
    return { ...target, commits: true }
  }
  function gitTargets(): readonly PublishTarget[] {
    if (contentPath !== undefined && remote) return [gitTarget(contentPath, { remote, env, redact, log })]
    if (!adapter?.files) return []
    const own = { ownSiteId: adapterSiteId, remote: createGitBranch(adapter.files.folder, env) }
    return [gitFilesTarget(adapter, { ...own, env, redact, log })]
  }
  const targets = new Map(all.map((target) => [target.name, target]))
  const twice = all.find((target) => targets.get(target.name) !== target)
  if (twice) throw new BootError([`publish target '${twice.name}' is given twice; rename one of them`])
  if ((forced === 'git' || env.PUBLISH_MODE === 'git') && !targets.has('git'))
    throw new BootError([needsFile])
  if (forced !== undefined && !targets.has(forced)) throw new BootError([unknown(forced, targets)])
  return targets
}

const asIs = (text: string): string => text

const needsFile =
  'environment variable PUBLISHED_CONTENT_PATH: publishing by git needs the content file that it commits, ' +
  'or an adapter whose content is files'

const unknown = (name: string, targets: Targets): string =>
  `environment variable PUBLISH_TARGET: '${name}' is not a publish target; ` +
  `there are ${[...targets.keys()].join(', ')}`
