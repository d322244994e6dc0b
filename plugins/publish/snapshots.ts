import { createHash } from 'node:crypto'
import type { Ids } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { home } from '../content/slugs.ts'
import { inParts, pagesInParts, putParts, putPartsAhead, removeUnusedParts } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import {
  type ColumnValues,
  defineCollection,
  type Reader,
  type Row,
  type Store,
  type Transaction,
  trusted,
} from '../store/port.ts'
import { ambiguousSnapshot, unknownSnapshot } from './refusals.ts'
import { partsOfPins } from './scheduled/scheduled.ts'

export interface SnapshotRow {
  /** 40 hexadecimal digits. */
  readonly commit: string
  readonly siteId: string
  readonly session: string
  readonly committedAt: string
  readonly message: string
  readonly pageCount: number
  readonly homeHeading: string
  /** Equal for publishes of one site with the same heading and the same pages. */
  readonly likeness: string
}

export interface Snapshot extends SnapshotRow {
  readonly content: SiteContent
}

/** A draft or, without a session, all of a site. */
type Published = Pick<DraftId, 'siteId'> & Partial<DraftId>

const columns = {
  siteId: 'text',
  session: 'text',
  /** The number of the snapshot: two may have the same millisecond. 0 for content of a publish that is under way. */
  number: 'integer',
  at: 'text',
  message: 'text',
  pages: 'integer',
  heading: 'text',
  likeness: 'text',
  /** 1 for content that is hidden, and deleted by the next publish: a removed snapshot that is still the baseline. */
  removed: 'integer',
} as const

/** What is stored of a snapshot, whose pages are in parts. */
interface StoredContent {
  readonly parts: readonly string[]
  readonly siteConfig?: SiteConfig | undefined
}

export const snapshotRows = defineCollection('publish_snapshots', trusted<StoredContent>(), {
  columns,
  indexes: ['number', 'siteId'],
})

/** All snapshots share a scope, because they are identified by their ids only. */
const scope = 'snapshots'
/** The name of the content that a site had before its first snapshot. */
const beforeFirst = 'before the first '
const maxPerDraft = 80
/** After how many snapshots parts are removed that none has any more. */
const removedEvery = 10
const newestFirst = { orderBy: 'number', descending: true } as const

