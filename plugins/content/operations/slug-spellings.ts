import { canonicalSlug, home } from '../slugs.ts'

/**
 * The ways in which a draft may spell a slug: as asked for, in canonical form, and as older content has it, without the
 * leading or with a trailing `/`.
 *
 * A short list, so that a page can be looked up without reading every slug of the draft.
 */
export function slugSpellings(slug: string): readonly string[] {
  const canonical = canonicalSlug(slug)
  if (canonical === undefined) return [slug]
  const spellings = canonical === home ? [slug, canonical] : [slug, canonical, canonical.slice(1), `${canonical}/`]
  return [...new Set(spellings)]
}
