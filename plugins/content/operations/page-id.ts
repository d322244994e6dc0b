import { pageIdFromSlug } from '../block-ids.ts'
import { orderOf, type BatchState } from './state.ts'

/**
 * The id of a page that gets a slug, unlike that of any other page.
 *
 * Other pages are not loaded for this: their ids are taken to follow from their slugs too, as all do that are made
 * here, and what this batch changed is known.
 */
export function newPageId(state: BatchState, slug: string): string {
  const others = new Set<string>()
  for (const other of orderOf(state)) if (other !== slug && !state.touched.has(other)) others.add(pageIdFromSlug(other))
  for (const [other, { after }] of state.touched) if (other !== slug && after) others.add(after.id)
  return pageIdFromSlug(slug, (id) => others.has(id))
}
