import { slugSpellings } from '../content/slugs.ts'
import type { Page } from '../content/page.ts'
import type { Stack } from './collections.ts'

/** What a draft has under a slug. */
interface Reads {
  readonly page: (slug: string) => Promise<Page | undefined>
  readonly stack: (slug: string) => Promise<Stack | undefined>
}

/**
 * Returns the slug that is meant by one in any spelling: that of a page, or of one that is gone and can be
 * restored; the same slug if there is none.
 */
export async function slugInHistory(slug: string, { page, stack }: Reads): Promise<string> {
  for (const each of slugSpellings(slug)) {
    if (await page(each)) return each
    const { undo, redo } = (await stack(each)) ?? { undo: [], redo: [] }
    if (undo.length + redo.length > 0) return each
  }
  return slug
}
