import type { Block, Page } from './model.ts'

const blockTexts = new WeakMap<Block, string>()

/**
 * The JSON text of a page, the same in meaning as `JSON.stringify(page)`.
 *
 * Blocks are never changed, only replaced, so the text of one is kept for as long as the block lives: after an
 * edit of one block only that one is written out again.
 */
export function pageText(page: Page): string {
  let text = ''
  for (const [name, value] of Object.entries(page)) {
    const written = name === 'blocks' ? `[${page.blocks.map(blockText).join(',')}]` : JSON.stringify(value)
    if (written !== undefined) text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${written}`
  }
  return `${text}}`
}

function blockText(block: Block): string {
  const known = blockTexts.get(block)
  if (known !== undefined) return known
  const text = JSON.stringify(block)
  blockTexts.set(block, text)
  return text
}
