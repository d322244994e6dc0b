import { definePlugin, optional } from '../../kernel/index.ts'
import { drafts, type DraftSummary } from '../draft/port.ts'
import { publishedPages } from '../publish/published/port.ts'
import { scope, type Scope } from '../scope/port.ts'
import { routes, type SessionSummary, SessionsVariables } from './routes.ts'

/** Lists editing sessions by their drafts. */
export default definePlugin({
  name: 'sessions',
  tag: 'Sessions',
  needs: { drafts, scope, published: optional(publishedPages) },
  env: SessionsVariables,
  routes,
}).setup(({ needs: { drafts, scope, published }, env }) => {
  // Clients prefer this address over their own, so it never comes from a request header.
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

/** Describes a draft for these routes. */
function toSummary({ id, version, pageCount, lastMutatedAt }: DraftSummary, scope: Scope): SessionSummary {
  return { sessionKey: scope.key(id), ...id, version, draftPageCount: pageCount, lastMutatedAt }
}

/** Compares by latest change first, unchanged drafts last, then by key. */
function byLatestChange(a: SessionSummary, b: SessionSummary): number {
  const [first, second] = [a.lastMutatedAt ?? '', b.lastMutatedAt ?? '']
  if (first !== second) return first > second ? -1 : 1
  return a.sessionKey < b.sessionKey ? -1 : 1
}
