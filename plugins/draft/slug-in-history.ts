import { slugSpellings } from '../content/slugs.ts'
import type { Page } from '../content/page.ts'
import type { Stack } from './collections.ts'

/** What a draft has under a slug. */
interface Reads {
  readonly pages: { get(slug: string): Promise<Page | undefined> }
  readonly stacks: { get(slug: string): Promise<Stack | undefined> | Stack }
}

/**
 * Returns the slug that is meant by one in any spelling: that of a page, or of one that is gone and can be
 * restored; the same slug if there is none.
 */
export async function slugInHistory(slug: string, { pages, stacks }: Reads): Promise<string> {
  for (const each of slugSpellings(slug)) {
    if (await pages.get(each)) return each
    const { undo, redo } = (await stacks.get(each)) ?? { undo: [], redo: [] }
    if (undo.length + redo.length > 0) return each
  }
  return slug
}
