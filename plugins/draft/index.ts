import * as v from 'valibot'
import { clock, definePlugin, optional } from '../../kernel/index.ts'
import { bus } from '../bus/port.ts'
import { contentAdapter, type ContentAdapter } from '../content/adapter.ts'
import { ingestPage } from '../content/ingest.ts'
import type { Page } from '../content/page.ts'
import { perObject } from '../content/plain-object.ts'
import { settingsOf } from '../content/redirects.ts'
import { withShownText } from '../content/shown-text.ts'
import { builtinRegistry } from '../content/registry.ts'
import { loadDemoPages } from '../demo-site/port.ts'
import { outbound } from '../outbound/port.ts'
import { scope, type DraftId, type ScopeRequest } from '../scope/port.ts'
import { guidanceOf, sites, withoutGuidance, type Guidance } from '../sites/port.ts'
import { store } from '../store/port.ts'
import { createBootstrap } from './bootstrap.ts'
import { limitOptions, answers, bases, changes, draftSites, heads, stacks } from './collections.ts'
import { createSeeding, origins, siteOriginOf } from './seeding.ts'
import { DraftCache } from './cache.ts'
import {
  bootstrapDraft,
  changeParticipants,
  drafts,
  siteLink,
  toCommitContext,
  type Committed,
  type Companion,
  type LinkedSite,
  type StoredPage,
} from './port.ts'
import { pageParts, pageRows, partsOfDrafts } from './stored-pages.ts'
import { noSuchPage } from './refusals.ts'
import { routes } from './routes.ts'
import { createDrafts } from './service.ts'
import { refusingUnstorable } from './unstorable.ts'
import { conflictsByPage, conflictNotes } from './conflicts.ts'
import { slugListWith } from './slug-list.ts'

/** What drafts know of their sites without a plugin that reads them. */
const unlinked: LinkedSite = {
  follow: async () => undefined,
  decideTyped: async () => undefined,
  renamesOn: async () => ({}),
  unansweredOf: async () => [],
  authorsOf: () => ({ ofConflicts: async () => new Map(), ofPages: async () => undefined }),
  noteFill: async () => undefined,
}

