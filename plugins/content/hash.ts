import { createHash } from 'node:crypto'
import { withoutGeneratedItemIds } from './items.ts'
import type { Block, Page } from './model.ts'
import { isPlainObject } from './plain-object.ts'

/**
 * A fingerprint of what a page shows: pages of drafts share it when a publish diff finds nothing to tell.
 *
 * It sees title, meta and blocks in order. It does not see the address, ids of pages and of generated rows,
 * `updatedAt`, unknown keys beside these, or the order of properties. 64 hexadecimal characters.
 */
export function contentHash({ title, meta, blocks }: Page): string {
  const shown = { title, meta: meta ?? {}, blocks: blocks.map(shownBlock) }
  return createHash('sha256').update(JSON.stringify(shown, inKeyOrder)).digest('hex')
}

const shownBlock = ({ id, type, props }: Block) => ({ id, type, props: withoutGeneratedItemIds(props) })

function inKeyOrder(_name: string, value: unknown): unknown {
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