/** Creates the store of what publishes have sent. */
export function createSnapshots({ store, ids }: { readonly store: Store; readonly ids: Ids }) {
  const reader = store.of(snapshotRows)
  const stored = async (commit: string): Promise<Snapshot | undefined> => {
    const found = await reader.get(scope, commit)
    if (!found) return undefined
    return { ...toSnapshotRow(found), content: await contentOf(store, found.columns.siteId, found.body) }
  }
  const newestCommit = async ({ siteId, session }: Published): Promise<string | undefined> => {
    const where = { siteId, ...(session !== undefined && { session }) }
    const [row] = await reader.rows(scope, { ...newestFirst, where, limit: 1 })
    return row && row.columns.number > 0 ? row.key : undefined
  }

  return {
    /**
     * Stores a snapshot and returns its id. Keeps only the newest 80 snapshots of a draft. The first one of a
     * site has that of `before`, what was published until then, before it.
     */
    async keep(
      { siteId, session }: DraftId,
      key: string,
      content: SiteContent,
      at: string,
      details: { readonly before?: SiteContent | undefined; readonly publishId?: string } = {},
    ): Promise<string> {
      const { publishId = ids.uuid(), before } = details
      const commit = commitOf(publishId)
      const isFirst = before && before.pages.length > 0 && (await isFirstOf(reader, siteId))
      const putBefore = isFirst ? await prepared(store, siteId, before, at) : undefined
      const put = await prepared(store, siteId, content, at)
      await store.transaction(async (tx) => {
        const writer = tx.of(snapshotRows)
        const [last] = await writer.rows(scope, { ...newestFirst, limit: 1 })
        let number = last?.columns.number ?? 0
        const message = `publish: session ${key} ${at}`
        if (putBefore && (await isFirstOf(writer, siteId))) {
          const details = { session, number: ++number, message: `${beforeFirst}${message}`, removed: 0 }
          await putBefore(tx, sha1(ids.uuid()), details, [beforeFirst])
        }
        await put(tx, commit, { session, number: ++number, message, removed: 0 })
        await removeOld(tx, { siteId, session }, { number, at })
      })
      return commit
    },
    /** Stores what a publish is about to send; `keep` makes it a snapshot. */
    async keepAhead(
      { siteId, session }: DraftId,
      content: SiteContent,
      { publishId, at }: { readonly publishId: string; readonly at: string },
    ): Promise<void> {
      const put = await prepared(store, siteId, content, at)
      const details = { session, number: 0, message: '', removed: 1 }
      await store.transaction((tx) => put(tx, commitOf(publishId), details))
    },
    /** Removes what was stored ahead of a publish that failed. */
    async dropAhead(publishId: string): Promise<void> {
      await store.transaction((tx) => tx.of(snapshotRows).remove(scope, commitOf(publishId)))
    },
    /** Returns what a draft is about to publish, stored by `keepAhead`. */
    async ahead({ siteId, session }: DraftId): Promise<Snapshot | undefined> {
      const where = { siteId, session }
      const [row] = await reader.rows(scope, { where, orderBy: 'number', limit: 1 })
      return row?.columns.number === 0 ? stored(row.key) : undefined
    },
    /** Returns what a publish of a site has sent, or is about to send, as long as it is stored. */
    async sentBy(siteId: string, publishId: string): Promise<Snapshot | undefined> {
      const found = await stored(commitOf(publishId))
      return found?.siteId === siteId ? found : undefined
    },
    /** Returns the snapshots of one site, or of all, newest first. */
    async list(siteId?: string): Promise<readonly SnapshotRow[]> {
      const where = { removed: 0, ...(siteId !== undefined && { siteId }) }
      return (await reader.rows(scope, { ...newestFirst, where })).map(toSnapshotRow)
    },
    /** Returns the snapshot with this complete id. */
    stored,
    /** Finds a snapshot, of a site, by the start of its id; `ambiguous` if there are several. */
    async find(prefix: string, siteId?: string): Promise<Snapshot | 'ambiguous' | undefined> {
      const [found, another] = await commitsOf(store, prefix.trim().toLowerCase(), siteId)
      if (another !== undefined) return 'ambiguous'
      return found === undefined ? undefined : stored(found)
    },
    /** Removes a snapshot by its complete id; the newest content stays until the next publish. */
    remove: (commit: string): Promise<void> => store.transaction((tx) => removeIn(tx, commit)),
    /** Returns the id of the newest publish of a draft or, without a session, of a site. */
    newestCommit,
    /** Returns the content of that publish. */
    async newest(of: Published): Promise<SiteContent | undefined> {
      const commit = await newestCommit(of)
      return commit === undefined ? undefined : (await stored(commit))?.content
    },
  }
}

const contentOf = async (
  store: Store,
  siteId: string,
  { parts, siteConfig }: StoredContent,
): Promise<SiteContent> => ({ pages: await pagesInParts(store, siteId, parts), siteConfig })

/** Returns the ids of up to two snapshots that begin with a text; of a complete id that one alone. */
async function commitsOf(store: Store, wanted: string, siteId?: string): Promise<readonly string[]> {
  const reader = store.of(snapshotRows)
  const where = { removed: 0, ...(siteId !== undefined && { siteId }) }
  const exact = await reader.get(scope, wanted)
  const rows = exact ? [exact] : await reader.rows(scope, { where, after: wanted, limit: 2 })
  const isMeant = ({ key, columns: row }: Row<typeof columns>): boolean =>
    key.startsWith(wanted) && row.removed === 0 && row.siteId === (siteId ?? row.siteId)
  return rows.filter(isMeant).map(({ key }) => key)
}

