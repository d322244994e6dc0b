import type { SiteContent } from '../content/adapter.ts'
import { notArrived } from '../content/arrival.ts'
import { bySlug, slugsOf } from '../content/diff/index.ts'
import {
  type Renames,
  sameAsRead,
  samePage,
  type SentContent,
  type SideRenames,
} from '../content/merge/index.ts'
import type { Page } from '../content/page.ts'
import { sameJson } from '../content/plain-object.ts'
import type { DraftId } from '../scope/port.ts'
import { defineCollection, trusted, type Store, type Transaction } from '../store/port.ts'
import { meaningOf, withoutFormer } from './meaning.ts'
import type { StoredBaseline } from './record.ts'

/** What a publish sends, and the version of the draft that it was; without one it was no draft. */
interface UnansweredPublish extends SentContent {
  readonly version: number | undefined
}

/**
 * What publishes of each draft have sent, under (site id, session), until one has succeeded: the service may
 * end, or an answer get lost, after the site has stored it.
 */
export const sentPublishes = defineCollection('publish_sent', trusted<readonly UnansweredPublish[]>(), {
  columns: {},
})

/** The most publishes of one draft without a success that are known. */
const mostSent = 3

/** Stores what a publish changes, before it is sent. */
export async function recordSent(
  store: Pick<Store, 'transaction'>,
  { siteId, session }: DraftId,
  publish: {
    readonly before: SiteContent | undefined
    readonly after: SiteContent
    /** The slugs of the pages that it changes. */
    readonly changed: readonly string[]
    readonly renames: Renames
    readonly version: number | undefined
  },
): Promise<void> {
  const { before, after, version } = publish
  const order = slugsOf(after)
  const siteConfig = { before: before?.siteConfig, after: after.siteConfig }
  const sent: UnansweredPublish = {
    version,
    pages: pagesIn(publish),
    ...(!(before && sameJson(slugsOf(before), order)) && { order }),
    ...(!sameJson(siteConfig.before, siteConfig.after) && { siteConfig }),
  }
  await store.transaction(async (tx) => {
    const rows = tx.of(sentPublishes)
    const earlier = (await rows.get(siteId, session))?.body ?? []
    const body = [...earlier, sent].slice(-mostSent)
    await rows.put(siteId, session, { body, columns: {} })
  })
}

/** Returns the pages that a publish changes, as they are before and after. */
function pagesIn({ before = { pages: [] }, after, changed, renames }: Parameters<typeof recordSent>[2]) {
  const [there, now] = [bySlug(before.pages), bySlug(after.pages)]
  const former = new Map([...renames].map(([from, to]) => [to, from]))
  const slugs = new Set([...changed, ...former.keys()])
  const left = [...new Set([...changed, ...renames.keys()])].filter(
    (slug) => !(renames.get(slug) ?? now.has(slug)),
  )
  return [
    ...[...slugs].flatMap((slug) => {
      const from = former.get(slug) ?? (renames.has(slug) ? undefined : slug)
      const page = now.get(slug)
      return page ? [{ before: there.get(from ?? ''), after: page }] : []
    }),
    ...left.map((slug) => ({ before: there.get(slug), after: undefined })),
  ]
}

/** A page that a publish renames: its slug and id on the site before, and the page that is sent. */
const renamedIn = (publishes: readonly UnansweredPublish[]) =>
  publishes.flatMap(({ pages }) =>
    pages.flatMap(({ before, after }): { readonly before: Page; readonly after: Page }[] =>
      before && after && before.slug !== after.slug ? [{ before, after }] : [],
    ),
  )

/** Stores the ids of the renamed pages that a site had stored without an answer. */
export async function settleSent(
  store: Store,
  { siteId, session }: DraftId,
  { pages }: SiteContent,
): Promise<void> {
  const there = bySlug(pages)
  const given = renamedIn((await store.of(sentPublishes).get(siteId, session))?.body ?? []).flatMap(
    ({ before: { id: former }, after }) => {
      const now = there.get(after.slug)
      return now && samePage(now, after) ? [{ former, id: now.id, slug: now.slug }] : []
    },
  )
  if (given.length > 0) await store.transaction((tx) => storeLaterIds(tx, siteId, given))
}

/** Forgets what a draft has sent, once a publish of it has succeeded and is agreed on. */
export const forgetSent = (tx: Transaction, { siteId, session }: DraftId): Promise<unknown> =>
  tx.of(sentPublishes).remove(siteId, session)

/** Reads what a draft has sent without an answer, up to a version of it. */
export async function unansweredOf(
  { siteId, session }: DraftId,
  reader: Store | Transaction,
  until = Infinity,
): Promise<readonly SentContent[]> {
  const sent = (await reader.of(sentPublishes).get(siteId, session))?.body ?? []
  return sent.filter(({ version }) => version !== undefined && version <= until)
}

/** Reads what is known of the renames of a site. */
export async function renamesOn(
  siteId: string,
  reader: Store | Transaction,
): Promise<Pick<SideRenames, 'ids' | 'sent'>> {
  const rows = await reader.of(sentPublishes).list(siteId)
  const later = await laterIdsOn(siteId)(reader)
  return {
    ids: new Map([...later].map(([former, { id }]) => [former, id])),
    sent: rows.flatMap(({ body }) =>
      renamedIn(body).map(({ before, after }) => [before.slug, after] as const),
    ),
  }
}

/** An id that a publish has given to a page, with the slug of the page. */
interface LaterId {
  readonly id: string
  readonly slug: string
}

/** The page ids that publishes have given to pages, under (site id, former id). */
export const laterIds = defineCollection('publish_later_ids', trusted<LaterId>(), { columns: {} })

/** The pages of a site before and after a publish, with the renames from one to the other. */
export interface RenamedPages extends Readonly<Record<'before' | 'after', Pick<SiteContent, 'pages'>>> {
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

/**
 * Returns the slugs of changed pages of a publish of which a site shows nothing: its answer `seen` still
 * means what the site meant before. `record` is the one before the publish.
 */
export async function notShown(
  record: StoredBaseline,
  sides: Readonly<Record<'sent' | 'before' | 'seen', SiteContent>>,
  changed: readonly string[],
): Promise<readonly string[]> {
  const { sent, before, seen } = sides
  const [wanted, shown] = [bySlug(sent.pages), bySlug(seen.pages)]
  const others = changed.filter((slug) => !sameAsRead(wanted.get(slug), shown.get(slug)))
  if (others.length === 0) return []
  // What publishes before have replaced may have been put back by this one.
  const { content } = await meaningOf(seen, withoutFormer(record, Infinity))
  const { pages, inPart } = await notArrived(sent, before, content)
  return others.toSorted().filter((slug) => pages.includes(slug) || inPart.includes(slug))
}
