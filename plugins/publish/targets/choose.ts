import type { PublishEnvironment } from '../environment.ts'
import type { Publication, PublishTarget } from '../port.ts'
import { noTarget } from '../refusals.ts'
import type { Targets } from './list.ts'

/** Where a publish goes, and the site that it names or that was found for it. */
export interface Chosen {
  readonly target: PublishTarget
  readonly siteOrigin: string | undefined
}

const modes = { deploy_hook: 'deploy-hook', git: 'git' } as const

/**
 * Chooses the target of a publish: the one that is forced, one that claims it, the adapter of a mount, the
 * one that PUBLISH_MODE names, the registered site. Refuses with 400 `no_publish_target`. `git` runs only
 * where it was asked for by name.
 */
export function chooseTarget(
  publication: Pick<Publication, 'id' | 'siteOrigin'>,
  { targets, env, hasAdapter, registered }: {
    readonly targets: Targets
    readonly env: Pick<PublishEnvironment, 'PUBLISH_TARGET' | 'PUBLISH_MODE'>
    /** The draft is one of the site that the adapter of this mount belongs to. */
    readonly hasAdapter: boolean
    /** The address that the site registered, where it may be called without being named. */
    readonly registered: string | undefined
  },
): Chosen {
  const { siteOrigin = registered } = publication
  const target =
    targets.get(env.PUBLISH_TARGET ?? '') ??
    targets.values().find((each) => each.claims?.(publication)) ??
    (hasAdapter ? targets.get('adapter') : undefined) ??
    (env.PUBLISH_MODE && targets.get(modes[env.PUBLISH_MODE])) ??
    (registered === undefined ? undefined : targets.get('site-contract'))
  if (!target) throw noTarget()
  return { target, siteOrigin: target.name === 'site-contract' ? siteOrigin : publication.siteOrigin }
}
