import { paced } from '../../kernel/index.ts'
import type { SiteContent } from './adapter.ts'
import { ingestPage } from './ingest.ts'
import { rowKey, withoutGeneratedId, withoutGeneratedItemIds } from './items.ts'
import { unlocked } from './locked.ts'
import { same } from './merge/sides.ts'
import type { Block, Page, Props } from './model.ts'
import { isPlainObject, mapped, ownValue, pushTo } from './plain-object.ts'
import { nameToRemove, originalOf, type Unreadable } from './read-pages.ts'
import { builtinRegistry } from './registry.ts'

const types = { registry: builtinRegistry }

/** What the storage of a site gets. */
interface Carrying {
  /** The pages, and at their places the entries of the site that are carried, as the site gave them. */
  readonly entries: readonly unknown[]
  /** The carried entries; the site itself carries those that it only names. */
  readonly carried: readonly Unreadable[]
}

/**
 * Returns what a site stores if these pages are published: entries that cannot be read stay as they are, after
 * the page that they follow now, also at another address, or, if that goes, after the one before it. Also
 * carried are pages that the draft had to leave out.
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
  for await (const [at, page] of paced(pages.entries())) {
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
  const settle = (slug: string | undefined): void => {
    for (const { slug: own, repeated, raw } of waiting.get(slug) ?? []) {
      // The page stays the first one of its slug.
      if (raw === undefined) continue
      pushTo(carriedAt, repeated ? Math.max(place, places.get(own) ?? -1) : place, raw)
    }
    waiting.delete(slug)
  }

  /** A page that the site lacks, where one of the site is gone, is that one at another address. */
  const placeWithout = ({ slug }: Page): number => {
    const next = slugs[place + 1]
    const isOther = next !== undefined && !published.has(next) && !omitted.has(slug)
    return isOther ? place + 1 : place
  }

  settle(undefined)
  for (const page of site.pages) {
    place = places.get(page.slug) ?? placeWithout(page)
    if (omitted.has(page.slug)) pushTo(carriedAt, place, asStored(page, page))
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
export function unreadableSlugs(
  { pages, unreadable = [] }: SiteContent = { pages: [] },
): ReadonlyMap<string, Unreadable> {
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

/**
 * Returns what a site stores for a page: what it has, wherever the page differs from that only by repairs.
 * That is the page as it came, or the props and rows of a page that has changed; a changed page keeps the ids
 * of its blocks, because those that a site leaves out depend on their places. Locked blocks are what the site
 * has in their place.
 */
export function asStored(page: Page, published: Page | undefined): unknown {
  const stored = withoutRepairs(page, published)
  const original = stored === published ? originalOf(stored) : stored
  return original === stored ? unlocked(stored) : original
}

/** The last result of each page: a publish sends it, and agrees on it afterwards. */
const lastStored = new WeakMap<Page, { readonly published: Page; readonly stored: Page }>()

/** Returns a page as a site has it once it is published: the published page if it differs only by repairs. */
export function withoutRepairs(page: Page, published: Page | undefined): Page {
  if (!published || page === published) return page
  const last = lastStored.get(page)
  if (last?.published === published) return last.stored
  const stored = repairsLeftOut(page, published)
  lastStored.set(page, { published, stored })
  return stored
}

function repairsLeftOut(page: Page, published: Page): Page {
  const [ours, theirs] = [ingestPage(page, types), ingestPage(published, types)]
  if (same({ ...ours, updatedAt: '' }, { ...theirs, updatedAt: '' })) return published
  const sides = new Map(theirs.blocks.map((read, at) => [read.id, { read, stored: published.blocks[at] }]))
  const blocks = mapped(page.blocks, (block): Block => {
    const { read, stored } = sides.get(block.id) ?? {}
    if (!read || !stored || read.type !== block.type) return block
    const props = objectAsStored(block.props, read.props, stored.props)
    return props === block.props ? block : { ...block, props }
  })
  return blocks === page.blocks ? page : { ...page, blocks }
}

/** What is sent of an object, given what the site's one is read as, and what the site stores. */
function objectAsStored(sent: Props, read: Props, stored: Props): Props {
  if (same(sent, read)) return stored
  const entries = Object.entries(sent).flatMap(([name, value]) => {
    const [now, before] = [ownValue(read, name), ownValue(stored, name)]
    if (value !== now && !same(value, now)) {
      const isList = Array.isArray(value) && Array.isArray(now) && Array.isArray(before)
      return [[name, isList ? listAsStored(value, now, before) : value] as const]
    }
    // A prop that is only read, such as one that renderers need, is not there.
    return before === undefined ? [] : [[name, before] as const]
  })
  const isAsSent = entries.every(([name, value]) => value === sent[name])
  return isAsSent && entries.length === Object.keys(sent).length ? sent : Object.fromEntries(entries)
}

/** Each row of the site is stored once; a changed one is found by its id. */
function listAsStored(
  sent: readonly unknown[],
  read: readonly unknown[],
  stored: readonly unknown[],
): readonly unknown[] {
  // The places of equal rows, the first one last.
  const rest = new Map<string, number[]>()
  for (const [at, row] of [...read.entries()].toReversed()) pushTo(rest, contentOf(row), at)
  const keys = new Map(read.map((row, at) => [isPlainObject(row) ? rowKey(row) : undefined, at]))
  return sent.map((row) => {
    const place = rest.get(contentOf(row))?.pop()
    if (place !== undefined) return stored[place]
    const key = isPlainObject(row) ? rowKey(row) : undefined
    const at = key === undefined ? undefined : keys.get(key)
    if (at === undefined || !isPlainObject(row)) return row
    const { [at]: now } = read
    const { [at]: before } = stored
    if (!isPlainObject(now) || !isPlainObject(before)) return row
    const { id, ...others } = row
    return { ...(id !== undefined && { id }), ...objectAsStored(others, now, before) }
  })
}

const contentOf = (row: unknown): string => JSON.stringify(withoutGeneratedId(withoutGeneratedItemIds(row)))
