/**
 * The pages of snapshots in parts, which the snapshots of a site share: a publish of one page stores the part
 * that has it. Whether a page begins a part depends on its slug alone, so that a page that is added or removed
 * changes no other part.
 */
import { hash } from 'node:crypto'
import { pace } from '../../kernel/index.ts'
import type { Page } from '../content/page.ts'
import { pageJson, pageText } from '../content/page-bytes.ts'
import { perObject } from '../content/plain-object.ts'
import { defineCollection, type Store, type Transaction, trusted } from '../store/port.ts'

/** The pages of a part. */
interface PageGroup {
  readonly key: string
  readonly pages: readonly Page[]
}

/** Parts under (site id, hash of the pages), each with the time of the publish that has stored it. */
export const snapshotParts = defineCollection('publish_snapshot_parts', trusted<Pick<PageGroup, 'pages'>>(), {
  columns: { at: 'text' },
})

/** A part has about 32 pages, and at most these bytes, unless it is one page. */
const [aboutPages, mostBytes] = [32, 256 * 1024]
/** The most bytes of parts that one transaction writes. */
const mostAtOnce = 4 * 1024 * 1024
/** For how long a part stays that no snapshot has: one may be about to be stored. */
const unusedMs = 60 * 60 * 1000

const digest = (value: string | Uint8Array): string => hash('sha256', value).slice(0, 40)

/** What a page is, while it is the same object. */
const factsOf = perObject((page: Page) => {
  const json = pageJson(page)
  return { digest: digest(json), size: Buffer.byteLength(json) }
})

/** Whether a page begins a part of a list of pages, as about one of so many does. */
const beginsPart = (slug: string): boolean => Number.parseInt(digest(slug).slice(0, 4), 16) % aboutPages === 0

async function partsOf(pages: readonly Page[]): Promise<readonly PageGroup[]> {
  const groups: Page[][] = []
  let size = 0
  for (const page of pages) {
    await pace()
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

/**
 * Stores the parts of a snapshot that are not stored yet, except for some that `write` stores, in the transaction
 * of the snapshot; `keys` are those of all parts.
 */
export async function prepareParts(store: Store, siteId: string, pages: readonly Page[], at: string) {
  const parts = await partsOf(pages)
  const stored = new Set((await store.of(snapshotParts).rows(siteId)).map(({ key }) => key))
  let waiting: (PageGroup & { readonly json: string })[] = []
  let bytes = 0
  const write = (some: typeof waiting) => async (tx: Transaction) => {
    for (const { key, pages, json } of some)
      await tx.of(snapshotParts).put(siteId, key, { body: { pages }, json, columns: { at } })
  }
  for (const part of parts) {
    if (stored.has(part.key)) continue
    stored.add(part.key)
    await pace()
    // A text, which the next collection of new objects takes: bytes would stay until a complete one.
    const json = `{"pages":[${part.pages.map((page) => pageText(page)).join()}]}`
    waiting.push({ ...part, json })
    bytes += Buffer.byteLength(json)
    if (bytes < mostAtOnce) continue
    await store.transaction(write(waiting))
    ;[waiting, bytes] = [[], 0]
  }
  return { keys: parts.map(({ key }) => key), write: write(waiting) }
}

/** Returns the pages of parts. Throws an Error if one is not there. */
export async function pagesIn(
  store: Store,
  siteId: string,
  keys: readonly string[],
): Promise<readonly Page[]> {
  const pages: Page[] = []
  for (const key of keys) {
    await pace()
    const part = await store.of(snapshotParts).get(siteId, key)
    if (!part) throw new Error(`The part ${key} of a snapshot of the site ${siteId} is not stored.`)
    pages.push(...part.body.pages)
  }
  return pages
}

/** Removes the parts of a site that none of the snapshots has. */
export async function removeUnused(
  tx: Transaction,
  siteId: string,
  used: ReadonlySet<string>,
  at: string,
): Promise<void> {
  const writer = tx.of(snapshotParts)
  const before = new Date(Date.parse(at) - unusedMs).toISOString()
  for (const { key, columns } of await writer.rows(siteId))
    if (!used.has(key) && columns.at < before) await writer.remove(siteId, key)
}
