import type { Block, Page } from './model.ts'

/** By block: a comma and its JSON. */
const known = new WeakMap<Block, Uint8Array>()
const end = Buffer.from(']')

/**
 * The JSON of a page in UTF-8, the same in meaning as `JSON.stringify(page)`.
 *
 * Blocks are never changed, only replaced, so the bytes of one are kept for as long as the block lives: after an edit of
 * one block only that one is written out again.
 */
export function pageBytes(page: Page): Uint8Array {
  const parts: Uint8Array[] = []
  let text = '{'
  for (const [name, value] of Object.entries(page)) {
    if (value === undefined) continue
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:${name === 'blocks' ? '[' : JSON.stringify(value)}`
    if (name !== 'blocks') continue
    parts.push(Buffer.from(text))
    for (const block of page.blocks) parts.push(parts.length === 1 ? withComma(block).subarray(1) : withComma(block))
    parts.push(end)
    text = ''
  }
  parts.push(Buffer.from(`${text}}`))
  return Buffer.concat(parts)
}

function withComma(block: Block): Uint8Array {
  let bytes = known.get(block)
  if (!bytes) known.set(block, (bytes = Buffer.from(`,${JSON.stringify(block)}`)))
  return bytes
}
