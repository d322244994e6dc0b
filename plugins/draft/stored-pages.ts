/**
 * How the pages of drafts are stored: in a row of their own, or in a part of about 32 pages, which the drafts and
 * snapshots of a site share. Whether a page begins a part depends on its slug alone, so that a page that is added
 * or removed changes no other part.
 */
import { hash } from 'node:crypto'
import { LRUCache, pace, paced } from '../../kernel/index.ts'
import type { Page } from '../content/page.ts'
import { pageJson, pageText } from '../content/page-bytes.ts'
import { perObject } from '../content/plain-object.ts'
import { type DraftId, draftKey } from '../scope/port.ts'
import { defineCollection, type Document, type Store, type Transaction, trusted } from '../store/port.ts'

/**
 * Pages under (draft, slug). `blockIds` has all block ids between line breaks, `pageId` the page's own. The
 * body is `null` for a page in the `part` with that key, which is '' for others.
 */
export const pageRows = defineCollection('draft_pages', trusted<Page | null>(), {
  columns: {
    rank: 'text',
    title: 'text',
    updatedAt: 'text',
    blocks: 'integer',
    blockIds: 'text',
    pageId: 'text',
    part: 'text',
  },
})

/** Some pages that follow each other, with the hash of their JSON. */
export interface PagePart {
  readonly key: string
  readonly pages: readonly Page[]
}

/** Parts under (site id, hash of the pages), each with the time at which it was stored. */
export const pageParts = defineCollection('publish_snapshot_parts', trusted<Pick<PagePart, 'pages'>>(), {
  columns: { at: 'text' },
})

/** The parts that the pages of a draft are in, under (site id, session). */
export const partsOfDrafts = defineCollection(
  'draft_parts',
  trusted<{ readonly parts: readonly string[] }>(),
  { columns: {} },
)

/** A part has about 32 pages, and at most these bytes, unless it is one page. */
const [aboutPages, mostBytes] = [32, 256 * 1024]
/** The most bytes of parts that one transaction writes. */
const mostAtOnce = 4 * 1024 * 1024
/** For how long a part stays that nothing has: a snapshot may be about to have it. */
const unusedMs = 60 * 60 * 1000
/** Parts that were read last: who reads all pages of a draft reads each part once. */
const lastRead = new LRUCache<string, ReadonlyMap<string, Page>>({ max: 4 })

const digest = (value: string | Uint8Array): string => hash('sha256', value).slice(0, 40)

/** What a page is, while it is the same object. */
const factsOf = perObject((page: Page) => {
  const json = pageJson(page)
  return { digest: digest(json), size: Buffer.byteLength(json) }
})

/** Whether a page begins a part of a list of pages, as about one of so many does. */
const beginsPart = (slug: string): boolean => Number.parseInt(digest(slug).slice(0, 4), 16) % aboutPages === 0

/** Divides pages into parts, which are the same for the same pages in the same order. */
export async function inParts(pages: Iterable<Page>): Promise<readonly PagePart[]> {
  const groups: Page[][] = []
  let size = 0
  for await (const page of paced(pages)) {
    const facts = factsOf(page)
    const last = groups.at(-1)
    if (!last || beginsPart(page.slug) || size + facts.size > mostBytes) groups.push([page])
    else last.push(page)
    size = last === groups.at(-1) ? size + facts.size : facts.size
  }
  return groups.map((group) => ({
    key: digest(group.map((page) => factsOf(page).digest).join()),
    pages: group,
  }))
}

const keysOf = async (from: Pick<Store, 'of'>, siteId: string): Promise<ReadonlySet<string>> =>
  new Set((await from.of(pageParts).rows(siteId)).map(({ key }) => key))

