import type { SiteContent } from '../content/adapter.ts'
import { bySlug } from '../content/diff/index.ts'
import { type Renames, samePage, type SideRenames } from '../content/merge/index.ts'
import type { Page } from '../content/page.ts'
import type { DraftId } from '../scope/port.ts'
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

async function storeLaterIds(
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

/** A page that a publish renames: its slug and id on the site before, and the page that is sent. */
interface SentRename {
  readonly from: string
  readonly former: string
  readonly page: Page
}

/**
 * What the newest publish of each draft with renames sends, under (site id, session), until it has succeeded:
 * its answer may get lost after the site has stored it.
 */
export const sentRenames = defineCollection('publish_sent_renames', trusted<readonly SentRename[]>(), {
  columns: {},
})

/** Stores the renamed pages of a publish before they are sent. */
export async function recordSentRenames(
  store: Pick<Store, 'transaction'>,
  { siteId, session }: DraftId,
  { before, after, renames }: RenamedPages,
): Promise<void> {
  const now = bySlug(after.pages)
  const body = before.pages.flatMap(({ slug: from, id: former }): SentRename[] => {
    const to = renames.get(from)
    const page = to === undefined ? undefined : now.get(to)
    return page ? [{ from, former, page }] : []
  })
  if (body.length === 0) return
  await store.transaction((tx) => tx.of(sentRenames).put(siteId, session, { body, columns: {} }))
}

/**
 * Forgets what a draft has sent once a publish of it has succeeded, and stores the ids of what the site had
 * stored.
 */
export const settleSentRenames = (
  store: Pick<Store, 'transaction'>,
  { siteId, session }: DraftId,
  before: SiteContent,
): Promise<void> =>
  store.transaction(async (tx) => {
    const stored = await tx.of(sentRenames).get(siteId, session)
    if (!stored) return
    const there = bySlug(before.pages)
    const given = stored.body.flatMap(({ former, page }) => {
      const now = there.get(page.slug)
      return now && samePage(now, page) ? [{ former, id: now.id, slug: now.slug }] : []
    })
    await storeLaterIds(tx, siteId, given)
    await tx.of(sentRenames).remove(siteId, session)
  })

/** Reads what is known of the renames of a site. */
export async function renamesOn(
  siteId: string,
  reader: Store | Transaction,
): Promise<Pick<SideRenames, 'ids' | 'sent'>> {
  const rows = await reader.of(sentRenames).list(siteId)
  const later = await laterIdsOn(siteId)(reader)
  return {
    ids: new Map([...later].map(([former, { id }]) => [former, id])),
    sent: rows.flatMap(({ body }) => body.map(({ from, page }) => [from, page] as const)),
  }
}