/** Removes what a draft has beyond its newest snapshots, and now and then what none has any more. */
async function removeOld(
  tx: Transaction,
  { siteId, session }: DraftId,
  { number, at }: { readonly number: number; readonly at: string },
): Promise<void> {
  const writer = tx.of(snapshotRows)
  const ofDraft = await writer.rows(scope, { ...newestFirst, where: { siteId, session } })
  const done = ofDraft.filter(({ columns }, newer) => newer >= maxPerDraft || columns.removed === 1)
  for (const { key: old } of done) await writer.remove(scope, old)
  if (done.length === 0 && number % removedEvery > 0) return
  const left = await writer.list(scope, { where: { siteId } })
  const used = [...left.flatMap(({ body }) => body.parts), ...(await partsOfPins(tx, siteId))]
  await removeUnusedParts(tx, siteId, used, at)
}

async function removeIn(tx: Transaction, commit: string): Promise<void> {
  const writer = tx.of(snapshotRows)
  const found = await writer.get(scope, commit)
  if (!found || found.columns.removed === 1) return
  const { siteId, session } = found.columns
  const [newest] = await writer.rows(scope, { ...newestFirst, where: { siteId, session }, limit: 1 })
  if (newest?.key !== commit) return void (await writer.remove(scope, commit))
  const columns = { ...found.columns, removed: 1 }
  await writer.put(scope, commit, { body: found.body, json: found.bytes, columns })
}

/** What publishes have sent, and what a site had before the first one. */
export type Snapshots = ReturnType<typeof createSnapshots>

/**
 * Finds the snapshot of a commit; with `siteId`, only a snapshot of that site. Refuses with 400
 * `unknown_snapshot` and `ambiguous_snapshot`.
 */
export async function findSnapshot(snapshots: Pick<Snapshots, 'find'>, commit: string, siteId?: string) {
  const found = await snapshots.find(commit, siteId)
  if (found === 'ambiguous') throw ambiguousSnapshot(commit.trim())
  if (!found) throw unknownSnapshot(commit.trim())
  return found
}

/** Stores the parts of content, and returns what writes its snapshot. */
async function prepared(store: Store, siteId: string, { pages, siteConfig }: SiteContent, at: string) {
  const parts = await inParts(pages)
  await putPartsAhead(store, siteId, parts, at)
  return async (tx: Transaction, commit: string, details: SnapshotDetails, kind: readonly string[] = []) => {
    const heading = homeHeading(pages)
    const likeness = sha1(JSON.stringify([siteId, heading, pages.map(({ slug }) => slug), ...kind]))
    const columns = { siteId, ...details, at, pages: pages.length, heading, likeness }
    await putParts(tx, siteId, parts, at)
    const body = { parts: parts.map(({ key }) => key), siteConfig }
    await tx.of(snapshotRows).put(scope, commit, { body, columns })
  }
}
type SnapshotDetails = Pick<ColumnValues<typeof columns>, 'session' | 'number' | 'message' | 'removed'>

async function isFirstOf(
  rows: Pick<Reader<StoredContent, typeof columns>, 'rows'>,
  siteId: string,
): Promise<boolean> {
  const [newest] = await rows.rows(scope, { ...newestFirst, where: { siteId }, limit: 1 })
  return (newest?.columns.number ?? 0) === 0
}

function toSnapshotRow({ key: commit, columns: row }: Row<typeof columns>): SnapshotRow {
  const { siteId, session, at: committedAt, message, pages: pageCount, heading: homeHeading, likeness } = row
  return { commit, siteId, session, committedAt, message, pageCount, homeHeading, likeness }
}

const commitOf = (publishId: string): string => sha1(publishId)
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

function homeHeading(pages: readonly Page[]): string {
  const hero = pages.find(({ slug }) => slug === home)?.blocks.find(({ type }) => type === 'Hero')
  const heading = hero?.props['heading']
  return typeof heading === 'string' && heading !== '' ? heading : '(no heading)'
}
