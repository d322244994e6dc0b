import { definePlugin, optional } from '../../kernel/index.ts'
import { drafts } from '../draft/port.ts'
import { publishedPages } from '../published/port.ts'
import { scope } from '../scope/port.ts'
import { routes } from './routes.ts'
import { SessionsVariables } from './schemas.ts'
import { byLatestChange, toSummary } from './service.ts'

/** Who works on what: the drafts that there are. */
export default definePlugin({
  name: 'sessions',
  tag: 'Sessions',
  needs: { drafts, scope, published: optional(publishedPages) },
  env: SessionsVariables,
  routes,
}).setup(({ needs: { drafts, scope, published }, env }) => {
  // Clients prefer this address over their own, so it never comes from a header of the request.
  const orchestratorUrl = env.ORCHESTRATOR_PUBLIC_ORIGIN ?? `http://localhost:${env.PORT}`
  const countPublished = async (): Promise<number> => (await published?.count(scope.defaultSiteId)) ?? 0

  return {
    handlers: {
      async whoami({ query }) {
        const summary = toSummary(await drafts.summary(scope.draft(query)), scope)
        return {
          status: 200,
          body: { ...summary, publishedPageCount: await countPublished(), orchestratorUrl },
        }
      },
      async list({ caller: { limits } }) {
        const sessions = (await drafts.list())
          .filter(({ id }) => limits?.site === undefined || id.siteId === limits.site)
          .map((draft) => toSummary(draft, scope))
          .toSorted(byLatestChange)
        return { status: 200, body: { sessions, publishedPageCount: await countPublished() } }
      },
    },
  }
})
