import { canonicalSlug, home } from '../slugs.ts'
import { violates } from './refuse.ts'

/**
 * The ways in which a draft may spell a slug: as asked for, in canonical form, and as older content has it,
 * without the leading or with a trailing `/`.
 *
 * A short list, so that a page can be looked up without reading every slug of the draft.
 */
export function slugSpellings(slug: string): readonly string[] {
  const canonical = canonicalSlug(slug)
  if (canonical === undefined) return [slug]
  if (canonical === home) return slug === home ? [home] : [slug, home]
  return [...new Set([slug, canonical, canonical.slice(1), `${canonical}/`])]
}

/** The form in which a new page has its slug; refuses what has none. */
export function newSlugFrom(wanted: string, path: string): string {
  const rule = 'use letters, digits and - . _ ~ between slashes, such as /about'
  return canonicalSlug(wanted) ?? violates(path, `'${wanted}' cannot be a slug; ${rule}`)
}
