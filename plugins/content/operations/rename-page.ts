import { rewriteLinks } from '../links.ts'
import type { Page } from '../model.ts'
import { canonicalSlug, home, titleFromSlug } from '../slugs.ts'
import { defineOperation } from './definition.ts'
import { findPage, refuseTaken } from './find.ts'
import { newPageId } from './page-id.ts'
import { refuse } from './refuse.ts'
import { name, operation, optional, pageSlug } from './shapes.ts'
import { addPage, configOf, orderOf, pageAt, removePage, replacePage, stampedAt, type BatchState } from './state.ts'

export const renamePage = defineOperation({
  name: 'rename_page',
  summary: 'Gives a page another slug, another title, or both. Links and menus follow the slug.',
  structural: false,
  schema: operation('rename_page', {
    pageSlug,
    newPageSlug: optional(name('the new slug')),
    newTitle: optional(name('the new title')),
  }),
  needs: (op) => (op.newPageSlug === undefined ? { pages: [op.pageSlug] } : { pages: 'all', order: true, config: true }),
  apply(state, op) {
    const page = findPage(state, op.pageSlug)
    const slug = op.newPageSlug === undefined ? page.slug : newSlug(op.newPageSlug)
    const title = op.newTitle?.trim()
    const resolved = { ...op, pageSlug: page.slug, ...(op.newPageSlug !== undefined && { newPageSlug: slug }) }
    if (slug !== page.slug) {
      moveTo(state, page, slug, title || titleFromSlug(slug))
    } else if (title && title !== page.title) {
      replacePage(state, page, { ...page, title })
    } else {
      return { op: resolved, skipped: { reason: 'unchanged_page', because: unchanged(page, op.newPageSlug, title) } }
    }
    return { op: resolved }
  },
})

function newSlug(wanted: string): string {
  const slug = canonicalSlug(wanted)
  return slug ?? refuse('schema_violation', `'${wanted}' cannot be a slug: use letters, digits and - . _ ~ between slashes, such as /about`, { path: 'newPageSlug' })
}

function moveTo(state: BatchState, page: Page, slug: string, title: string): void {
  const path = 'newPageSlug'
  if (page.slug === home) refuse('schema_violation', 'the home page stays at /; rename its title only', { path })
  refuseTaken(state, slug, path, page)

  const since = stampedAt(state, page)
  const order = orderOf(state).map((other) => (other === page.slug ? slug : other))
  removePage(state, page, order)
  addPage(state, { ...page, id: newPageId(state, slug), slug, title }, order, since)
  followInMenu(state, page.slug, slug)
  rewriteAll(state, page.slug, slug)
}

function rewriteAll(state: BatchState, from: string, to: string): void {
  const slugs = new Set(orderOf(state))
  const move = { from, to, isOther: (slug: string) => slug !== to && slugs.has(slug) }
  for (const slug of slugs) {
    const page = pageAt(state, slug)
    const rewritten = page && rewriteLinks(page, move, state.context)
    if (page && rewritten !== page) replacePage(state, page, rewritten ?? page)
  }
}

/** Puts the page's entries in the menu under its new slug. */
function followInMenu(state: BatchState, from: string, to: string): void {
  const config = configOf(state)
  const { navLabels, navGroups } = config
  const follow = (slug: string) => (slug === from ? to : slug)
  const hasLabel = navLabels !== undefined && Object.hasOwn(navLabels, from)
  const hasGroup = Object.values(navGroups ?? {}).some((slugs) => slugs.includes(from))
  if (!hasLabel && !hasGroup) return
  state.config = {
    ...config,
    ...(hasLabel && { navLabels: withKey(navLabels, from, to) }),
    ...(hasGroup && {
      navGroups: Object.fromEntries(Object.entries(navGroups ?? {}).map(([label, slugs]) => [label, slugs.map(follow)])),
    }),
  }
}

/** A label left over from an earlier page at the new slug gives way. */
function withKey(labels: Readonly<Record<string, string>>, from: string, to: string): Record<string, string> {
  const entries = Object.entries(labels).filter(([slug]) => slug !== to)
  return Object.fromEntries(entries.map(([slug, label]) => [slug === from ? to : slug, label]))
}

function unchanged(page: Page, newPageSlug: string | undefined, title: string | undefined): string {
  const same = [newPageSlug && `the slug is ${page.slug} already`, title && `the title is '${page.title}' already`].filter(Boolean)
  return same.length > 0 ? same.join(' and ') : 'neither newPageSlug nor newTitle is given'
}
