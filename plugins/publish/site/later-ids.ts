import type { SiteContent } from '../../content/adapter.ts'
import { bySlug } from '../../content/diff/index.ts'
import type { Renames } from '../../content/merge/index.ts'
import { defineCollection, trusted, type Store, type Transaction } from '../../store/port.ts'

/** The page ids that published renames have given to pages, under (site id, former id). */
const collection = defineCollection('publish_later_ids', trusted<{ readonly id: string }>(), { columns: {} })

/** Stores the ids that a publish has given to renamed pages. */
export async function recordLaterIds(
  store: Pick<Store, 'transaction'>,
  siteId: string,
  {
    before,
    after,
    renames,
  }: { readonly before: SiteContent; readonly after: SiteContent; readonly renames: Renames },
): Promise<void> {
  if (renames.size === 0) return
  const [old, now] = [bySlug(before.pages), bySlug(after.pages)]
  await store.transaction(async (tx) => {
    for (const [from, to] of renames) {
      const [former, id] = [old.get(from)?.id, now.get(to)?.id]
      if (former !== undefined && id !== undefined && former !== id)
        await tx.of(collection).put(siteId, former, { body: { id }, columns: {} })
    }
  })
}

/** Returns a function that reads the ids that renamed pages of a site have got, by their former ids. */
export const laterIdsOn =
  (siteId: string) =>
  async (reader: Store | Transaction): Promise<ReadonlyMap<string, string>> => {
    const rows = await reader.of(collection).list(siteId)
    return new Map(rows.map(({ key, body }) => [key, body.id]))
  }
