import { pageIdFromSlug } from '../block-ids.ts'
import type { BatchState } from './state.ts'

/** The id of a page that gets a slug, unlike that of any other page. */
export function newPageId({ draft, touched }: BatchState, slug: string): string {
  const known = [...touched.values()]
  const before = new Set(known.map((page) => page.before?.id))
  const now = new Set(known.map(({ after }) => (after?.slug === slug ? undefined : after?.id)))
  return pageIdFromSlug(slug, (id) => now.has(id) || (!before.has(id) && draft.hasPageId(id)))
}
