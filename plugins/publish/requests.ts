import { Refusal } from '../../kernel/index.ts'
import { slugsOf } from '../content/diff/index.ts'
import type { DecideBody } from '../follow/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { PublishContext } from './context.ts'
import type { Publication } from './port.ts'
import type { createPublisher } from './publisher.ts'
import type { Chosen, PublishRequest } from './request.ts'
import { pinMoves } from './scheduled/moved-pins.ts'
import { noCommit, noTarget, targetReadsDraft, timeNotPossible } from './refusals.ts'
import type { Claimed } from './scheduled/scheduled.ts'
import { decideScheduled } from './scheduled-conflicts.ts'
import { readLogged } from './log.ts'
import { broughtBy } from './outcome.ts'
import { pinBaseOf } from './scheduled/pin.ts'
import type { LogRow } from './schemas.ts'
import type { Targets } from './targets/list.ts'

/** A publish before its target is chosen. */
type Requested = Pick<
  PublishRequest,
  'id' | 'actor' | 'overwrite' | 'expect' | 'part' | 'remove' | 'pinned' | 'asCommit'
> &
  Partial<Pick<PublishRequest, 'siteOrigin' | 'allowDelete'>>

const longestWaitMs = 366 * 86_400_000

/** Another time for a scheduled publish, and decisions about a draft, by default its own. */
interface Rescheduling {
  readonly at?: Date | undefined
  readonly decide?: DecideBody['decide'] | undefined
  readonly against?: DraftId | undefined
}

/** Creates the ways to publish: now, at a time, and what was scheduled. */
export function createRequests(
  context: PublishContext,
  publisher: ReturnType<typeof createPublisher>,
  targets: Targets,
) {
  const { scheduled, branches, clock, origins } = context
  const targetOf = chooseTarget(context, targets)

  /** Chooses the target of a publish; refuses one that reads later what this does not send. */
  const choose = async (
    { id, siteOrigin, allowDelete = false, ...rest }: Requested,
    isPinned = [rest.pinned, rest.part, rest.remove].some((each) => each !== undefined),
  ): Promise<PublishRequest> => {
    const named = await origins.named(id, siteOrigin)
    const registered = await origins.registered(id)
    const chosen = targetOf({ id, siteOrigin: named }, registered)
    const { name, readsDraft, readsLater, commits = false } = chosen.target
    if (rest.asCommit && !commits) throw noCommit(name)
    // What is read later carries the entries that the site has then.
    if ((isPinned && readsDraft) || (rest.remove && readsLater)) throw targetReadsDraft(name)
    return { ...chosen, ...rest, id, named, allowDelete }
  }

  return {
    targetOf,
    publish: async (request: Requested) => publisher.publish(await choose(request)),

    /** Checks a publish like one of now, and stores its content until its time. */
    async schedule(request: Requested, at: Date) {
      refuseTime(at, clock.now())
      const chosen = await choose(request, true)
      const { compared, refusal } = await publisher.examine(chosen)
      if (refusal) return { status: refusal.httpStatus, body: refusal.body }
      const { id, actor, siteOrigin, allowDelete = false, pinned } = request
      const { draft, version, baseline, diff, former } = compared
      const slugs = [...slugsOf(draft)]
      const commit = pinned?.commit
      const changes = commit === undefined ? broughtBy(compared, await readLogged(id, context)) : undefined
      const facts = { target: chosen.target.name, slugs, version, commit, changes }
      const planned = { ...facts, id, actor, siteOrigin, allowDelete }
      const differing = diff.pages.filter(({ status }) => status !== 'unchanged').map(({ slug }) => slug)
      const base =
        commit === undefined && baseline
          ? pinBaseOf(baseline, differing, { renames: compared.renames.between, former })
          : undefined
      if (compared.isOwn)
        await branches?.note(id, {
          tag: compared.storageTag,
          version: version ?? 0,
          isSame: false,
          isMeant: true,
        })
      const row = await scheduled.add(planned, { content: draft, base }, at)
      return { status: 202, body: { ...row, status: 'scheduled' } } as const
    },

    /** Sets another time, and decides conflicts. */
    async reschedule(id: DraftId, key: string, { at, decide, against }: Rescheduling) {
      if (at) refuseTime(at, clock.now())
      const decisions = decide && (await decideScheduled(context, id, key, decide, against))
      return scheduled.change(id, key, { at, ...decisions })
    },

    /** Publishes what was scheduled; a site that takes no publish any more is a failed one of the log. */
    async run(claim: Claimed): Promise<void> {
      const { id, actor, siteOrigin, allowDelete, pinned, signal } = claim
      const request = await choose({ id, siteOrigin, allowDelete, actor, pinned }).catch(
        (err: unknown): PublishRequest => {
          if (!(err instanceof Refusal) || err.status >= 500) throw err
          const target = { name: claim.target, publish: () => Promise.reject(err) }
          return { target, siteOrigin: undefined, named: undefined, id, actor, allowDelete, pinned }
        },
      )
      const ending: PublishRequest['ending'] = async (row, isStopped) => {
        if (row.status === 'failed') return (tx) => claim.end(tx, failure(row, isStopped))
        const movePins = await pinMoves(context.store, claim)
        return async (tx) => {
          await movePins(tx)
          await claim.end(tx, 'done')
        }
      }
      await publisher.publish({ ...request, signal, ending })
    },
  }
}

const failure = ({ summary, error = summary }: LogRow, isStopped: boolean) =>
  isStopped ? ('later' as const) : { error }

const modes = { deploy_hook: 'deploy-hook', git: 'git' } as const

/**
 * Returns the function that chooses the target of a publish: the forced target, a target that claims the
 * publish, the adapter of a mount, the target of PUBLISH_MODE, or the registered site, in this order. It
 * refuses with 400 `no_publish_target`. `git` runs only if it is named explicitly; it claims what an adapter
 * has in files.
 */
const chooseTarget =
  ({ adapter, scope, env }: Pick<PublishContext, 'adapter' | 'scope' | 'env'>, targets: Targets) =>
  /** `registered` is the address of the site, if it may be called without being named. */
  (publication: Pick<Publication, 'id' | 'siteOrigin'>, registered?: string): Chosen => {
    const { id, siteOrigin = registered } = publication
    const hasAdapter = adapter !== undefined && id.siteId === scope.defaultSiteId
    const target =
      targets.get(env.PUBLISH_TARGET ?? '') ??
      targets.values().find((each) => each.claims?.(publication)) ??
      (hasAdapter ? targets.get('adapter') : undefined) ??
      (env.PUBLISH_MODE && targets.get(modes[env.PUBLISH_MODE])) ??
      (registered === undefined ? undefined : targets.get('site-contract'))
    if (!target) throw noTarget()
    return { target, siteOrigin: target.name === 'site-contract' ? siteOrigin : publication.siteOrigin }
  }

function refuseTime(at: Date, now: Date): void {
  const wait = at.getTime() - now.getTime()
  if (wait <= 0 || wait > longestWaitMs) throw timeNotPossible(now.toISOString())
}
