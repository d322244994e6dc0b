import { copyOf, freeBlockIds } from '../block-ids.ts'
import type { Page } from '../model.ts'
import { canonicalSlug, copySlug } from '../slugs.ts'
import { defineOperation } from './definition.ts'
import { findPage, newPageId, placedAfter, refuseTaken } from './find.ts'
import { name, operation, optional, pageSlug } from './shapes.ts'
import { addPage, hasSlug, orderOf, usedBlockIds, type BatchState } from './state.ts'

export const duplicatePage = defineOperation({
  name: 'duplicate_page',
  summary: 'Copies a page under a slug of its own, right after itself or after another page.',
  structural: false,
  schema: operation('duplicate_page', {
    pageSlug,
    newPageSlug: optional(name('the slug of the copy')),
    newTitle: optional(name('the title of the copy')),
    afterPageSlug: optional(name('the slug of the page to come after')),
  }),
  needs({ pageSlug, newPageSlug = pageSlug, afterPageSlug = pageSlug }) {
    return { pages: [pageSlug, newPageSlug, afterPageSlug], order: true, blockIds: true, pageIds: true }
  },
  apply(state, op) {
    const source = findPage(state, op.pageSlug)
    const afterPageSlug = op.afterPageSlug === undefined ? undefined : findPage(state, op.afterPageSlug).slug
    const slug = slugOfCopy(state, source, op.newPageSlug)
    const title = op.newTitle?.trim()
    const { blocks, blockIdMap } = copiedBlocks(state, source)
    const copy: Page = {
      ...source,
      id: newPageId(state, slug),
      slug,
      title: title || `${source.title} Copy`,
      blocks,
      ...(title && { meta: { ...source.meta, title } }),
    }
    addPage(state, copy, placedAfter(orderOf(state), slug, afterPageSlug ?? source.slug))
    state.copies.push({ slug, blockIdMap })
    return { op: { ...op, pageSlug: source.slug, newPageSlug: slug, newTitle: copy.title, afterPageSlug } }
  },
})

/** The wanted slug, or one made from the source's where none is wanted that can be one. */
function slugOfCopy(state: BatchState, source: Page, wanted: string | undefined): string {
  const slug = canonicalSlug(wanted)
  if (slug !== undefined) {
    refuseTaken(state, slug, 'newPageSlug')
    return slug
  }
  return copySlug(source.slug, (automatic) => hasSlug(state, automatic))
}

function copiedBlocks(state: BatchState, source: Page) {
  const free = freeBlockIds(usedBlockIds(state, { many: true }))
  const renamed = source.blocks.map((block) => ({ block, id: free(copyOf(block.id)) }))
  return {
    blocks: renamed.map(({ block, id }) => ({ ...block, id })),
    blockIdMap: Object.fromEntries(renamed.map(({ block, id }) => [block.id, id])),
  }
}
