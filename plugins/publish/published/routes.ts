import * as v from 'valibot'
import { defineRefusal, defineRoutes, gates } from '../../../kernel/index.ts'
import { Page } from '../../content/page.ts'
import { RequiredSlug, SiteId } from '../../scope/port.ts'

export const notPublished = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: (slug: string) => `No published page has the slug '${slug}'.`,
})

export const routes = defineRoutes({
  page: {
    method: 'GET',
    path: '/published/pages',
    gate: gates.access,
    summary: 'Returns a page as last published.',
    query: v.object({ slug: RequiredSlug, siteId: SiteId }),
    internal: true,
    replies: { 200: Page },
    refusals: [notPublished],
  },
})
