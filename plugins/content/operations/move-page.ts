import { home, placedAfter } from '../slugs.ts'
import { defineOperation } from './definition.ts'
import { refuse, violates } from './refuse.ts'
import { afterPageSlug, pageSlug } from './shapes.ts'
import { orderOf } from './state.ts'
import { findPage } from './target.ts'

export const movePage = defineOperation(
  'move_page',
  { pageSlug, afterPageSlug },
  {
    summary: 'Moves a page in the order, first after home or right after another.',
    needs: ({ pageSlug, afterPageSlug = pageSlug }) => ({ pages: [pageSlug, afterPageSlug], order: true }),
    apply(state, op) {
      const { slug } = findPage(state, op.pageSlug)
      if (slug === home) violates('pageSlug', 'the home page is always first')
      const { afterPageSlug: wanted } = op
      const anchor = wanted === undefined || wanted === home ? wanted : findPage(state, wanted).slug
      if (anchor === slug) {
        refuse('not_found', 'a page cannot come after itself; name another page', { path: 'afterPageSlug' })
      }
      state.order = placedAfter(orderOf(state), slug, anchor)
      state.placed.push(slug)
      return { op: { ...op, pageSlug: slug, afterPageSlug: anchor } }
    },
  },
)
