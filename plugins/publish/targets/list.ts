import { BootError, type Logger } from '../../../kernel/index.ts'
import type { ContentAdapter } from '../../content/adapter.ts'
import type { Outbound } from '../../outbound/port.ts'
import type { PublishEnvironment } from '../environment.ts'
import type { PublishTarget } from '../port.ts'
import { adapterTarget } from './adapter.ts'
import { deployHook } from './deploy-hook.ts'
import { gitTarget } from './git.ts'
import { siteContract } from './site-contract.ts'

export type Targets = ReadonlyMap<string, PublishTarget>

export interface TargetContext {
  /** Those of in-house plugins. */
  readonly own: readonly PublishTarget[]
  readonly adapter: ContentAdapter | undefined
  /** The site that the adapter belongs to. */
  readonly adapterSiteId: string
  readonly outbound: Outbound
  readonly env: PublishEnvironment
  readonly log: Logger
}

/**
 * Every target of this installation by name: those of in-house plugins first, so that they may claim a
 * publish. Throws a BootError for two of one name, and for PUBLISH_TARGET or PUBLISH_MODE without what they
 * need.
 */
export function listTargets({ own, adapter, adapterSiteId, outbound, env, log }: TargetContext): Targets {
  const { PUBLISHED_CONTENT_PATH: contentPath, PUBLISH_TARGET: forced } = env
  const git = contentPath === undefined ? undefined : createGit(contentPath, env, log)
  const all = [
    ...own,
    siteContract({ outbound, publishToken: env.PUBLISH_TOKEN }),
    ...(adapter ? [adapterTarget(adapter, adapterSiteId)] : []),
    deployHook({ outbound, url: env.VERCEL_DEPLOY_HOOK_URL }),
    ...(git ? [git] : []),
  ]
  const targets = new Map(all.map((target) => [target.name, target]))
  const twice = all.find((target) => targets.get(target.name) !== target)
  if (twice) throw new BootError([`publish target '${twice.name}' is given twice; rename one of them`])
  if ((forced === 'git' || env.PUBLISH_MODE === 'git') && !targets.has('git'))
    throw new BootError([needsFile])
  if (forced !== undefined && !targets.has(forced)) throw new BootError([unknown(forced, targets)])
  return targets
}

const needsFile =
  'environment variable PUBLISHED_CONTENT_PATH: publishing by git needs the content file that it commits'

const unknown = (name: string, targets: Targets): string =>
  `environment variable PUBLISH_TARGET: '${name}' is not a publish target; ` +
  `there are ${[...targets.keys()].join(', ')}`

function createGit(contentPath: string, env: PublishEnvironment, log: Logger): PublishTarget {
  const { PATH, HOME, SSH_AUTH_SOCK } = env
  return gitTarget({
    contentPath,
    branch: env.PUBLISH_GIT_BRANCH,
    strict: env.PUBLISH_GIT_STRICT === '1',
    env: { PATH, HOME, GIT_TERMINAL_PROMPT: '0', ...(SSH_AUTH_SOCK !== undefined && { SSH_AUTH_SOCK }) },
    log,
  })
}
