/** The order of blocks and rows: moved by keys, by a drag, and by "Move to…", all by the same intents. */
import { blocks, dropped, openPage, slug, type Block } from '../stores/draft.ts'
import { displayNameOf } from '../stores/block-types.ts'
import { say } from '../stores/toast.ts'
import type { RowOfList } from '../stores/label.ts'
import { change, nameOfBlock } from './intents.ts'
import { placedAfter } from './placed-after.ts'
import { storeRows } from './store-rows.ts'

let queue = Promise.resolve()
let waiting = 0

/** Moves a block. Its new place is shown at once; a refusal puts it back and says why. */
export function moveAfter(blockId: string, afterBlockId: string | undefined): void {
  const ids = placedAfter(
    blocks.value.map(({ id }) => id),
    blockId,
    afterBlockId,
  )
  const name = nameOfBlock(blockId)
  const op = {
    op: 'move_block',
    pageSlug: slug.value,
    blockId,
    ...(afterBlockId !== undefined && { afterBlockId }),
  }
  dropped.value = ids
  waiting += 1
  queue = queue.then(async () => {
    await change(`${name} is now ${ids.indexOf(blockId) + 1} of ${ids.length}`, [op])
    waiting -= 1
    // The page is read again before the dropped order goes, so that the row never jumps back and forth.
    if (waiting === 0) await openPage(slug.value).catch(() => undefined)
    // Another block may have been moved in the meantime.
    if (waiting === 0) dropped.value = undefined
  })
}

/** Moves a block to a position of the page, counted from 0 without the block itself. */
export function moveTo(blockId: string, index: number): void {
  const others = blocks.value.filter(({ id }) => id !== blockId)
  if (blocks.value[index]?.id !== blockId) moveAfter(blockId, others[index - 1]?.id)
}

/** Moves a block by one; says so if it is the first or the last one already. */
export function move(blockId: string, by: -1 | 1): void {
  const at = blocks.value.findIndex(({ id }) => id === blockId)
  const to = at + by
  if (at === -1) return
  if (to < 0 || to >= blocks.value.length)
    return say(by === 1 ? 'This is the last block.' : 'This is the first block.')
  moveTo(blockId, to)
}

/** Moves a block to the end of another page, as one change. */
export function moveToPage({ id, type }: Block, toPageSlug: string, title: string): void {
  void change(`${displayNameOf(type)} moved to ${title}`, [
    { op: 'duplicate_block', blockId: id, toPageSlug },
    { op: 'remove_block', blockId: id },
  ])
}

/** Moves a row of a list by one. */
export function moveRow(blockId: string, { list, key, index, count, text }: RowOfList, by: -1 | 1): void {
  const to = index + by
  if (to < 0 || to >= count) return say(by === 1 ? 'This is the last row.' : 'This is the first row.')
  const place = { slug: slug.value, blockId, path: [list] }
  void storeRows(place, { do: 'move', key, to }, `${text} is now ${to + 1} of ${count}`)
}
