import * as v from 'valibot'
import { copiedBlockId, freeBlockId } from '../block-ids.ts'
import type { Page } from '../model.ts'
import { defineOperation } from './definition.ts'
import { findPage, findTarget, placeAfter, refuseChrome } from './find.ts'
import { afterBlockId, blockId, name, operation, optional, pageSlug } from './shapes.ts'
import { blockIdsElsewhere, noteIfElsewhere, replaceBlocks, usedBlockIds, type BatchState } from './state.ts'

const target = v.pipe(v.string(), v.description('the slug of the page to copy to; the same page when empty'))

export const duplicateBlock = defineOperation({
  name: 'duplicate_block',
  summary: 'Copies a block, right after itself or to another page.',
  structural: true,
  schema: operation('duplicate_block', {
    pageSlug,
    blockId,
    toPageSlug: optional(target),
    newBlockId: optional(name('the id of the copy')),
    afterBlockId,
  }),
  needs: (op) => ({ pages: [op.pageSlug, op.toPageSlug || op.pageSlug], blockIds: true }),
  apply(state, op) {
    const { page: source, block, index, blockType } = findTarget(state, op)
    refuseChrome(blockType)
    const page = op.toPageSlug ? findPage(state, op.toPageSlug) : source
    const position = placeAfter(page, op.afterBlockId) ?? (page === source ? index + 1 : page.blocks.length)
    const id = newId(state, page, block.id, op.newBlockId)
    replaceBlocks(state, page, page.blocks.toSpliced(position, 0, { ...block, id }))
    return { op: { ...op, pageSlug: source.slug, blockId: block.id, toPageSlug: page.slug, newBlockId: id } }
  },
})

/** The wanted id where the target page does not use it; one that is made up is new to the whole draft. */
function newId(state: BatchState, page: Page, sourceId: string, wanted: string | undefined): string {
  const taken = usedBlockIds(state)
  if (wanted === undefined) return copiedBlockId(sourceId, taken)
  if (page.blocks.some(({ id }) => id === wanted)) return freeBlockId(wanted, taken)
  noteIfElsewhere(state, wanted, blockIdsElsewhere(state, page.slug))
  return wanted
}