/** Stores the parts of a site that are not stored yet; `at` is now, as ISO time. */
export async function putParts(
  tx: Transaction,
  siteId: string,
  parts: readonly PagePart[],
  at: string,
): Promise<void> {
  const stored = await keysOf(tx, siteId)
  for (const { key, pages } of parts) {
    if (stored.has(key)) continue
    await pace()
    // A text, which the next collection of new objects takes: bytes would stay until a complete one.
    const json = `{"pages":[${pages.map((page) => pageText(page)).join()}]}`
    await tx.of(pageParts).put(siteId, key, { body: { pages }, json, columns: { at } })
  }
}

/** Stores parts in several transactions; the one that refers to them stores those that are missing then. */
export async function putPartsAhead(
  store: Store,
  siteId: string,
  parts: readonly PagePart[],
  at: string,
): Promise<void> {
  const stored = await keysOf(store, siteId)
  let some: PagePart[] = []
  let bytes = 0
  for (const part of parts) {
    if (stored.has(part.key)) continue
    some.push(part)
    for (const page of part.pages) bytes += factsOf(page).size
    if (bytes < mostAtOnce) continue
    const full = some
    await store.transaction((tx) => putParts(tx, siteId, full, at))
    ;[some, bytes] = [[], 0]
  }
}

/** Returns the pages of parts. Throws an Error if one is not there. */
export async function pagesInParts(
  from: Pick<Store, 'of'>,
  siteId: string,
  keys: readonly string[],
): Promise<readonly Page[]> {
  const pages: Page[] = []
  for await (const key of paced(keys)) {
    const part = await from.of(pageParts).get(siteId, key)
    if (!part) throw new Error(`The part ${key} of the site ${siteId} is not stored.`)
    pages.push(...part.body.pages)
  }
  return pages
}

/** Returns a page of a part; `undefined` if the part is not there. */
async function pageInPart(
  from: Pick<Store, 'of'>,
  siteId: string,
  key: string,
  slug: string,
): Promise<Page | undefined> {
  const name = JSON.stringify([siteId, key])
  const held = lastRead.get(name)
  if (held) return held.get(slug)
  const part = await from.of(pageParts).get(siteId, key)
  if (!part) return undefined
  const pages = new Map(part.body.pages.map((page) => [page.slug, page]))
  lastRead.set(name, pages)
  return pages.get(slug)
}

/** A page as it is stored; `own` is its row, unless the page is in a part that others share. */
export interface FoundPage {
  readonly page: Page
  readonly rank: string
  readonly own?: Pick<Document<Page, (typeof pageRows)['columns']>, 'bytes'>
}

/** Reads a page of a draft from the store. Throws an Error if its part is not there. */
export async function findPage(
  from: Pick<Store, 'of'>,
  id: DraftId,
  slug: string,
): Promise<FoundPage | undefined> {
  const found = await from.of(pageRows).get(draftKey(id), slug)
  if (!found) return undefined
  const { rank, part } = found.columns
  if (found.body) return { page: found.body, rank, own: found }
  const page = await pageInPart(from, id.siteId, part, slug)
  if (page) return { page, rank }
  // Outside of a transaction the page may have changed since its row was read, and its part be removed.
  const now = await from.of(pageRows).get(draftKey(id), slug)
  if (now?.columns.part === part)
    throw new Error(`The part ${part} of a draft of ${id.siteId} is not stored.`)
  return findPage(from, id, slug)
}

/** Removes the parts of a site that no draft and no publish has. */
export async function removeUnusedParts(
  tx: Transaction,
  siteId: string,
  ofPublishes: readonly string[],
  at: string,
): Promise<void> {
  const ofDrafts = (await tx.of(partsOfDrafts).list(siteId)).flatMap(({ body }) => body.parts)
  const used = new Set([...ofPublishes, ...ofDrafts])
  const before = new Date(Date.parse(at) - unusedMs).toISOString()
  const writer = tx.of(pageParts)
  for (const { key, columns } of await writer.rows(siteId))
    if (!used.has(key) && columns.at < before) await writer.remove(siteId, key)
}
