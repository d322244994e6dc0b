import { hash } from 'node:crypto'
import { withoutGeneratedItemIds } from './items.ts'
import type { Block, Page } from './model.ts'
import { isPlainObject } from './plain-object.ts'

const blockHashes = new WeakMap<Block, string>()

/**
 * A fingerprint of what a page shows: pages of drafts share it when a publish diff finds nothing to tell.
 *
 * It sees title, meta and blocks in order. It does not see the address, ids of pages and of generated rows,
 * `updatedAt`, unknown keys beside these, or the order of properties. 64 hexadecimal characters. Blocks are never
 * changed, only replaced, so each is read once: after an edit of one block the rest costs nothing.
 */
export function contentHash({ title, meta, blocks }: Page): string {
  return hashOf([title, meta ?? {}, ...blocks.map(blockHash)])
}

function blockHash(block: Block): string {
  const known = blockHashes.get(block)
  if (known !== undefined) return known
  const { id, type, props } = block
  const fresh = hashOf([id, type, withoutGeneratedItemIds(props)])
  blockHashes.set(block, fresh)
  return fresh
}

function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value, inKeyOrder))
}

function inKeyOrder(_name: string, value: unknown): unknown {
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
