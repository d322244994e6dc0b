import { pace } from '../../kernel/index.ts'
import type { SiteContent } from './adapter.ts'
import { asStored } from './as-stored.ts'
import type { Page } from './page.ts'
import { nameToRemove, type Unreadable } from './read-pages.ts'

/** What the storage of a site gets. */
interface Carrying {
  /** The pages, and at their places the entries of the site that are carried, as the site gave them. */
  readonly entries: readonly unknown[]
  /** The carried entries; the site itself carries those that it only names. */
  readonly carried: readonly Unreadable[]
}

/**
 * Returns what a site stores if these pages are published: entries that cannot be read stay as they are, after the page
 * that they follow now or, if that goes, after the one before it. Also carried are pages that the draft had to leave out.
 *
 * What was only repaired when it was read, such as rows that got ids, is what the site has, see `asStored`.
 */
export async function withCarried(
  pages: readonly Page[],
  site: SiteContent = { pages: [] },
  skipped: readonly Unreadable[] = [],
): Promise<Carrying> {
  const slugs = pages.map(({ slug }) => slug)
  const { after, stored, carried } = carryingOf(slugs, site, skipped)
  const entries = [...after(-1)]
  for (const [at, page] of pages.entries()) {
    await pace()
    entries.push(stored(page), ...after(at))
  }
  return { entries, carried }
}

/** The same, of pages that are read one by one. */
export function carryingOf(
  slugs: readonly string[],
  site: SiteContent = { pages: [] },
  skipped: readonly Unreadable[] = [],
) {
  const places = new Map(slugs.map((slug, at) => [slug, at]))
  const published = new Map(site.pages.map((page) => [page.slug, page]))
  const omitted = omittedFrom(places, published, skipped)
  const waiting = Map.groupBy(site.unreadable ?? [], ({ after }) => after)
  const carriedAt = new Map<number, unknown[]>()
  let place = -1
  const carry = (raw: unknown, at: number): void => {
    const others = carriedAt.get(at)
    if (others) others.push(raw)
    else carriedAt.set(at, [raw])
  }
  const settle = (slug: string | undefined): void => {
    for (const { slug: own, repeated, raw } of waiting.get(slug) ?? []) {
      // The page stays the first one of its slug.
      if (raw !== undefined) carry(raw, repeated ? Math.max(place, places.get(own) ?? -1) : place)
    }
    waiting.delete(slug)
  }

  settle(undefined)
  for (const page of site.pages) {
    place = places.get(page.slug) ?? place
    if (omitted.has(page.slug)) carry(asStored(page, page), place)
    settle(page.slug)
  }
  place = slugs.length - 1
  for (const slug of waiting.keys()) settle(slug)

  return {
    /** The entries that follow the page at this place; those of -1 come first. */
    after: (at: number): readonly unknown[] => carriedAt.get(at) ?? [],
    /** What is stored for a page. */
    stored: (page: Page): unknown => asStored(page, published.get(page.slug)),
    carried: [...(site.unreadable ?? []), ...omitted.values()],
  }
}

/** Returns entries in the type of stored pages: a storage returns them as it got them, whatever they are. */
export const toStored = (entries: readonly unknown[]): readonly Page[] =>
  entries.filter((entry): entry is Page => entry !== undefined)

/** Returns the entries that cannot be read by their slugs, which no page can have until they are corrected. */
export function unreadableSlugs({ pages, unreadable = [] }: SiteContent): ReadonlyMap<string, Unreadable> {
  if (unreadable.length === 0) return new Map()
  const readable = new Set(pages.map(({ slug }) => slug))
  return new Map(unreadable.filter(({ slug }) => !readable.has(slug)).map((entry) => [entry.slug, entry]))
}

/** Returns a site without the entries that cannot be read and have these names, and those entries. */
export function withoutEntries(
  site: SiteContent,
  names: readonly string[] = [],
): { readonly site: SiteContent; readonly removed: readonly Unreadable[] } {
  const named = new Set(names)
  const isNamed = (entry: Unreadable): boolean => {
    const name = nameToRemove(entry)
    return name !== undefined && named.has(name)
  }
  const { unreadable = [], ...rest } = site
  const removed = unreadable.filter(isNamed)
  if (removed.length === 0) return { site, removed }
  const others = unreadable.filter((entry) => !isNamed(entry))
  return { site: { ...rest, ...(others.length > 0 && { unreadable: others }) }, removed }
}

/** Returns the sentence for a page at the slug of an entry that cannot be read. */
export const slugIsTaken = ({ slug, reason }: Unreadable): string =>
  `The site has an entry at ${slug} that cannot be read: ${reason}. Correct it on the site, or give the page another slug.`

/** Returns by slug the published pages that a draft lacks because they were left out of it. */
export function omittedFrom(
  draft: { has(slug: string): boolean },
  published: { has(slug: string): boolean },
  skipped: readonly Unreadable[],
): ReadonlyMap<string, Unreadable> {
  const omitted = skipped.filter(({ slug, repeated }) => !repeated && published.has(slug) && !draft.has(slug))
  return new Map(omitted.map(({ slug, reason }) => [slug, { slug, reason }]))
}
