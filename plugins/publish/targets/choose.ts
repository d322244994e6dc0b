import { BootError, type Logger } from '../../../kernel/index.ts'
import type { ContentAdapter } from '../../content/adapter.ts'
import type { Outbound } from '../../outbound/port.ts'
import type { PublishEnvironment } from '../environment.ts'
import type { Publication, PublishTarget } from '../port.ts'
import { noTarget } from '../refusals.ts'
import { adapterTarget } from './adapter.ts'
import { deployHook } from './deploy-hook.ts'
import { gitTarget } from './git.ts'
import { siteContract } from './site-contract.ts'

export type Targets = ReadonlyMap<string, PublishTarget>

/** Every target of this installation by name: those of in-house plugins first, so that they may claim a publish. */
export function listTargets({ own, adapter, outbound, env, log }: {
  readonly own: readonly PublishTarget[]
  readonly adapter: ContentAdapter | undefined
  readonly outbound: Outbound
  readonly env: PublishEnvironment
  readonly log: Logger
}): Targets {
  const { PUBLISHED_CONTENT_PATH: contentPath, PATH = '', HOME = '', SSH_AUTH_SOCK } = env
  if (contentPath === undefined && (env.PUBLISH_MODE === 'git' || env.PUBLISH_TARGET === 'git')) {
    throw new BootError(['environment variable PUBLISHED_CONTENT_PATH: publishing by git needs the content file that it commits'])
  }
  const git = contentPath !== undefined && gitTarget({
    contentPath,
    branch: env.PUBLISH_GIT_BRANCH,
    strict: env.PUBLISH_GIT_STRICT === '1',
    env: { PATH, HOME, GIT_TERMINAL_PROMPT: '0', ...(SSH_AUTH_SOCK !== undefined && { SSH_AUTH_SOCK }) },
    log,
  })
  const targets = [
    ...own,
    siteContract({ outbound, publishToken: env.PUBLISH_TOKEN }),
    ...(adapter ? [adapterTarget(adapter)] : []),
    deployHook({ outbound, url: env.VERCEL_DEPLOY_HOOK_URL }),
    ...(git ? [git] : []),
  ]
  const names = targets.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new BootError([`publish target '${twice}' is given twice; rename one of them`])
  return new Map(targets.map((target) => [target.name, target]))
}

/** Where a publish goes, and the site that it names or that was found for it. */
export interface Chosen {
  readonly target: PublishTarget
  readonly siteOrigin: string | undefined
}

const modes = { deploy_hook: 'deploy-hook', git: 'git' } as const

/**
 * Chooses the target of a publish: the one that is forced, one that claims it, the adapter of a mount, the one that
 * PUBLISH_MODE names, the registered site. Refuses with 400 `no_publish_target`. `git` runs only where it was asked for by name.
 */
export function chooseTarget(publication: Pick<Publication, 'id' | 'siteOrigin'>, { targets, env, hasAdapter, registered }: {
  readonly targets: Targets
  readonly env: PublishEnvironment
  readonly hasAdapter: boolean
  /** The address that the site registered, where it may be called without being named. */
  readonly registered: string | undefined
}): Chosen {
  const { siteOrigin } = publication
  const named =
    targets.get(env.PUBLISH_TARGET ?? '') ??
    [...targets.values()].find((target) => target.claims?.(publication)) ??
    (hasAdapter ? targets.get('adapter') : undefined) ??
    (env.PUBLISH_MODE ? targets.get(modes[env.PUBLISH_MODE]) : undefined)
  if (named) return { target: named, siteOrigin: siteOrigin ?? (named.name === 'site-contract' ? registered : undefined) }
  const site = registered === undefined ? undefined : targets.get('site-contract')
  if (!site) throw noTarget()
  return { target: site, siteOrigin: registered }
}
