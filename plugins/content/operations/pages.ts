import * as v from 'valibot'
import { declaredType } from '../authority.ts'
import { copyOf } from '../block-ids.ts'
import { ingestPage } from '../ingest.ts'
import type { Block, Page } from '../model.ts'
import { pageSize } from '../page-bytes.ts'
import { canonicalSlug, copySlug, home, titleFromSlug } from '../slugs.ts'
import { defineOperation } from './definition.ts'
import { enforce } from './enforce.ts'
import { admitToDemo, findPage, newPageId, placedAfter, refuseTaken, type Rules } from './find.ts'
import { refuse, violates } from './refuse.ts'
import { inProps, propsViolations, settleNewProps } from './settle.ts'
import { block, name, object, openObject, optional, pageSlug } from './shapes.ts'
import {
  addPage, type BatchState, createBlocks, followPage, hasSlug, noteIfElsewhere, orderOf, removePage as takeOut, replacePage,
} from './state.ts'

const text = v.string('wanted a text')
const page = openObject({
  id: optional(text),
  slug: name('the slug of the new page, such as "/about"'),
  title: optional(text),
  updatedAt: optional(text),
  blocks: optional(v.array(block, 'wanted a list of blocks')),
  meta: optional(openObject({ title: optional(text), description: optional(text), ogImage: optional(text) }, 'an object')),
}, 'a page: an object with at least a slug')

export const createPage = defineOperation('create_page', { page }, {
  summary: 'Adds a page, last in order. What the page leaves out but its slug is filled in.',
  needs: (op) => ({ pages: [op.page.slug], order: true, blockIds: true, pageIds: true }),
  apply(state, op) {
    const slug = newSlugFrom(op.page.slug, 'page.slug')
    refuseTaken(state, slug, 'page.slug')

    const { meta, title, ...given } = op.page
    const created: Page = {
      ...given,
      id: given.id || newPageId(state, slug),
      slug,
      title: title?.trim() ? title : titleFromSlug(slug),
      updatedAt: state.now.toISOString(),
      blocks: settledBlocks(state, slug, given.blocks ?? []),
      ...(meta && { meta }),
    }
    const page = ingestPage(created, state.context)
    checkBlocks(state, page.blocks)
    createBlocks(state, page.blocks, pageSize(page))
    addPage(state, page, [...orderOf(state), slug])
    return { op: { ...op, page } }
  },
})

function settledBlocks(state: BatchState, slug: string, blocks: readonly Block[]): readonly Block[] {
  const own = new Set<string>()
  return blocks.map((block, index) => {
    const { blockType } = rulesAnywhere(state, block.type, `page.blocks[${index}].type`)
    const id = own.has(block.id) ? state.freeId(block.id) : block.id
    if (id === block.id) noteIfElsewhere(state, slug, id)
    else state.notes.push(`block ${block.id} comes twice; the second is called ${id}`)
    own.add(id)
    state.newIds.add(id)
    const named = { ...block, id }
    return { ...named, props: settleNewProps(state, named, blockType, `page.blocks[${index}].props`) }
  })
}

/** Refuses invalid blocks of a plan; keeps those from people and the system, with a note. */
function checkBlocks(state: BatchState, blocks: readonly Block[]): void {
  blocks.forEach(({ type, props, id }, index) => {
    const at = `page.blocks[${index}].props`
    const { by, blockType } = rulesAnywhere(state, type, at)
    const found = propsViolations(state, blockType, props)
    if (state.context.source === 'planner') enforce(state, by, found, { at: inProps(at) })
    else state.notes.push(...found.map(({ path, message }) => `${id}: ${path} ${message}`))
  })
}

/** A page may contain any declared block type, including pinned ones. */
function rulesAnywhere({ context }: BatchState, type: string, path: string): Rules {
  admitToDemo(context, type)
  const { manifest, registry } = context
  const blockType = declaredType(type, context)
  if (blockType) return { by: manifest?.get(type) ? 'manifest' : 'registry', blockType }
  const types = [...(manifest?.types() ?? []), ...registry.types()].map((known) => known.type)
  const admissible = [...new Set(types)]
  return violates(path, `unknown block type '${type}'; use one of ${admissible.join(', ')}`, admissible)
}

const newNames = { pageSlug, newPageSlug: optional(name('the new slug')), newTitle: optional(name('the new title')) }

export const renamePage = defineOperation('rename_page', newNames, {
  summary: 'Gives a page another slug, another title, or both. Links and menus follow the slug.',
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
      const same = [resolved.newPageSlug && `the slug is ${slug} already`, title && `the title is '${title}' already`]
      const because = same.filter(Boolean).join(' and ') || 'neither newPageSlug nor newTitle is given'
      return { op: resolved, skipped: { reason: 'unchanged_page', because } }
    }
    return { op: resolved }
  },
})

