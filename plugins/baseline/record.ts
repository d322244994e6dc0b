import { LRUCache } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { pushTo, sameJson } from '../content/plain-object.ts'
import { toOrigin } from '../outbound/port.ts'
import { defineCollection, trusted, type Store, type Transaction } from '../store/port.ts'

/** A part of a site whose answer may show one of the forms instead of what is known. */
export interface Meant<T> {
  readonly known: T
  readonly forms: readonly T[]
  /** The publish whose deployment shows the forms until it has ended; without one they stay. */
  readonly until?: Deployment | undefined
  /** What was known before that publish: it holds again if the deployment fails. */
  readonly before?: T | undefined
  /** The publishes before that one that may still fail as well, the newest first. */
  readonly earlier?: readonly Pending<T>[] | undefined
  /** What publishes of the last time have replaced: an answer that is behind shows it again. */
  readonly former?: readonly Former<T>[] | undefined
}

/** A publish that may still fail, with what was known before it. */
export interface Pending<T> {
  readonly until: Deployment
  readonly before: T
}

/** What a publish has replaced. */
export interface Former<T> {
  /** ISO time of the publish. */
  readonly at: string
  readonly value: T
}

/** A publish that was started and may still fail. */
export interface Deployment {
  readonly session: string
  readonly publishId: string
  /** ISO time of the publish. */
  readonly at: string
}

/** What is known of a site, where its answer shows something else. */
export interface StoredBaseline {
  /** By the names of `known-pages.ts`, which the order has as well. */
  readonly pages: ReadonlyMap<string, Meant<Page | null>>
  readonly config?: Meant<SiteConfig | undefined> | undefined
  readonly order?: Meant<readonly string[]> | undefined
  /**
   * With an order: the names of pages by their ids, as those that only the order has may get other addresses.
   */
  readonly ids?: Readonly<Record<string, string>> | undefined
  /** The number of pages of its last answer; `undefined` for a site that was never read. */
  readonly pageCount?: number | undefined
  /** What was sent to a site that could not be read: its next answer may show what it had before. */
  readonly unseen?: { readonly sent: SiteContent; readonly until: Deployment } | undefined
  /** Grows with every change of this record. */
  readonly edition: number
}

type SiteRecord =
  | { readonly page: Meant<Page | null> }
  | { readonly config: Meant<SiteConfig | undefined> }
  | { readonly order: Meant<readonly string[]>; readonly ids?: StoredBaseline['ids'] }
  | { readonly unseen: NonNullable<StoredBaseline['unseen']> }
  | Pick<StoredBaseline, 'pageCount' | 'edition'>

/** Returns what a part is, and then what it may be shown as. */
export const statesOf = <T>({ known, forms, former = [] }: Meant<T>): readonly [T, ...T[]] => [
  known,
  ...forms,
  ...former.map(({ value }) => value),
]

/** Returns a part with each of its states as another one. */
export function eachState<T>(
  { known, forms, before, earlier, former, ...row }: Meant<T>,
  after: (state: T) => T,
): Meant<T> {
  return {
    ...row,
    known: after(known),
    forms: forms.map(after),
    ...(before !== undefined && { before: after(before) }),
    ...(earlier && { earlier: earlier.map(({ until, before }) => ({ until, before: after(before) })) }),
    ...(former && { former: former.map(({ at, value }) => ({ at, value: after(value) })) }),
  }
}

/** The values that a site may show: by slug, and of the site config. */
export interface SiteForms {
  readonly pages: ReadonlyMap<string, readonly Page[]>
  readonly siteConfigs: readonly SiteConfig[]
}

/** What a site may show instead of what is known; of a page, under its address in that and the known one. */
export function formsOf({ pages, config }: StoredBaseline): SiteForms {
  const byAddress = new Map<string, Page[]>()
  for (const row of pages.values())
    for (const page of statesOf(row).slice(1))
      for (const slug of new Set([page?.slug, row.known?.slug]))
        if (page && slug !== undefined) pushTo(byAddress, slug, page)
  return {
    pages: byAddress,
    siteConfigs: (config ? statesOf(config).slice(1) : []).filter((form) => form !== undefined),
  }
}

export const siteRecords = defineCollection('publish_known', trusted<SiteRecord>(), { columns: {} })
const nothing: StoredBaseline = { pages: new Map(), edition: 0 }
const recordKey = (name: string): string => `page ${name}`

/** The names of sources of published content. */
export const sourceNames = { adapter: 'adapter', at: (origin: string): string => `site ${origin}` } as const

/** Returns the key of what is known of a source of a site. */
export const sourceKey = (siteId: string, name: string): string => JSON.stringify([siteId, name])

/** The least number of pages of a site that is not followed when it loses more than half of them. */
const fewPages = 4

/** Whether a site has lost so many pages since its last read that it is not followed by itself. */
export const hasShrunk = (before = 0, now: number): boolean =>
  before > 0 && (now === 0 || (before >= fewPages && now < before / 2))

/** The most sites, and pages of these, of which what is known is held. */
const [mostSites, mostPages] = [50, 5_000]

/**
 * Creates the records of sites: what this process has read or written last is held, as long as it has the
 * edition of the stored one.
 */
