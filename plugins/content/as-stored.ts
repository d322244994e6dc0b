import { ingestPage } from './ingest.ts'
import { rowKey, withoutGeneratedId, withoutGeneratedItemIds } from './items.ts'
import { unlocked } from './locked.ts'
import { same } from './merge/sides.ts'
import type { Block, Page, Props } from './model.ts'
import { isPlainObject, ownValue } from './plain-object.ts'
import { originalOf } from './read-pages.ts'
import { builtinRegistry } from './registry.ts'

const types = { registry: builtinRegistry }

/**
 * Returns what a site stores for a page: what it has, wherever the page differs from that only by repairs.
 * That is the page as it came, or the props and rows of a page that has changed; a changed page keeps the ids
 * of its blocks, because those that a site leaves out depend on their places. Locked blocks are what the site
 * has in their place.
 */
export function asStored(page: Page, published: Page | undefined): unknown {
  const stored = withoutRepairs(page, published)
  const original = stored === published ? originalOf(stored) : stored
  return original === stored ? unlocked(stored) : original
}

/** Returns a page as a site has it once it is published: the published page if it differs only by repairs. */
export function withoutRepairs(page: Page, published: Page | undefined): Page {
  if (!published) return page
  const [ours, theirs] = [ingestPage(page, types), ingestPage(published, types)]
  if (same({ ...ours, updatedAt: '' }, { ...theirs, updatedAt: '' })) return published
  const sides = new Map(theirs.blocks.map((read, at) => [read.id, { read, stored: published.blocks[at] }]))
  const blocks = page.blocks.map((block): Block => {
    const { read, stored } = sides.get(block.id) ?? {}
    if (!read || !stored || read.type !== block.type) return block
    return { ...block, props: objectAsStored(block.props, read.props, stored.props) }
  })
  return { ...page, blocks }
}

/** What is sent of an object, given what the site's one is read as, and what the site stores. */
function objectAsStored(sent: Props, read: Props, stored: Props): Props {
  if (same(sent, read)) return stored
  const entries = Object.entries(sent).flatMap(([name, value]) => {
    const [now, before] = [ownValue(read, name), ownValue(stored, name)]
    if (!same(value, now)) {
      const isList = Array.isArray(value) && Array.isArray(now) && Array.isArray(before)
      return [[name, isList ? listAsStored(value, now, before) : value] as const]
    }
    // A prop that is only read, such as one that renderers need, is not there.
    return before === undefined ? [] : [[name, before] as const]
  })
  return Object.fromEntries(entries)
}

/** Each row of the site is stored once; a changed one is found by its id. */
function listAsStored(
  sent: readonly unknown[],
  read: readonly unknown[],
  stored: readonly unknown[],
): readonly unknown[] {
  // The places of equal rows, the first one last.
  const rest = new Map<string, number[]>()
  for (const [at, row] of [...read.entries()].toReversed()) {
    const places = rest.get(contentOf(row))
    if (places) places.push(at)
    else rest.set(contentOf(row), [at])
  }
  const keys = new Map(read.map((row, at) => [isPlainObject(row) ? rowKey(row) : undefined, at]))
  return sent.map((row) => {
    const place = rest.get(contentOf(row))?.pop()
    if (place !== undefined) return stored[place]
    const key = isPlainObject(row) ? rowKey(row) : undefined
    const at = key === undefined ? undefined : keys.get(key)
    if (at === undefined || !isPlainObject(row)) return row
    const { [at]: now } = read
    const { [at]: before } = stored
    if (!isPlainObject(now) || !isPlainObject(before)) return row
    const { id, ...others } = row
    return { ...(id !== undefined && { id }), ...objectAsStored(others, now, before) }
  })
}

const contentOf = (row: unknown): string => JSON.stringify(withoutGeneratedId(withoutGeneratedItemIds(row)))
