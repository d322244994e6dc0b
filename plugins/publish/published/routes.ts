import * as v from 'valibot'
import { defineRoutes, gates } from '../../../kernel/index.ts'
import { Page } from '../../content/page.ts'
import { RequiredSlug, SiteId } from '../../scope/port.ts'
import { notPublished } from './refusals.ts'

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
