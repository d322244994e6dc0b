import * as v from 'valibot'
import { clock, countOption, definePlugin, ids, optional, redactor, type Caller } from '../../kernel/index.ts'
import { refuseAddress } from '../auth/port.ts'
import { blobs } from '../blobs/port.ts'
import { bus } from '../bus/port.ts'
import {
  baselines,
  createSources,
  createSiteOrigins,
  createSiteReader,
  noteFill,
  renamesOn,
  unansweredOf,
} from '../baseline/port.ts'
import { contentAdapter } from '../content/adapter.ts'
import { drafts, siteLink, toCommitContext } from '../draft/port.ts'
import {
  authorsOf,
  createDecide,
  createFollowing,
  createShown,
  createTypedAgain,
  following,
} from '../follow/port.ts'
import { jobs } from '../jobs/port.ts'
import { outbound } from '../outbound/port.ts'
import { type DraftId, scope } from '../scope/port.ts'
import { readContentOf, tagOf } from '../site/port.ts'
import { sites } from '../sites/port.ts'
import { store } from '../store/port.ts'
import { createOwnFiles } from './assets.ts'
import { changedFiles } from './changed-files.ts'
import { collections } from './collections.ts'
import { createBranches } from './branches.ts'
import { createDiffs } from './diffs.ts'
import { createDeploymentResults, createPublishStatus } from './status.ts'
import { addressesOf, graceOf, PublishEnvironment } from './environment.ts'
import { createPublishLog } from './log.ts'
import {
  driveCopies,
  publishChecks,
  publishing,
  publishParticipants,
  publishTargets,
  snapshots,
} from './port.ts'
import type { PublishParts } from './parts.ts'
import { createPublisher } from './publisher.ts'
import { noPublish } from './refusals.ts'
import { chooseTarget, createRequests } from './requests.ts'
import { routes } from './routes.ts'
import { createScheduled, queueOf } from './scheduled.ts'
import { listConflicts } from './scheduled-conflicts.ts'
import type { DiffRequest } from './schemas.ts'
import { createSnapshots, findSnapshot } from './snapshots.ts'
import { branchIn, createGitBranch } from './targets/git-branch.ts'
import { listTargets } from './targets/list.ts'
import { completeContent, contentOfBuild, contentOfDraft, contentOfPublish } from './complete-content.ts'

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
  const { scope, adapter, clock } = needs
  const adapterSiteId = scope.defaultSiteId
  const origins = createSiteOrigins({ ...needs, listed: env.ORCHESTRATOR_CORS_ORIGINS, production })
  const { PUBLISHED_CONTENT_PATH: contentPath, PUBLISH_TARGET: forced } = env
  const branch = adapter?.branch?.bind(adapter)
  const remote = contentPath === undefined ? undefined : createGitBranch(contentPath, env)
  const targets = listTargets({ ...needs, adapterSiteId, env, remote, log })
  const snapshotStore = createSnapshots(needs)
  const choose = createSources({
    ...needs,
    origins,
    adapter: adapter && { read: () => readContentOf(adapter), tagOf, isExact: adapter.isExact },
    snapshots: snapshotStore,
    adapterSiteId,
    contentPath,
    remote: (forced ?? env.PUBLISH_MODE) === 'git' ? remote : undefined,
    forced,
    log,
  })
  const files = createOwnFiles({
    ...needs,
    addresses: addressesOf(env, shape),
    driveName: async (id) => needs.driveCopies[0]?.(id),
  })
  const publishLog = createPublishLog(needs.store, needs.participants)
  const status = createPublishStatus({ ...needs, log: publishLog, env })
  const { follow: takeOver, reopen } = createFollowing({ ...needs, snapshots: snapshotStore })
  const { deploymentMs, answerMs: graceMs } = graceOf(env)
  const hasFailed = createDeploymentResults({ log: publishLog, status, clock, deploymentMs })
  const results = { hasFailed, note: publishLog.note }
  const live = createSiteReader({ ...needs, ...options, choose, results, reopen, graceMs, log })
  const shown = createShown({ ...needs, follow: takeOver })
  const parts: PublishParts = {
    ...needs,
    ...options,
    ...shown,
    log,
    reader: live,
    branches: branch && createBranches(needs.store, branch),
    origins,
    follow: takeOver,
    files,
    snapshots: snapshotStore,
    publishLog,
    status,
    deploymentMs,
    scheduled: createScheduled({ ...needs, log }),
  }
  const { scheduled } = parts
  const { diffOf, followSite, followKnown } = createDiffs(parts)
  const decisions = { ...needs, ...shown, followSite }
  const decide = createDecide(decisions)
  const publisher = createPublisher(parts)
  const targetOf: Parameters<typeof createRequests>[0]['targetOf'] = ({ registered, ...publication }) => {
    const hasAdapter = adapter !== undefined && publication.id.siteId === adapterSiteId
    return chooseTarget(publication, { targets, env, hasAdapter, registered })
  }
  const requests = createRequests({ ...parts, publisher, targetOf })
  const queue = queueOf(parts, requests.run, options.lookEveryMs)

  const diff = async (request: DiffRequest, caller: Caller) => {
    refuseAddress(caller, request.siteOrigin)
    return { status: 200, body: await diffOf(scope.draft(request), request) } as const
  }

  const tried = async <T>(id: DraftId, follow: () => Promise<T>): Promise<T | undefined> => {
    try {
      return (await needs.drafts.head(id)).isUnfilled ? undefined : await follow()
    } catch (err) {
      log.warn({ err, siteId: id.siteId }, 'a draft could not follow its site')
      return undefined
    }
  }
  const decideTyped = createTypedAgain(decisions)
  const follow = async (id: DraftId) => tried(id, () => followKnown(id))
  needs.siteLink.connect({
    follow,
    decideTyped,
    renamesOn,
    unansweredOf,
    authorsOf,
    async noteFill(tx, read, version) {
      await noteFill(tx, read)
      await parts.branches?.filled(tx, read, version)
    },
  })

  return {
    gives: {
      baselines: live,
      snapshots: snapshotStore,
      publishing: { publish: requests.publish },
      following: { follow: async (id) => tried(id, async () => (await followSite(id, {})).message) },
    },
    ready: () => queue.wake(),
    async close() {
      await Promise.all([queue.close(), publisher.close()])
    },
    handlers: {
      async content({ query }) {
        const sent = await contentOfBuild(parts, scope.draft(query), query.publication)
        const id = sent ?? scope.draft(query)
        const metadata = { session: id.session, generatedAt: clock.now().toISOString() }
        const { content: site } = await live.read(id, {})
        const content = await (sent ? contentOfPublish(needs.drafts, sent) : contentOfDraft(needs.drafts, id))
        return { status: 200, body: await completeContent(content, metadata, site) }
      },
      diff: ({ query, caller }) => diff(query, caller),
      postDiff: ({ body, caller }) => diff(body, caller),
      async files({ query }) {
        const id = scope.draft(query)
        const own = id.siteId === adapterSiteId ? adapter?.files : undefined
        if (!own) return { status: 200, body: { files: [] } }
        const { commits } = targetOf({ id, siteOrigin: undefined, registered: undefined }).target
        const branch = commits ? await branchIn(own.folder, env) : undefined
        return { status: 200, body: { ...(await changedFiles(parts, id, own)), branch } }
      },
      async follow({ body, caller }) {
        refuseAddress(caller, body.siteOrigin)
        return { status: 200, body: await followSite(scope.draft(body), body) }
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
        const pinned = commit === undefined ? undefined : await findSnapshot(snapshotStore, commit, id.siteId)
        const common = {
          id,
          siteOrigin,
          allowDelete: allowDelete === true,
          overwrite,
          remove,
          asCommit,
          actor,
        }
        const part = pages && { slugs: pages, siteConfig: siteConfig === true }
        const request = pinned ? { ...common, pinned } : { ...common, part, expect: baseVersion }
        if (at === undefined) {
          const { httpStatus, body } = await requests.publish(request)
          return { status: httpStatus, body }
        }
        const answer = await requests.schedule(request, at)
        if (answer.status === 202) queue.wake()
        return answer
      },
      async scheduled({ query }) {
        const id = scope.draft(query)
        const isCompared = query.conflicts === '1'
        const found = isCompared ? listConflicts(parts, id, query.others === '1') : scheduled.list(id)
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
        const tracker = await status(scope.draft(query))
        if (!tracker) throw noPublish()
        return { status: 200, body: tracker }
      },
      async log({ query }) {
        return { status: 200, body: { entries: await publishLog.list(scope.draft(query), query.limit) } }
      },
    },
  }
})
