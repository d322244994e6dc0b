import { home } from '../slugs.ts'
import { defineOperation } from './definition.ts'
import { violates } from './refuse.ts'
import { setRedirects } from './redirects.ts'
import { name, optional, pageSlug } from './shapes.ts'
import { orderOf, removePage as takeOut } from './state.ts'
import { findPage } from './target.ts'

const redirectTo = optional(name('the address that visitors of the page are led to, such as "/about"'))

export const removePage = defineOperation(
  'remove_page',
  { pageSlug, redirectTo },
  {
    summary: 'Removes a page. Menu entries stay, so that taking this back brings everything back.',
    needs: (op) => ({
      pages: [op.pageSlug],
      order: true,
      ...(op.redirectTo !== undefined && { config: true }),
    }),
    apply(state, op) {
      const page = findPage(state, op.pageSlug)
      const order = orderOf(state)
      if (page.slug === home)
        violates('pageSlug', 'the home page cannot be removed; remove its blocks instead')
      if (order.length === 1) violates('pageSlug', `${page.slug} is the last page; create another one first`)
      takeOut(
        state,
        page,
        order.filter((slug) => slug !== page.slug),
      )
      if (op.redirectTo !== undefined) setRedirects(state, { [page.slug]: op.redirectTo }, 'redirectTo')
      return { op: { ...op, pageSlug: page.slug } }
    },
  },
)