function moveTo(state: BatchState, page: Page, slug: string, title: string): void {
  if (page.slug === home) violates('newPageSlug', 'the home page stays at /; rename its title only')
  refuseTaken(state, slug, 'newPageSlug', page)

  const since = state.touched.get(page.slug)?.since ?? page.updatedAt
  const order = orderOf(state)
  const renamed = order.with(order.indexOf(page.slug), slug)
  takeOut(state, page, renamed)
  addPage(state, { ...page, id: newPageId(state, slug), slug, title }, renamed, since)
  followPage(state, page.slug, slug)
}

/** Returns the canonical slug of a new page; refuses a slug without a canonical form. */
function newSlugFrom(wanted: string, path: string): string {
  const rule = 'use letters, digits and - . _ ~ between slashes, such as /about'
  return canonicalSlug(wanted) ?? violates(path, `'${wanted}' cannot be a slug; ${rule}`)
}

export const removePage = defineOperation('remove_page', { pageSlug }, {
  summary: 'Removes a page. Menu entries stay, so that taking this back brings everything back.',
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

const afterPageSlug = optional(name('the slug of the page to come after'))

export const movePage = defineOperation('move_page', { pageSlug, afterPageSlug }, {
  summary: 'Moves a page in the order, first after home or right after another.',
  needs: ({ pageSlug, afterPageSlug = pageSlug }) => ({ pages: [pageSlug, afterPageSlug], order: true }),
  apply(state, op) {
    const { slug } = findPage(state, op.pageSlug)
    if (slug === home) violates('pageSlug', 'the home page is always first')
    const { afterPageSlug: wanted } = op
    const anchor = wanted === undefined || wanted === home ? wanted : findPage(state, wanted).slug
    if (anchor === slug) refuse('not_found', 'a page cannot come after itself; name another page', { path: 'afterPageSlug' })
    state.order = placedAfter(orderOf(state), slug, anchor)
    state.placed.push(slug)
    return { op: { ...op, pageSlug: slug, afterPageSlug: anchor } }
  },
})

const copyNames = { newPageSlug: optional(name('the slug of the copy')), newTitle: optional(name('the title of the copy')) }

export const duplicatePage = defineOperation('duplicate_page', { pageSlug, ...copyNames, afterPageSlug }, {
  summary: 'Copies a page under a slug of its own, right after itself or after another page.',
  needs({ pageSlug, newPageSlug = pageSlug, afterPageSlug = pageSlug }) {
    return { pages: [pageSlug, newPageSlug, afterPageSlug], order: true, blockIds: true, pageIds: true }
  },
  apply(state, op) {
    const source = findPage(state, op.pageSlug)
    const afterPageSlug = op.afterPageSlug === undefined ? undefined : findPage(state, op.afterPageSlug).slug
    const wanted = canonicalSlug(op.newPageSlug)
    if (wanted !== undefined) refuseTaken(state, wanted, 'newPageSlug')
    const slug = wanted ?? copySlug(source.slug, (automatic) => hasSlug(state, automatic))
    const title = op.newTitle?.trim()
    const blocks = source.blocks.map((block) => ({ ...block, id: state.freeId(copyOf(block.id)) }))
    createBlocks(state, blocks, pageSize(source))
    const copy: Page = {
      ...source,
      id: newPageId(state, slug),
      slug,
      title: title || `${source.title} Copy`,
      blocks,
      ...(title && { meta: { ...source.meta, title } }),
    }
    addPage(state, copy, placedAfter(orderOf(state), slug, afterPageSlug ?? source.slug))
    state.copies.push({ slug, blockIdMap: Object.fromEntries(source.blocks.map(({ id }, at) => [id, blocks[at]?.id ?? id])) })
    return { op: { ...op, pageSlug: source.slug, newPageSlug: slug, newTitle: copy.title, afterPageSlug } }
  },
})

const entry = optional(v.pipe(text, v.description('an empty text takes the entry away')))
const names = ['title', 'description', 'ogImage'] as const
const metaPatch = object({ title: entry, description: entry, ogImage: entry }, 'an object with title, description or ogImage')

export const updatePageMeta = defineOperation('update_page_meta', { pageSlug, patch: metaPatch }, {
  summary: 'Changes what search engines and link previews read of a page.',
  apply(state, op) {
    const page = findPage(state, op.pageSlug)
    const { meta: before = {}, ...others } = page
    const resolved = { ...op, pageSlug: page.slug }
    const changed = names.filter((name) => (op.patch[name] ?? before[name] ?? '') !== (before[name] ?? ''))
    if (changed.length === 0) {
      return { op: resolved, skipped: { reason: 'unchanged_meta', because: 'the page has these entries already' } }
    }
    const meta: Record<string, unknown> = { ...before }
    for (const name of changed) {
      if (op.patch[name]) meta[name] = op.patch[name]
      else delete meta[name]
    }
    replacePage(state, page, { ...others, ...(Object.keys(meta).length > 0 && { meta }) })
    return { op: resolved }
  },
})
