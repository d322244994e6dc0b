import type { SiteContent } from '../../content/adapter.ts'
import { bySlug } from '../../content/diff/index.ts'
import { type Renames, samePage, type SideRenames } from '../../content/merge/index.ts'
import type { Page } from '../../content/page.ts'
import type { DraftId } from '../../scope/port.ts'
import { defineCollection, trusted, type Store, type Transaction } from '../../store/port.ts'
import { laterIdsOn, storeLaterIds } from './later-ids.ts'

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
  { before, sent, renames }: Record<'before' | 'sent', SiteContent> & { readonly renames: Renames },
): Promise<void> {
  const now = bySlug(sent.pages)
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

/** Returns a function that reads what is known of the renames of a site. */
export const renamesOn =
  (siteId: string) =>
  async (reader: Store | Transaction): Promise<Pick<SideRenames, 'ids' | 'sent'>> => {
    const rows = await reader.of(sentRenames).list(siteId)
    const later = await laterIdsOn(siteId)(reader)
    return {
      ids: new Map([...later].map(([former, { id }]) => [former, id])),
      sent: rows.flatMap(({ body }) => body.map(({ from, page }) => [from, page] as const)),
    }
  }
