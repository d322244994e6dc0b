import { home } from '../slugs.ts'
import { defineOperation } from './definition.ts'
import { findPage, placedAfter } from './find.ts'
import { refuse, violates } from './refuse.ts'
import { name, operation, optional, pageSlug } from './shapes.ts'
import { orderOf, reorder } from './state.ts'

export const movePage = defineOperation({
  name: 'move_page',
  summary: 'Moves a page in the order, first after home or right after another.',
  structural: false,
  schema: operation('move_page', {
    pageSlug,
    afterPageSlug: optional(name('the slug of the page to come after')),
  }),
  needs: ({ pageSlug, afterPageSlug = pageSlug }) => ({ pages: [pageSlug, afterPageSlug], order: true }),
  apply(state, op) {
    const { slug } = findPage(state, op.pageSlug)
    if (slug === home) violates('pageSlug', 'the home page is always first')
    const { afterPageSlug: wanted } = op
    const anchor = wanted === undefined || wanted === home ? wanted : findPage(state, wanted).slug
    if (anchor === slug) {
      refuse('not_found', 'a page cannot come after itself; name another page', { path: 'afterPageSlug' })
    }
    reorder(state, placedAfter(orderOf(state), slug, anchor))
    state.placed.push(slug)
    return { op: { ...op, pageSlug: slug, afterPageSlug: anchor } }
  },
})
