import type { Block, Page } from './model.ts'

const blockBytes = new WeakMap<Block, Uint8Array>()
const comma = Buffer.from(',')
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
    parts.push(Buffer.from(text), ...page.blocks.flatMap((block, at) => (at === 0 ? [bytesOf(block)] : [comma, bytesOf(block)])), end)
    text = ''
  }
  return Buffer.concat([...parts, Buffer.from(`${text}}`)])
}

function bytesOf(block: Block): Uint8Array {
  const known = blockBytes.get(block)
  if (known) return known
  const bytes = Buffer.from(JSON.stringify(block))
  blockBytes.set(block, bytes)
  return bytes
}
