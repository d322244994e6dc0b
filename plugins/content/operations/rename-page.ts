import { withFile } from '../file-slugs.ts'
import { withLinksFrom } from '../links.ts'
import type { Page } from '../model.ts'
import { home, isFileSlug, titleFromSlug } from '../slugs.ts'
import { defineOperation } from './definition.ts'
import { violates } from './refuse.ts'
import { renameInMenu } from './menu-name.ts'
import { name, optional, pageSlug } from './shapes.ts'
import { addPage, type BatchState, followPage, newPageId, orderOf, removePage, replacePage } from './state.ts'
import { findPage, newSlug, refuseTaken } from './target.ts'

const newPageSlug = optional(name('the new slug'))
const newTitle = optional(name('the new title'))

export const renamePage = defineOperation(
  'rename_page',
  { pageSlug, newPageSlug, newTitle },
  {
    summary: 'Gives a page another slug, another title, or both. Links and menus follow.',
    needs({ pageSlug, newPageSlug }) {
      if (newPageSlug === undefined) return { pages: [pageSlug], config: true }
      return { pages: 'all', order: true, config: true, pageIds: true }
    },
    apply(state, op) {
      const page = findPage(state, op.pageSlug)
      const slug = op.newPageSlug === undefined ? page.slug : newSlug(op.newPageSlug, 'newPageSlug')
      const title = op.newTitle?.trim()
      const resolved = { ...op, pageSlug: page.slug, newPageSlug: op.newPageSlug && slug }
      if (slug !== page.slug) {
        moveTo(state, page, slug, title || (isFileSlug(slug) ? page.title : titleFromSlug(slug)))
      } else if (title && title !== page.title) {
        replacePage(state, page, { ...page, title })
        renameInMenu(state, page, slug, title)
      } else {
        const sameSlug = resolved.newPageSlug && `the slug is ${slug} already`
        const sameTitle = title && `the title is '${title}' already`
        const because =
          [sameSlug, sameTitle].filter(Boolean).join(' and ') || 'neither newPageSlug nor newTitle is given'
        return { op: resolved, skipped: { reason: 'unchanged_page', because } }
      }
      return { op: resolved }
    },
  },
)

function moveTo(state: BatchState, page: Page, slug: string, title: string): void {
  if (page.slug === home) violates('newPageSlug', 'the home page stays at /; rename its title only')
  refuseTaken(state, slug, 'newPageSlug', page)

  const since = state.touched.get(page.slug)?.since ?? page.updatedAt
  const order = orderOf(state)
  const renamed = order.with(order.indexOf(page.slug), slug)
  removePage(state, page, renamed)
  const moved = withLinksFrom(
    withFile({ ...page, id: newPageId(state, slug), slug, title }),
    page.slug,
    state.context,
  )
  addPage(state, moved, renamed, since)
  followPage(state, page.slug, slug)
  renameInMenu(state, page, slug, title)
}