/** Reads of drafts, and the single write path. */
export default definePlugin({
  name: 'draft',
  tag: 'Draft',
  options: limitOptions,
  env: v.object({
    AUTO_BOOTSTRAP_SITE_ORIGIN: v.pipe(
      v.optional(origins),
      v.description(
        'The origin that empty drafts of the default site are filled from, while it has registered no `previewUrl`.',
      ),
      v.metadata({ otherwise: 'the first of `ORCHESTRATOR_CORS_ORIGINS` that is not an editor' }),
    ),
    ORCHESTRATOR_CORS_ORIGINS: v.optional(v.string()),
  }),
  needs: {
    store,
    bus,
    clock,
    scope,
    sites,
    outbound: optional(outbound),
    adapter: optional(contentAdapter),
    participants: changeParticipants,
  },
  gives: { drafts, bootstrap: bootstrapDraft, siteLink },
  collections: [
    answers,
    bases,
    changes,
    conflictNotes,
    draftSites,
    heads,
    pageParts,
    pageRows,
    partsOfDrafts,
    stacks,
  ],
  routes,
}).setup(async ({ needs, options: limits, env, log, production }) => {
  const { scope, sites } = needs
  const { demoContent } = await sites.about(scope.draft({}))
  const demoPages = demoContent ? await readDemoPages() : none
  const adapter = needs.adapter && withDemoPages(needs.adapter, demoPages)
  // The pages of an adapter take precedence, so its drafts start empty and are filled.
  const initial = adapter ? none : demoPages
  // Another plugin connects it later.
  const site: LinkedSite = { ...unlinked }
  const origin = siteOriginOf(env)
  const seeding = createSeeding({ ...needs, site, adapter, production, origin, log, limits })
  const context = {
    ...needs,
    participants: [...refusingUnstorable(needs.adapter, scope.defaultSiteId), ...needs.participants],
    site,
    log,
    cache: new DraftCache(),
    limits,
    initialPages: ({ siteId }: DraftId) => (siteId === scope.defaultSiteId ? initial : none),
  }
  const drafts = createDrafts(context, seeding)
  const bootstrap = createBootstrap(drafts, context)
  const toAnswer = perObject(
    ({ bytes, previewVersion }: StoredPage) =>
      ({ status: 200, body: bytes, headers: versioned(previewVersion) }) as const,
  )
  // A query that repeats is the same object.
  const draftOf = perObject((query: ScopeRequest) => scope.draft(query))

  return {
    gives: { drafts, bootstrap, siteLink: { connect: (other) => void Object.assign(site, other) } },
    handlers: {
      page({ query }) {
        const id = draftOf(query)
        const cached = drafts.pageInMemory(id, query.slug)
        if (cached) return toAnswer(cached)
        return drafts.pageAtAddress(id, query.slug).then((page) => {
          if (!page) throw noSuchPage(query.slug)
          return toAnswer(page)
        })
      },
      async view({ query }) {
        const { page = null, ...view } = await drafts.view(draftOf(query), query.slug)
        return { status: 200, body: { page, ...view } }
      },
      async slugs({ query }) {
        const id = scope.draft(query)
        // Reading the list fills an empty draft from its site, which increments its version.
        if ((await drafts.head(id)).pageCount === 0) await drafts.rows(id)
        const head = await drafts.head(id)
        const { version, leftOut, conflicts, rebased } = head
        const hasMore = conflicts > 0 || leftOut.length > 0
        const headers = versioned(version, hasMore ? rebased : undefined)
        const rows = await drafts.rows(id)
        const counts = conflicts > 0 ? await conflictsByPage(needs.store, id) : {}
        if (rows.length > 0) return { status: 200, body: slugListWith(rows, head, counts), headers }
        const notice = (await seeding.isSiteEmpty(id)) ? undefined : await drafts.whyEmpty(id)
        const empty = withShownText({ slugs: [], pages: [], notice })
        return { status: 200, body: JSON.stringify(empty), headers }
      },
      async bootstrap(call) {
        const { session, siteId, pages, siteConfig, overwrite, siteOrigin, origin, baseVersion } = call.body
        const id = scope.draft({ session, siteId })
        const context = toCommitContext('/draft/bootstrap', call, baseVersion)
        const from = { siteConfig: siteConfig ?? undefined, origin: siteOrigin ?? origin }
        const request = { id, pages, ...from, overwrite: overwrite === true, context }
        return { status: 200, body: await bootstrap(request) }
      },
      async siteConfig({ query }) {
        const id = scope.draft(query)
        const redirects = query.redirects === '1' && { redirects: await drafts.redirects(id) }
        const settings = { ...(await drafts.shownConfig(id)), ...redirects }
        return { status: 200, body: { ...settings, ...guidanceOf(await sites.registered(id)) } }
      },
      async saveSiteConfig(call) {
        const { config, baseVersion, ...target } = call.body
        const id = scope.draft(target)
        const edit = { kind: 'config', patch: withoutGuidance(config) } as const
        let guidance: Guidance = {}
        const also: Companion = async (tx) => {
          const store = await sites.guide(tx, id, guidanceOf(config))
          return async () => void (guidance = await store())
        }
        const request = { id, edit, also, ...toCommitContext('/draft/site-config', call, baseVersion) }
        const toSaved = ({ config = {} }: Committed) => ({
          status: 'ok' as const,
          config: { ...settingsOf(config), ...guidance },
        })
        return { status: 200, body: await drafts.commit(request, toSaved) }
      },
    },
  }
})

const none: ReadonlyMap<string, Page> = new Map()

/** A version, and the number of a state of the same version where there are several. */
const versioned = (version: number, state?: number) => ({
  'cache-control': 'private, no-cache',
  etag: `"${version}${state === undefined ? '' : `;${state}`}"`,
})

/** Adds the demo pages to an adapter without pages. */
const withDemoPages = (
  adapter: Pick<ContentAdapter, 'readContent' | 'branch'>,
  demoPages: ReadonlyMap<string, Page>,
) => ({
  branch: async () => adapter.branch?.(),
  async readContent() {
    const content = await adapter.readContent()
    return content.pages.length > 0 || content.unreadable
      ? content
      : { ...content, pages: [...demoPages.values()] }
  },
})

/** Reads the pages of a mount with demo content. */
async function readDemoPages(): Promise<ReadonlyMap<string, Page>> {
  const { demoPages } = await loadDemoPages()
  return new Map(demoPages.map((page) => [page.slug, ingestPage(page, { registry: builtinRegistry })]))
}
