import { isSameButQueries } from '../addresses.ts'
import type { PageDelta } from '../delta.ts'
import type { Block, Page } from '../model.ts'
import { mergePage, type PageRules } from './page.ts'

type PagePatch = Extract<PageDelta, { readonly keys: unknown }>

/**
 * Returns a page without one of its changes, which need not be the newest, or with it again (`after`): what the change did
 * is merged out of it, value by value, and what was changed elsewhere stays. Returns `undefined` if a value was changed
 * again since: it is neither the one that the change set nor the former one, which stays.
 */
export function pageWithout(
  page: Page | undefined,
  delta: PageDelta,
  rules: PageRules,
  to: 'before' | 'after' = 'before',
): { readonly page: Page | undefined } | undefined {
  if ('came' in delta) return undefined
  const from = to === 'before' ? 'after' : 'before'
  if (!('keys' in delta)) {
    if (isStill(page, delta[to])) return { page }
    return isStill(page, delta[from]) ? { page: delta[to] } : undefined
  }
  if (!page) return undefined
  const [base, theirs] = [withSide(page, delta, from), withSide(page, delta, to)]
  // Nothing else was changed: a merge would give rows other ids than they had.
  if (isStill(page, base)) return { page: theirs }
  const { merged, conflicts } = mergePage({ base, ours: page, theirs }, { ...rules, draft: 'theirs' })
  if (conflicts.length > 0) return undefined
  return { page: merged && page.id === base.id ? { ...merged, id: theirs.id } : merged }
}

/** Whether a page is as in another state, but for its stamp and what its site signs anew at every read. */
const isStill = (page: Page | undefined, state: Page | undefined): boolean =>
  page && state ? isSameButQueries({ ...page, updatedAt: '' }, { ...state, updatedAt: '' }) : page === state

/** Returns a page with what a change had on one side; what the change did not touch is as it is now. */
function withSide(page: Page, { keys, blocks: changes, order }: PagePatch, side: 'before' | 'after'): Page {
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
