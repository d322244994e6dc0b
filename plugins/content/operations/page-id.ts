import { pageIdFromSlug } from '../block-ids.ts'
import { orderOf, type BatchState } from './state.ts'

/**
 * The id of a page that gets a slug, unlike that of any other page.
 *
 * Other pages are not loaded for this. Their ids are taken to follow from their slugs, in the order of the draft,
 * as all do that are made here; of the pages that this batch touched they are known.
 */
export function newPageId(state: BatchState, slug: string): string {
  const used = new Set<string>()
  for (const { after } of state.touched.values()) if (after && after.slug !== slug) used.add(after.id)
  for (const other of orderOf(state)) {
    if (other !== slug && !state.touched.has(other)) used.add(pageIdFromSlug(other, (id) => used.has(id)))
  }
  return pageIdFromSlug(slug, (id) => used.has(id))
}
