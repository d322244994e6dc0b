import type { PageDelta } from '../delta.ts'
import type { Block, Page } from '../model.ts'
import { withoutChange } from '../without-change.ts'
import { mergePage, type PageRules } from './page.ts'

/**
 * Returns a page without one of its changes, like `withoutChange`. Where that finds a value that was changed again, such
 * as a list, what the change did is merged out of it part by part; `undefined` if one part was changed again.
 */
export function pageWithout(
  page: Page | undefined,
  delta: PageDelta,
  rules: PageRules,
): { readonly page: Page | undefined } | undefined {
  const result = withoutChange(page, delta)
  if (result || !page || !('keys' in delta)) return result
  const sides = { base: withSide(page, delta, 'after'), ours: page, theirs: withSide(page, delta, 'before') }
  const { merged, conflicts } = mergePage(sides, { ...rules, draft: 'theirs' })
  return conflicts.length === 0 ? { page: merged } : undefined
}

/** Returns a page with what a change had on one side; what the change did not touch is as it is now. */
function withSide(
  page: Page,
  { keys, blocks: changes, order }: Extract<PageDelta, { readonly keys: unknown }>,
  side: 'before' | 'after',
): Page {
  const blocks = new Map(page.blocks.map((block) => [block.id, block]))
  for (const change of changes) {
    const block = change[side]
    if (block) blocks.set(change.name, block)
    else blocks.delete(change.name)
  }
  const ids = order ? order[side] : [...blocks.keys()]
  const own = keys.map((key) => [key.name, key[side]] as const)
  return {
    ...page,
    ...Object.fromEntries(own),
    blocks: ids.map((id) => blocks.get(id)).filter((block): block is Block => block !== undefined),
  }
}
