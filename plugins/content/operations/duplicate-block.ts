import * as v from 'valibot'
import { copyOf } from '../block-ids.ts'
import type { Page } from '../model.ts'
import { blockSize } from '../page-bytes.ts'
import { defineOperation } from './definition.ts'
import { afterBlockId, blockId, name, optional, pageSlug } from './shapes.ts'
import { type BatchState, createBlocks, noteIfElsewhere, replaceBlocks } from './state.ts'
import { findFreeBlock, findPage, positionAfter } from './target.ts'

const toPage = v.pipe(v.string(), v.description('the slug of the page to copy to; the same page when empty'))
const newBlockId = optional(name('the id of the copy'))
const fields = { pageSlug, blockId, toPageSlug: optional(toPage), newBlockId, afterBlockId }

export const duplicateBlock = defineOperation('duplicate_block', fields, {
  summary: 'Copies a block, right after itself or to another page.',
  structural: true,
  needs: (op) => ({ pages: [op.pageSlug, op.toPageSlug || op.pageSlug], blockIds: true }),
  apply(state, op) {
    const { page: source, block, index } = findFreeBlock(state, op)
    const page = op.toPageSlug ? findPage(state, op.toPageSlug) : source
    const byDefault = page === source ? index + 1 : page.blocks.length
    const position = positionAfter(page, op.afterBlockId) ?? byDefault
    const copy = { ...block, id: idOfCopy(state, page, block.id, op.newBlockId) }
    createBlocks(state, [copy], blockSize(block))
    replaceBlocks(state, page, page.blocks.toSpliced(position, 0, copy))
    const done = { blockId: block.id, toPageSlug: page.slug, newBlockId: copy.id }
    return { op: { ...op, pageSlug: source.slug, ...done } }
  },
})

/** Returns the requested id if the target page does not use it; a generated id is new to the draft. */
function idOfCopy(state: BatchState, page: Page, sourceId: string, wanted: string | undefined): string {
  if (wanted === undefined) return state.freeId(copyOf(sourceId))
  if (page.blocks.some(({ id }) => id === wanted)) return state.freeId(wanted)
  noteIfElsewhere(state, page.slug, wanted)
  return wanted
}