export function createSiteRecords(store: Store) {
  const held = new LRUCache<string, StoredBaseline>({
    max: mostSites,
    maxSize: mostPages,
    sizeCalculation: ({ pages }) => 1 + pages.size,
  })
  const hold = (key: string, record: StoredBaseline): StoredBaseline => {
    held.set(key, record)
    return record
  }
  return {
    async read(key: string): Promise<StoredBaseline> {
      const last = held.get(key)
      const { edition, pageCount } = last ? await factsIn(store, key) : nothing
      if (last && last.edition === edition) return { ...last, pageCount }
      return hold(key, await readSiteRecord(store, key))
    },
    /**
     * Writes what differs from the record that was read, and returns the record then; `undefined` if it was
     * changed since.
     */
    async write(
      key: string,
      before: StoredBaseline,
      after: SiteFacts,
      changes = changesBetween(before, after),
    ): Promise<StoredBaseline | undefined> {
      const edition = before.edition + 1
      const isWritten = await store.transaction(async (tx) => {
        if ((await factsIn(tx, key)).edition !== before.edition) return false
        const writer = tx.of(siteRecords)
        for (const [name, body] of changes)
          if (body) await writer.put(key, name, { body, columns: {} })
          else await writer.remove(key, name)
        await writer.put(key, 'site', { body: { pageCount: after.pageCount, edition }, columns: {} })
        return true
      })
      return isWritten ? hold(key, { ...after, edition }) : undefined
    },
  }
}

async function readSiteRecord(store: Store, key: string): Promise<StoredBaseline> {
  const rows = await store.of(siteRecords).list(key)
  const pages = new Map<string, Meant<Page | null>>()
  let record: StoredBaseline = nothing
  for (const { key: name, body } of rows) {
    if ('page' in body) pages.set(name.slice(recordKey('').length), body.page)
    else record = { ...record, ...body }
  }
  return { ...record, pages }
}

/** Reads the edition of a record, and what may change without another one. */
async function factsIn(
  reader: Store | Transaction,
  key: string,
): Promise<Pick<StoredBaseline, 'pageCount' | 'edition'>> {
  const row = (await reader.of(siteRecords).get(key, 'site'))?.body
  return row && 'edition' in row ? row : nothing
}

export const editionOf = async (reader: Store | Transaction, key: string): Promise<number> =>
  (await factsIn(reader, key)).edition

export type SiteFacts = Omit<StoredBaseline, 'edition'>

/** Returns the rows that differ, each as it is then. */
export function changesBetween(before: SiteFacts, after: SiteFacts) {
  if (before === after) return []
  const [old, now] = [recordsOf(before), recordsOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name) =>
    sameJson(old.get(name), now.get(name)) ? [] : [[name, now.get(name)] as const],
  )
}

function recordsOf(facts: SiteFacts): ReadonlyMap<string, SiteRecord> {
  const { pages, config, order, ids, unseen, pageCount } = facts
  const rows = new Map<string, SiteRecord>([...pages].map(([slug, page]) => [recordKey(slug), { page }]))
  if (config) rows.set('config', { config })
  if (order) rows.set('order', { order, ...(ids && { ids }) })
  if (unseen) rows.set('unseen', { unseen })
  rows.set('site', { pageCount, edition: 0 })
  return rows
}

/**
 * Stores how many pages a site had when a draft was filled from it, with which its next answer is compared.
 * One that has lost most of its pages since changes nothing: it is followed only when a person says so.
 */
export async function noteFill(
  tx: Transaction,
  read: { readonly siteId: string; readonly origin: string | undefined; readonly pageCount: number },
): Promise<void> {
  const { siteId, origin, pageCount } = read
  const name = origin === undefined ? sourceNames.adapter : sourceNames.at(toOrigin(origin) ?? origin)
  const key = sourceKey(siteId, name)
  const { pageCount: before, edition } = await factsIn(tx, key)
  if (before === pageCount || hasShrunk(before, pageCount)) return
  // What is known stays as it is, and with it the answers that stand for it.
  await tx.of(siteRecords).put(key, 'site', { body: { pageCount, edition }, columns: {} })
}

/** Tells whether a deployment of a site has failed; `undefined` as long as it may be under way. */
export type HasFailed = (siteId: string, deployment: Deployment) => Promise<boolean | undefined>

/** How a deployment of a session has ended. */
export interface EndedDeployment {
  readonly session: string
  readonly hasFailed: boolean
}

/** Returns the deployments of a record that have ended, by their publishes; asks for their state. */
export async function endedIn(
  record: StoredBaseline,
  siteId: string,
  hasFailed: HasFailed,
): Promise<ReadonlyMap<string, EndedDeployment>> {
  const rows = [...record.pages.values(), record.config, record.order]
  const open = new Map(rows.flatMap((row) => (row?.until ? [[row.until.publishId, row.until]] : [])))
  const ended = new Map<string, EndedDeployment>()
  for (const [publishId, deployment] of open) {
    const isFailure = await hasFailed(siteId, deployment)
    if (isFailure !== undefined) ended.set(publishId, { session: deployment.session, hasFailed: isFailure })
  }
  return ended
}
