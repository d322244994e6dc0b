import * as v from 'valibot'
import { clock, countOption, definePlugin, ids, optional, redactor, type Caller } from '../../kernel/index.ts'
import { refuseAddress } from '../auth/port.ts'
import { blobs } from '../blobs/port.ts'
import { bus } from '../bus/port.ts'
import { baselines } from '../baseline/port.ts'
import { contentAdapter } from '../content/adapter.ts'
import { declaredTypes, drafts, siteLink, toCommitContext } from '../draft/port.ts'
import { createDecide, following } from '../follow/port.ts'
import { jobs } from '../jobs/port.ts'
import { outbound } from '../outbound/port.ts'
import { type DraftId, scope } from '../scope/port.ts'
import { sites } from '../sites/port.ts'
import { store } from '../store/port.ts'
import { changedFiles } from './diff/changed-files.ts'
import { collections } from './collections.ts'
import { compare } from './comparison.ts'
import { contentOfBuild } from './complete-content.ts'
import { createDiffs } from './diff/diffs.ts'
import { PublishEnvironment } from './environment.ts'
import { createLinkedSite } from './linked-site.ts'
import {
  driveCopies,
  publishChecks,
  publishing,
  publishParticipants,
  publishTargets,
  snapshots,
} from './port.ts'
import { createContext } from './context.ts'
import { createPublisher } from './publisher.ts'
import { noPublish } from './refusals.ts'
import { createRequests } from './requests.ts'
import { routes } from './routes.ts'
import { queueOf } from './scheduled/scheduled.ts'
import { listConflicts } from './scheduled-conflicts.ts'
import type { DiffRequest } from './schemas.ts'
import { findSnapshot } from './snapshots.ts'
import { branchIn, createGitBranch } from './targets/git-branch.ts'
import { listTargets } from './targets/list.ts'

/** Publishes drafts, compares them with published content, and stores snapshots. */
export default definePlugin({
  name: 'publish',
  tag: 'Publish',
  options: v.object({
    maxPublishBytes: countOption(64 * 1024 * 1024),
    maxDiffBytes: countOption(64 * 1024 * 1024),
    longestCheckMs: countOption(30_000),
    lookEveryMs: countOption(10_000),
    /** For how long a read of a site is shared by all that ask; 0 for not at all. */
    sharedLookMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 1_000),
  }),
  env: PublishEnvironment,
  needs: {
    store,
    blobs,
    bus,
    jobs,
    clock,
    ids,
    scope,
    sites,
    drafts,
    siteLink,
    outbound,
    adapter: optional(contentAdapter),
    driveCopies,
    redact: optional(redactor),
    own: publishTargets,
    checks: publishChecks,
    participants: publishParticipants,
  },
  gives: { baselines, snapshots, publishing, following },
  collections,
  routes,
}).setup(({ needs, options, env, log, shape, production }) => {
  const { scope, adapter } = needs
  const { PUBLISHED_CONTENT_PATH: contentPath } = env
  const remote = contentPath === undefined ? undefined : createGitBranch(contentPath, env)
  const targets = listTargets({ ...needs, adapterSiteId: scope.defaultSiteId, env, remote, log })
  const typesOf = (id: DraftId) => declaredTypes(undefined, id, needs.sites)
  const context = createContext({ ...needs, ...options, typesOf, remote, env, shape, production, log })
  const { reader, snapshots: stored, scheduled, publishLog } = context
  const diffs = createDiffs(context)
  const decide = createDecide({ ...context, ...diffs })
  const linked = createLinkedSite(context, diffs)
  needs.siteLink.connect(linked.site)
  const publisher = createPublisher(context)
  const requests = createRequests(context, publisher, targets)
  const queue = queueOf(context, requests.run, options.lookEveryMs)

  const diff = async (request: DiffRequest, caller: Caller) => {
    refuseAddress(caller, request.siteOrigin)
    return { status: 200, body: await diffs.diffOf(scope.draft(request), request) } as const
  }

  return {
    gives: {
      baselines: reader,
      snapshots: stored,
      publishing: { publish: requests.publish },
      following: linked.following,
    },
    ready: () => queue.wake(),
    close: async () => void (await Promise.all([queue.close(), publisher.close()])),
    handlers: {
      async content({ query }) {
        return { status: 200, body: await contentOfBuild(context, scope.draft(query), query.publication) }
      },
      diff: ({ query, caller }) => diff(query, caller),
      postDiff: ({ body, caller }) => diff(body, caller),
      async files({ query }) {
        const id = scope.draft(query)
        const own = id.siteId === scope.defaultSiteId ? adapter?.files : undefined
        if (!own) return { status: 200, body: { files: [] } }
        const { commits } = requests.targetOf({ id, siteOrigin: undefined }).target
        const branch = commits ? await branchIn(own.folder, env) : undefined
        const { draft } = await compare(context, id, undefined, { isShown: false })
        return { status: 200, body: { ...(await changedFiles(draft, own)), branch } }
      },
      async follow({ body, caller }) {
        refuseAddress(caller, body.siteOrigin)
        return { status: 200, body: await diffs.followSite(scope.draft(body), body) }
      },
      async decide(call) {
        refuseAddress(call.caller, call.body.siteOrigin)
        const by = toCommitContext('/draft/conflicts', call)
        return { status: 200, body: await decide(scope.draft(call.body), call.body, by) }
      },
      async publish(call) {
        const { siteOrigin, allowDelete, baseVersion, at, commit, pages, siteConfig } = call.body
        const { overwrite, remove, asCommit } = call.body
        refuseAddress(call.caller, siteOrigin)
        const { actor } = toCommitContext('/publish', call)
        const id = scope.draft(call.body)
        const pinned = commit === undefined ? undefined : await findSnapshot(stored, commit, id.siteId)
        const part = pages && { slugs: pages, siteConfig: siteConfig === true }
        const how = { allowDelete: allowDelete === true, overwrite, remove, asCommit }
        const request = { ...how, id, siteOrigin, actor, pinned, part, expect: baseVersion }
        if (at === undefined) {
          const { httpStatus: status, body } = await requests.publish(request)
          return { status, body }
        }
        const answer = await requests.schedule(request, at)
        if (answer.status === 202) queue.wake()
        return answer
      },
      async scheduled({ query }) {
        const id = scope.draft(query)
        const isCompared = query.conflicts === '1'
        const found = isCompared ? listConflicts(context, id, query.others === '1') : scheduled.list(id)
        return { status: 200, body: { scheduled: await found } }
      },
      async reschedule({ body }) {
        const { siteId, against: session } = body
        const against = session === undefined ? undefined : scope.draft({ siteId, session })
        const moved = await requests.reschedule(scope.draft(body), body.id, { ...body, against })
        queue.wake()
        return { status: 200, body: moved }
      },
      async cancel({ query }) {
        await scheduled.cancel(scope.draft(query), query.id)
        return { status: 200, body: { status: 'canceled', id: query.id } }
      },
      async status({ query }) {
        const tracker = await context.status(scope.draft(query))
        if (!tracker) throw noPublish()
        return { status: 200, body: tracker }
      },
      async log({ query }) {
        return { status: 200, body: { entries: await publishLog.list(scope.draft(query), query.limit) } }
      },
    },
  }
})
