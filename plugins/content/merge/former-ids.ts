import type { Page } from '../model.ts'
import type { Renames } from './match.ts'

/** An id that a page had until a version of its draft: a rename gives another one. */
export interface FormerId {
  readonly id: string
  readonly until: number
}

/**
 * The ids that renamed pages had, oldest first, by their slugs. Of pages that the site lacks: others have a
 * base.
 */
export type FormerIds = ReadonlyMap<string, readonly FormerId[]>

/**
 * Returns the slugs that renamed pages have in content of an earlier version of their draft, by their present
 * slugs.
 */
export function slugsThen(
  former: FormerIds,
  { version, pages }: { readonly version: number; readonly pages: Iterable<Page> },
): Renames {
  const slugs = new Map([...pages].map(({ id, slug }) => [id, slug]))
  const then = [...former].flatMap(([slug, ids]) => {
    const found = ids.find(({ until }) => until > version)
    return found ? [{ slug, ...found }] : []
  })
  const found = new Map<string, string>()
  // A page that was created later may have got the id that another one had then.
  for (const { slug, id } of then.toSorted((a, b) => a.until - b.until)) {
    const there = slugs.get(id)
    if (there === undefined) continue
    found.set(slug, there)
    slugs.delete(id)
  }
  return found
}
