import { pageIdFromSlug } from '../block-ids.ts'
import type { BatchState } from './state.ts'

/** The id of a page that gets a slug, unlike that of any other page. */
export function newPageId({ draft, touched, presence }: BatchState, slug: string): string {
  const comingAndGoing = [...presence.keys()].map((each) => touched.get(each))
  const before = new Set(comingAndGoing.map((page) => page?.before?.id))
  const now = new Set(comingAndGoing.map((page) => (page?.after?.slug === slug ? undefined : page?.after?.id)))
  return pageIdFromSlug(slug, (id) => now.has(id) || (!before.has(id) && draft.hasPageId(id)))
}
