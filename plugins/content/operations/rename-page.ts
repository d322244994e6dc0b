import type { Page } from '../model.ts'
import { home, titleFromSlug } from '../slugs.ts'
import { defineOperation } from './definition.ts'
import { findPage, newPageId, refuseTaken } from './find.ts'
import { violates } from './refuse.ts'
import { name, operation, optional, pageSlug } from './shapes.ts'
import { newSlugFrom } from './slug-spellings.ts'
import { addPage, followPage, orderOf, removePage, replacePage, stampedAt, type BatchState } from './state.ts'

export const renamePage = defineOperation({
  name: 'rename_page',
  summary: 'Gives a page another slug, another title, or both. Links and menus follow the slug.',
  structural: false,
  schema: operation('rename_page', {
    pageSlug,
    newPageSlug: optional(name('the new slug')),
    newTitle: optional(name('the new title')),
  }),
  needs({ pageSlug, newPageSlug }) {
    return newPageSlug === undefined ? { pages: [pageSlug] } : { pages: 'all', order: true, config: true, pageIds: true }
  },
  apply(state, op) {
    const page = findPage(state, op.pageSlug)
    const slug = op.newPageSlug === undefined ? page.slug : newSlugFrom(op.newPageSlug, 'newPageSlug')
    const title = op.newTitle?.trim()
    const resolved = { ...op, pageSlug: page.slug, newPageSlug: op.newPageSlug && slug }
    if (slug !== page.slug) {
      moveTo(state, page, slug, title || titleFromSlug(slug))
    } else if (title && title !== page.title) {
      replacePage(state, page, { ...page, title })
    } else {
      return { op: resolved, skipped: { reason: 'unchanged_page', because: unchanged(resolved, title) } }
    }
    return { op: resolved }
  },
})

function moveTo(state: BatchState, page: Page, slug: string, title: string): void {
  if (page.slug === home) violates('newPageSlug', 'the home page stays at /; rename its title only')
  refuseTaken(state, slug, 'newPageSlug', page)

  const since = stampedAt(state, page)
  const order = orderOf(state)
  const renamed = order.with(order.indexOf(page.slug), slug)
  removePage(state, page, renamed)
  addPage(state, { ...page, id: newPageId(state, slug), slug, title }, renamed, since)
  followPage(state, page.slug, slug)
}

function unchanged(
  { newPageSlug }: { readonly newPageSlug: string | undefined }, title: string | undefined,
): string {
  const same = [newPageSlug && `the slug is ${newPageSlug} already`, title && `the title is '${title}' already`]
  return same.filter(Boolean).join(' and ') || 'neither newPageSlug nor newTitle is given'
}
