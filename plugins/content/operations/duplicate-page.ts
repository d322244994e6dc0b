import { copyOf } from '../block-ids.ts'
import { isLocked, withoutLocked } from '../locked.ts'
import { withFile } from '../file-slugs.ts'
import { withLinksFrom } from '../links.ts'
import type { Page } from '../model.ts'
import { pageSize } from '../page-bytes.ts'
import { canonicalSlug, copySlug, placedAfter } from '../slugs.ts'
import { defineOperation } from './definition.ts'
import { nameInMenu } from './menu-name.ts'
import { afterPageSlug, name, optional, pageSlug } from './shapes.ts'
import { addPage, createBlocks, hasSlug, newPageId, orderOf } from './state.ts'
import { findPage, refuseTaken } from './target.ts'

const newPageSlug = optional(name('the slug of the copy'))
const newTitle = optional(name('the title of the copy'))
const fields = { pageSlug, newPageSlug, newTitle, afterPageSlug }

export const duplicatePage = defineOperation('duplicate_page', fields, {
  summary: 'Copies a page under a slug of its own, right after itself or after another page.',
  needs({ pageSlug, newPageSlug = pageSlug, afterPageSlug = pageSlug }) {
    const pages = [pageSlug, newPageSlug, afterPageSlug]
    return { pages, order: true, config: true, blockIds: true, pageIds: true }
  },
  apply(state, op) {
    const source = findPage(state, op.pageSlug)
    const afterPageSlug = op.afterPageSlug === undefined ? undefined : findPage(state, op.afterPageSlug).slug
    const wanted = canonicalSlug(op.newPageSlug)
    if (wanted !== undefined) refuseTaken(state, wanted, 'newPageSlug')
    const slug = wanted ?? copySlug(source.slug, (automatic) => hasSlug(state, automatic))
    const title = op.newTitle?.trim()
    const { blocks: copied } = withoutLocked(source)
    for (const { id } of source.blocks.filter(isLocked))
      state.notes.push(`block ${id} of ${source.slug} cannot be read; the copy is without it`)
    const newIds = copied.map(({ id }) => [id, state.freeId(copyOf(id))] as const)
    const blocks = copied.map((block, at) => ({ ...block, id: newIds[at]?.[1] ?? block.id }))
    createBlocks(state, blocks, pageSize(source))
    const copy: Page = {
      ...source,
      id: newPageId(state, slug),
      slug,
      title: title || `${source.title} Copy`,
      blocks,
      ...(title && { meta: { ...source.meta, title } }),
    }
    const order = placedAfter(orderOf(state), slug, afterPageSlug ?? source.slug)
    addPage(state, withLinksFrom(withFile(copy), source.slug, state.context), order)
    if (title) nameInMenu(state, slug, title)
    state.copies.push({ slug, blockIdMap: Object.fromEntries(newIds) })
    return { op: { ...op, pageSlug: source.slug, newPageSlug: slug, newTitle: copy.title, afterPageSlug } }
  },
})
