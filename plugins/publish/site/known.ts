import type { SiteContent } from '../../content/adapter.ts'
import type { Page, SiteConfig } from '../../content/page.ts'
import { sameJson } from '../../content/plain-object.ts'
import { defineCollection, trusted, type Store, type Transaction } from '../../store/port.ts'

/** A part of a site whose answer may show one of the forms instead of what is known. */
interface Meant<T> {
  readonly known: T
  readonly forms: readonly T[]
  /** The publish whose deployment shows the forms until it has ended; without one they stay. */
  readonly until?: Deployment | undefined
  /** What was known before that publish: it holds again if the deployment fails. */
  readonly before?: T | undefined
}

/** A publish that was started and may still fail. */
export interface Deployment {
  readonly session: string
  readonly publishId: string
  /** ISO time of the publish. */
  readonly at: string
}

/** What is known of a site, where its answer shows something else. */
export interface Known {
  readonly pages: ReadonlyMap<string, Meant<Page | null>>
  readonly config?: Meant<SiteConfig> | undefined
  readonly order?: Meant<readonly string[]> | undefined
  /** The number of pages of its last answer; `undefined` for a site that was never read. */
  readonly pageCount?: number | undefined
  /** What was sent to a site that could not be read: its next answer may show what it had before. */
  readonly unseen?: { readonly sent: SiteContent; readonly until: Deployment } | undefined
  /** Grows with every change of this record. */
  readonly edition: number
}

type Row =
  | { readonly page: Meant<Page | null> }
  | { readonly config: Meant<SiteConfig> }
  | { readonly order: Meant<readonly string[]> }
  | { readonly unseen: NonNullable<Known['unseen']> }
  | Pick<Known, 'pageCount' | 'edition'>

export const knownContent = defineCollection('publish_known', trusted<Row>(), { columns: {} })
const nothing: Known = { pages: new Map(), edition: 0 }
const keyOf = (slug: string): string => `page ${slug}`

/** Reads what is known of a source of published content. */
export async function readKnown(store: Store | Transaction, key: string): Promise<Known> {
  const rows = await store.of(knownContent).list(key)
  const pages = new Map<string, Meant<Page | null>>()
  let known: Known = nothing
  for (const { key: name, body } of rows) {
    if ('page' in body) pages.set(name.slice(keyOf('').length), body.page)
    else known = { ...known, ...body }
  }
  return { ...known, pages }
}

/** Returns the edition of the record. */
export async function editionOf(tx: Store | Transaction, key: string): Promise<number> {
  const row = (await tx.of(knownContent).get(key, 'site'))?.body
  return row && 'edition' in row ? row.edition : 0
}

/** Writes what differs from the record that was read; returns its edition, `undefined` if it was changed since. */
export async function writeKnown(
  tx: Transaction,
  key: string,
  before: Known,
  after: Omit<Known, 'edition'>,
): Promise<number | undefined> {
  if ((await editionOf(tx, key)) !== before.edition) return undefined
  const [old, now] = [rowsOf(before), rowsOf(after)]
  const writer = tx.of(knownContent)
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const body = now.get(name)
    if (sameJson(old.get(name), body)) continue
    if (body) await writer.put(key, name, { body, columns: {} })
    else await writer.remove(key, name)
  }
  const edition = before.edition + 1
  await writer.put(key, 'site', { body: { pageCount: after.pageCount, edition }, columns: {} })
  return edition
}

/** Whether two records have the same content. */
export const isSameKnown = (a: Known, b: Known): boolean =>
  a === b || sameJson([...rowsOf(a)].toSorted(byName), [...rowsOf(b)].toSorted(byName))

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

function rowsOf({
  pages,
  config,
  order,
  unseen,
  pageCount,
}: Omit<Known, 'edition'>): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>([...pages].map(([slug, page]) => [keyOf(slug), { page }]))
  if (config) rows.set('config', { config })
  if (order) rows.set('order', { order })
  if (unseen) rows.set('unseen', { unseen })
  rows.set('site', { pageCount, edition: 0 })
  return rows
}
