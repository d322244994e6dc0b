import type { SiteContent } from '../content/adapter.ts'
import type { Renames } from '../content/merge/index.ts'
import { defineCollection, trusted, type Store, type Transaction } from '../store/port.ts'

/** An id that a publish has given to a page, with the slug of the page. */
interface LaterId {
  readonly id: string
  readonly slug: string
}

/** The page ids that publishes have given to pages, under (site id, former id). */
export const laterIds = defineCollection('publish_later_ids', trusted<LaterId>(), { columns: {} })

/** The pages of a site before and after a publish, with the renames from one to the other. */
interface RenamedPages extends Readonly<Record<'before' | 'after', Pick<SiteContent, 'pages'>>> {
  readonly renames: Renames
}

/** Returns the ids that a publish gives to pages, with their slugs then, by their former ids. */
export function laterIdsBy({ before, after, renames }: RenamedPages) {
  const now = new Map(after.pages.map(({ slug, id }) => [slug, id]))
  return before.pages.flatMap(({ slug: from, id: former }) => {
    const slug = renames.get(from) ?? from
    const id = now.get(slug)
    return id === undefined || id === former ? [] : [{ former, id, slug }]
  })
}

/**
 * Stores the ids that a publish has given to pages: renamed ones, those that came back to their addresses,
 * and those that the site had removed.
 */
export async function recordLaterIds(
  store: Pick<Store, 'transaction'>,
  siteId: string,
  ...published: readonly RenamedPages[]
): Promise<void> {
  const given = published.flatMap(laterIdsBy)
  if (given.length > 0) await store.transaction((tx) => storeLaterIds(tx, siteId, given))
}

/** Stores ids that publishes have given to pages. */
export async function storeLaterIds(
  tx: Transaction,
  siteId: string,
  given: readonly (LaterId & { readonly former: string })[],
): Promise<void> {
  for (const { former, ...body } of given) await tx.of(laterIds).put(siteId, former, { body, columns: {} })
}

/** Returns what reads the ids that pages of a site have got, with their slugs then, by their former ids. */
export const laterIdsOn =
  (siteId: string) =>
  async (reader: Store | Transaction): Promise<ReadonlyMap<string, LaterId>> => {
    const rows = await reader.of(laterIds).list(siteId)
    return new Map(rows.map(({ key, body }) => [key, body]))
  }
