import type { Locked } from '../../content/locked.ts'
import type { Page } from '../../content/page.ts'
import { listed, type Unreadable } from '../../content/read-pages.ts'
import { comparableSlug } from '../../content/slugs.ts'
import type { ChangedPages, EditOf } from '../change-set.ts'
import type { LeftOut, SiteState } from '../port.ts'
import { slugUnreadable } from '../refusals.ts'

/** The maximum number of left out pages, and of locked blocks, that a draft lists. */
const mostSkipped = 100

/** Returns the pages that are left out after pages came in; those that a client has pushed are not the site's. */
export function skippedAfterPages(
  before: readonly LeftOut[],
  { pages, leftOut: skipped = [], source }: EditOf<'pages'>,
): readonly LeftOut[] {
  const isOwn = source === 'fill'
  const isOfSite = (slug: string): boolean =>
    !isOwn && before.some((entry) => entry.slug === slug && !entry.pushed)
  const added = skipped
    .filter(({ slug }) => !isOfSite(slug))
    .map((entry) => (isOwn ? entry : { ...entry, pushed: true as const }))
  const isNamed = (slug: string): boolean => pages.has(slug) || added.some((each) => each.slug === slug)
  return [...added, ...before.filter(({ slug }) => !isNamed(slug))].slice(0, mostSkipped)
}

/** Returns the blocks of a draft that cannot be read after a change; `found` are those of the changed pages. */
export function lockedAfter(
  before: readonly Locked[],
  pages: ChangedPages,
  found: readonly Locked[],
): readonly Locked[] {
  return [...before.filter(({ slug }) => !pages.has(slug)), ...found].slice(0, mostSkipped)
}

/** Returns the pages that are left out of a draft that has followed its site; `pages` are those that it has taken over. */
export function skippedOfSite(
  before: readonly LeftOut[],
  { unreadable }: Pick<SiteState, 'unreadable'>,
  /** Pages of the site that are too large. */
  omitted: readonly Unreadable[],
  pages: ChangedPages,
): readonly LeftOut[] {
  const stay = before.filter(({ slug }) => !pages.has(slug))
  if (!unreadable) return stay
  const now = [...listed(unreadable), ...omitted]
  const isNamed = (slug: string): boolean => now.some((entry) => entry.slug === slug)
  return [...now, ...stay.filter(({ slug, pushed }) => pushed && !isNamed(slug))].slice(0, mostSkipped)
}

export const tooLarge = ({ slug }: Pick<Page, 'slug'>, maxPageBytes: number): Unreadable => ({
  slug,
  reason: `the page is larger than ${maxPageBytes} bytes`,
})

/** Returns the entries that the site has at the slugs of pages that a draft lacks, by slug. */
export const blockedSlugs = (skipped: readonly LeftOut[]): ReadonlyMap<string, LeftOut> =>
  new Map(skipped.flatMap((entry) => (entry.pushed || entry.repeated ? [] : [[entry.slug, entry]])))

/** Refuses a change that puts a page at the slug of an entry of the site that cannot be read. */
export function refuseBlocked(pages: ChangedPages, skipped: readonly LeftOut[]): void {
  const all = blockedSlugs(skipped)
  if (all.size === 0) return
  const blocked = new Map([...all].map(([slug, entry]) => [comparableSlug(slug), entry]))
  for (const [slug, { before, after }] of pages) {
    const entry = blocked.get(comparableSlug(slug))
    if (entry && after && !before) throw slugUnreadable(entry)
  }
}
