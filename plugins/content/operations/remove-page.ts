import { home } from '../slugs.ts'
import { defineOperation } from './definition.ts'
import { findPage } from './find.ts'
import { violates } from './refuse.ts'
import { operation, pageSlug } from './shapes.ts'
import { orderOf, removePage as takeOut } from './state.ts'

export const removePage = defineOperation({
  name: 'remove_page',
  summary: 'Removes a page. Menu entries stay, so that taking this back brings everything back.',
  structural: false,
  schema: operation('remove_page', { pageSlug }),
  needs: (op) => ({ pages: [op.pageSlug], order: true }),
  apply(state, op) {
    const page = findPage(state, op.pageSlug)
    const order = orderOf(state)
    if (page.slug === home) violates('pageSlug', 'the home page cannot be removed; remove its blocks instead')
    if (order.length === 1) violates('pageSlug', `${page.slug} is the last page; create another one first`)
    takeOut(state, page, order.filter((slug) => slug !== page.slug))
    return { op: { ...op, pageSlug: page.slug } }
  },
})
