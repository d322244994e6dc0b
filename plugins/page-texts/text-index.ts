import type { Block, Page } from '../content/page.ts'
import { blocksOf, keysOf, valuesOf, type ShownValue } from './values.ts'

/** Blocks with one key beyond these are not compared. */
const mostBlocks = 200

/**
 * Indexes the values of pages by what they have in common with the texts that show them. A block is parsed
 * once a text of a page could be its own.
 */
export function createTextIndex() {
  const known = new Map<
    string,
    { readonly page: Page; readonly keys: ReadonlyMap<Block, ReadonlySet<string>> }
  >()
  /** The blocks of each page, by key. */
  const index = new Map<string, Map<string, Set<Block>>>()
  const parsed = new WeakMap<Block, readonly ShownValue[]>()

  const remove = (slug: string): void => {
    for (const keys of known.get(slug)?.keys.values() ?? [])
      for (const key of keys) {
        index.get(key)?.delete(slug)
        if (index.get(key)?.size === 0) index.delete(key)
      }
    known.delete(slug)
  }

  const add = (key: string, slug: string, block: Block): void => {
    const bySlug = index.get(key) ?? new Map<string, Set<Block>>()
    index.set(key, bySlug)
    bySlug.set(slug, (bySlug.get(slug) ?? new Set()).add(block))
  }

  const valuesIn = (page: Page, block: Block): readonly ShownValue[] => {
    const values = parsed.get(block) ?? valuesOf(page, block)
    parsed.set(block, values)
    return values
  }

  return {
    update(page: Page): void {
      remove(page.slug)
      const keys = new Map(blocksOf(page).map((block) => [block, keysOf(block)]))
      known.set(page.slug, { page, keys })
      for (const [block, ofBlock] of keys) for (const key of ofBlock) add(key, page.slug, block)
    },
    remove,
    pageAt: (slug: string): Page | undefined => known.get(slug)?.page,
    /** All values of a page in their order. */
    valuesAt(slug: string): readonly ShownValue[] {
      const { page, keys } = known.get(slug) ?? {}
      return page && keys ? [...keys.keys()].flatMap((block) => valuesIn(page, block)) : []
    },
    /** The values of a key that fit. */
    find(key: string, fits: (value: ShownValue) => boolean): readonly ShownValue[] {
      const found: ShownValue[] = []
      let left = mostBlocks
      for (const [slug, blocks] of index.get(key) ?? []) {
        const page = known.get(slug)?.page
        for (const block of page ? blocks : []) {
          if ((left -= 1) < 0) return found
          if (page) found.push(...valuesIn(page, block).filter(fits))
        }
      }
      return found
    },
  }
}
