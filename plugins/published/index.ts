import { defineRefusal, definePlugin } from '../../kernel/index.ts'
import { demoPages } from '../content/demo-pages.ts'
import type { Page } from '../content/page.ts'
import { snapshots } from '../publish/port.ts'
import { scope } from '../scope/port.ts'
import { sites } from '../sites/port.ts'
import { publishedPages } from './port.ts'
import { routes } from './routes.ts'

const notPublished = defineRefusal({
  status: 404,
  code: 'not_found',
  readable: true,
  reason: (slug: string) => `No published page has the slug '${slug}'.`,
})

/** What a site published last, or the demo pages where they are on. */
export default definePlugin({
  name: 'published',
  tag: 'Publish',
  needs: { snapshots, scope, sites },
  gives: { publishedPages },
  routes,
}).setup(({ needs: { snapshots, scope, sites } }) => {
  const pagesOf = async (siteId: string): Promise<readonly Page[]> => {
    const newest = await snapshots.newestOfSite(siteId)
    if (newest) return newest.pages
    const { demoContent } = await sites.about(scope.draft({ siteId }))
    return demoContent ? demoPages : []
  }
  return {
    gives: { publishedPages: { count: async (siteId) => (await pagesOf(siteId)).length } },
    handlers: {
      async page({ query }) {
        const page = (await pagesOf(scope.siteId(query.siteId))).find(({ slug }) => slug === query.slug)
        if (!page) throw notPublished(query.slug)
        return { status: 200, body: page }
      },
    },
  }
})
