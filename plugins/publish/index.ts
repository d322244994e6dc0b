import { BootError, clock, definePlugin, ids, optional } from '../../kernel/index.ts'
import { blobs } from '../blobs/port.ts'
import { bus } from '../bus/port.ts'
import { contentAdapter } from '../content/adapter.ts'
import { drafts, toCommitContext } from '../draft/port.ts'
import { outbound } from '../outbound/port.ts'
import { scope } from '../scope/port.ts'
import { sites } from '../sites/port.ts'
import { store } from '../store/port.ts'
import { createBaselines } from './baseline.ts'
import { PublishEnvironment } from './environment.ts'
import { createPublishLog } from './log.ts'
import { baselines, publishTargets, snapshots } from './port.ts'
import { noPublish } from './refusals.ts'
import { routes } from './routes.ts'
import { contentOf, createPublisher, diffOf } from './service.ts'
import { readSiteOrigin, registeredOrigin } from './site-origin.ts'
import { createSnapshots } from './snapshots.ts'
import { createPublishStatus } from './status.ts'
import { chooseTarget, listTargets } from './targets/choose.ts'

/** Publishes drafts, compares them with what is published, and keeps what was published. */
export default definePlugin({
  name: 'publish',
  tag: 'Publish',
  env: PublishEnvironment,
  needs: { store, blobs, bus, clock, ids, scope, sites, drafts, outbound, adapter: optional(contentAdapter), own: publishTargets },
  gives: { baselines, snapshots },
  routes,
}).setup(({ needs, env, log, production }) => {
  const { store, scope, sites, drafts, adapter, outbound, clock } = needs
  const origins = { listed: env.ORCHESTRATOR_CORS_ORIGINS, production }
  const kept = createSnapshots(needs)
  const publishLog = createPublishLog(store)
  const published = createBaselines({ ...needs, origins, snapshots: kept, adapter, adapterSiteId: scope.defaultSiteId, contentPath: env.PUBLISHED_CONTENT_PATH, log })
  const targets = listTargets({ own: needs.own, adapter, outbound, env, log })
  if (env.PUBLISH_TARGET !== undefined && !targets.has(env.PUBLISH_TARGET)) {
    throw new BootError([`environment variable PUBLISH_TARGET: '${env.PUBLISH_TARGET}' is no publish target; there are ${[...targets.keys()].join(', ')}`])
  }
  const status = createPublishStatus({
    log: publishLog,
    outbound,
    clock,
    api: { token: env.VERCEL_TOKEN, teamId: env.VERCEL_TEAM_ID, baseUrl: env.VERCEL_BASE_URL },
    graceSeconds: env.PUBLISH_GRACE_SECONDS || 120,
  })
  const publish = createPublisher({
    ...needs,
    log,
    baselines: published,
    snapshots: kept,
    publishLog,
    publicOrigin: env.ORCHESTRATOR_PUBLIC_ORIGIN,
  })

  return {
    gives: { baselines: published, snapshots: kept },
    handlers: {
      async content({ query }) {
        const id = scope.draft(query)
        const { pages, siteConfig = {} } = await contentOf(id, { drafts, sites })
        return { status: 200, body: { session: id.session, slugs: pages.map(({ slug }) => slug), pages: [...pages], siteConfig, generatedAt: clock.now().toISOString() } }
      },
      diff: async ({ query }) => ({ status: 200, body: await diffOf(scope.draft(query), query.siteOrigin, { drafts, sites, baselines: published }) }),
      postDiff: async ({ body }) => ({ status: 200, body: await diffOf(scope.draft(body), body.siteOrigin, { drafts, sites, baselines: published }) }),
      async publish(call) {
        const { siteOrigin, allowDelete } = call.body
        const id = scope.draft(call.body)
        const registered = await sites.previewUrl(id)
        const chosen = chooseTarget({ id, siteOrigin: readSiteOrigin(siteOrigin, registered, origins) }, {
          targets,
          env,
          hasAdapter: adapter !== undefined && id.siteId === scope.defaultSiteId,
          registered: registeredOrigin(registered, origins),
        })
        const { actor } = toCommitContext('/publish', call)
        const { httpStatus, body } = await publish({ id, ...chosen, allowDelete: allowDelete === true, actor, signal: call.signal })
        return { status: httpStatus, body }
      },
      async status({ query }) {
        const tracker = await status(scope.draft(query))
        if (!tracker) throw noPublish()
        return { status: 200, body: tracker }
      },
      log: async ({ query }) => ({ status: 200, body: { entries: [...(await publishLog.list(scope.draft(query), query.limit))] } }),
    },
  }
})
