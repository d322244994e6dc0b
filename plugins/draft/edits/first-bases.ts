import { paced } from '../../../kernel/index.ts'
import { isSameOrder, type Renames, samePage, type Side } from '../../content/merge/index.ts'
import type { Page } from '../../content/page.ts'
import { isPlainObject, ownValue, type PlainObject, sameJson } from '../../content/plain-object.ts'
import type { FirstComparison } from '../change.ts'
import { metadataOf } from '../collections.ts'
import { slugsBefore } from '../renames.ts'
import type { DraftTransaction } from '../transaction.ts'

/** The sides of a first comparison. */
interface Sides {
  readonly slugs: readonly string[]
  readonly ours: Side
  readonly theirs: Side
}

/** Returns the state in which a draft without bases agreed with its site, as far as that is known. */
export async function firstBases(draft: DraftTransaction, first: FirstComparison, sides: Sides) {
  const { ours, theirs } = sides
  const { published } = first
  const former = published.map(({ siteConfig = {} }) => siteConfig)
  return {
    pages: await firstPages(draft, first, sides),
    order: published.some(({ order }) => isSameOrder(order, ours.order)) ? ours.order : theirs.order,
    siteConfig: ours.siteConfig && firstSettings(ours.siteConfig, theirs.siteConfig ?? {}, former),
    renames: await firstRenames(draft, sides),
  }
}

/** Returns the renames, by the stored changes, of pages that the site has at their former slug only. */
async function firstRenames(draft: DraftTransaction, { ours, theirs }: Sides): Promise<Renames> {
  const [here, there] = [new Set(ours.order), new Set(theirs.order)]
  const renames = new Map<string, string>()
  if (theirs.order.every((slug) => here.has(slug))) return renames
  const rows = await draft.log.records.rows(draft.scope)
  for (const [to, from] of slugsBefore(rows.flatMap((row) => metadataOf(row).renamed ?? [])))
    if (there.has(from) && !here.has(from) && here.has(to) && !there.has(to)) renames.set(from, to)
  return renames
}

/**
 * Returns the settings of a first base: of each value that the draft has, that value if it was published,
 * else the site's. What the draft lacks it never had, so that it stays on the site.
 */
function firstSettings(ours: PlainObject, theirs: PlainObject, former: readonly PlainObject[]): PlainObject {
  const values = Object.entries(ours).flatMap(([name, own]): [string, unknown][] => {
    const now = ownValue(theirs, name)
    const then = former.map((settings) => ownValue(settings, name))
    if (isPlainObject(own) && isPlainObject(now))
      return [[name, firstSettings(own, now, then.filter(isPlainObject))]]
    const base = then.some((value) => sameJson(value, own)) ? own : now
    return base === undefined ? [] : [[name, base]]
  })
  return Object.fromEntries(values)
}

/**
 * Returns the bases of pages of a draft that has none: what was published as it is, else the page of the site.
 * What a client has pushed differs from the site as it is.
 */
async function firstPages(
  draft: DraftTransaction,
  { pages }: FirstComparison,
  { slugs, ours, theirs }: Sides,
): Promise<ReadonlyMap<string, Page | undefined>> {
  // A page that was pushed and could not be used was not removed.
  const refused = draft.head.site.leftOut.filter(({ pushed }) => pushed)
  const isRefused = (slug: string): boolean => refused.some((entry) => entry.slug === slug)
  const found = new Map<string, Page | undefined>()
  for await (const slug of paced(slugs)) {
    const page = ours.pages.get(slug)
    const isPublished = pages.has(slug) && samePage(page, pages.get(slug))
    if (isPublished || (!page && isRefused(slug))) found.set(slug, page)
    else found.set(slug, theirs.pages.get(slug))
  }
  return found
}
