import { definePlugin, optional } from '../../../kernel/index.ts'
import { contentAdapter } from '../../content/adapter.ts'
import type { Page } from '../../content/page.ts'
import { loadDemoPages } from '../../demo-site/port.ts'
import { snapshots } from '../port.ts'
import { scope } from '../../scope/port.ts'
import { sites } from '../../sites/port.ts'
import { publishedPages } from './port.ts'
import { notPublished, routes } from './routes.ts'

/** The pages that a site last published, or the demo pages if enabled and no adapter has others. */
export default definePlugin({
  name: 'publish-published',
  tag: 'Publish',
  needs: { snapshots, scope, sites, adapter: optional(contentAdapter) },
  gives: { publishedPages },
  routes,
}).setup(({ needs: { snapshots, scope, sites, adapter } }) => {
  /** Returns the pages of a site that never published. */
  const initialPages = async (siteId: string): Promise<readonly Page[]> =>
    !adapter && (await sites.about(scope.draft({ siteId }))).demoContent
      ? (await loadDemoPages()).demoPages
      : []

  return {
    gives: {
      publishedPages: {
        async count(siteId) {
          const [newest] = await snapshots.list(siteId)
          return newest?.pageCount ?? (await initialPages(siteId)).length
        },
      },
    },
    handlers: {
      async page({ query }) {
        const siteId = scope.siteId(query.siteId)
        const pages = (await snapshots.newest({ siteId }))?.pages ?? (await initialPages(siteId))
        const page = pages.find(({ slug }) => slug === query.slug)
        if (!page) throw notPublished(query.slug)
        return { status: 200, body: page }
      },
    },
  }
})
