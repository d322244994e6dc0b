import { rewriteLinks } from '../links.ts'
import type { Page, SiteConfig } from '../model.ts'
import { home, titleFromSlug } from '../slugs.ts'
import { defineOperation } from './definition.ts'
import { findPage, refuseTaken } from './find.ts'
import { newPageId } from './page-id.ts'
import { violates } from './refuse.ts'
import { name, operation, optional, pageSlug } from './shapes.ts'
import { newSlugFrom } from './slug-spellings.ts'
import {
  addPage, configOf, orderOf, pageAt, removePage, replacePage, stampedAt, type BatchState,
} from './state.ts'

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
  const order = orderOf(state).map((other) => (other === page.slug ? slug : other))
  removePage(state, page, order)
  addPage(state, { ...page, id: newPageId(state, slug), slug, title }, order, since)
  moveMenuEntries(state, page.slug, slug)
  moveLinks(state, page.slug, slug)
}

function moveLinks(state: BatchState, from: string, to: string): void {
  const slugs = new Set(orderOf(state))
  const move = { from, to, isOther: (slug: string) => slug !== to && slugs.has(slug) }
  for (const slug of slugs) {
    const page = pageAt(state, slug)
    if (!page) continue
    const rewritten = rewriteLinks(page, move, state.context)
    if (rewritten !== page) replacePage(state, page, rewritten)
  }
}

function moveMenuEntries(state: BatchState, from: string, to: string): void {
  const config = configOf(state)
  const { navLabels = {}, navGroups = {} } = config
  const labelled = Object.hasOwn(navLabels, from)
  const grouped = Object.values(navGroups).some((slugs) => slugs.includes(from))
  if (!labelled && !grouped) return
  state.config = {
    ...config,
    ...(labelled && { navLabels: movedLabel(navLabels, from, to) }),
    ...(grouped && { navGroups: movedMember(navGroups, from, to) }),
  }
}

type Menu<K extends 'navLabels' | 'navGroups'> = NonNullable<SiteConfig[K]>

/** A label left over from an earlier page at the new slug gives way. */
function movedLabel(labels: Menu<'navLabels'>, from: string, to: string): Menu<'navLabels'> {
  const entries = Object.entries(labels).filter(([slug]) => slug !== to)
  return Object.fromEntries(entries.map(([slug, label]) => [slug === from ? to : slug, label]))
}

function movedMember(groups: Menu<'navGroups'>, from: string, to: string): Menu<'navGroups'> {
  const follow = (slug: string) => (slug === from ? to : slug)
  return Object.fromEntries(Object.entries(groups).map(([label, slugs]) => [label, slugs.map(follow)]))
}

function unchanged(
  { newPageSlug }: { readonly newPageSlug: string | undefined }, title: string | undefined,
): string {
  const same = [newPageSlug && `the slug is ${newPageSlug} already`, title && `the title is '${title}' already`]
  return same.filter(Boolean).join(' and ') || 'neither newPageSlug nor newTitle is given'
}
