import { createHash } from 'node:crypto'
import type { Ids } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import type { Page } from '../content/page.ts'
import { bytesWithPages, pageBytes } from '../content/page-bytes.ts'
import { home } from '../content/slugs.ts'
import { type ColumnValues, defineCollection, type Row, type Store, trusted } from '../store/port.ts'
import type { SnapshotRow, Snapshots } from './port.ts'
import type { StoredContent } from './snapshot.ts'

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

export const snapshotRows = defineCollection('publish_snapshots', trusted<SiteContent>(), {
  columns,
  indexes: ['number', 'siteId'],
})

/** All snapshots share a scope, because they are identified by their ids only. */
const scope = 'snapshots'
const maxPerDraft = 80
const newestFirst = { orderBy: 'number', descending: true } as const

/** Creates the store of published snapshots. */
export function createSnapshots({ store, ids }: { readonly store: Store; readonly ids: Ids }): Snapshots {
  const reader = store.of(snapshotRows)
  const newestCommit: Snapshots['newestCommit'] = async ({ siteId, session }) => {
    const where = { siteId, ...(session !== undefined && { session }) }
    const [row] = await reader.rows(scope, { ...newestFirst, where, limit: 1 })
    return row && row.columns.number > 0 ? row.key : undefined
  }

  const stored = async (commit: string): Promise<StoredContent | undefined> => {
    const found = await reader.get(scope, commit)
    if (!found) return undefined
    const { siteId, session, at } = found.columns
    return { id: { siteId, session }, content: found.body, at }
  }

  return {
    async keep(id, key, content, at, { publishId = ids.uuid(), before } = {}) {
      const { siteId, session } = id
      const commit = commitOf(publishId)
      await store.transaction(async (tx) => {
        const writer = tx.of(snapshotRows)
        const [last] = await writer.rows(scope, { ...newestFirst, limit: 1 })
        let number = last?.columns.number ?? 0
        const put = (commit: string, content: SiteContent, kind = '') => {
          const message = `${kind}publish: session ${key} ${at}`
          const columns = { siteId, session, number: ++number, at, message, removed: 0 }
          return writer.put(scope, commit, toDocument(content, columns, kind))
        }
        const [newest] = await writer.rows(scope, { ...newestFirst, where: { siteId }, limit: 1 })
        const isFirst = (newest?.columns.number ?? 0) === 0
        if (isFirst && before && before.pages.length > 0)
          await put(sha1(ids.uuid()), before, 'before the first ')
        await put(commit, content)
        const ofDraft = await writer.rows(scope, { ...newestFirst, where: { siteId, session } })
        const done = ofDraft.filter(({ columns }, at) => at >= maxPerDraft || columns.removed === 1)
        for (const { key: old } of done) await writer.remove(scope, old)
      })
      return commit
    },
    async keepAhead({ siteId, session }, content, { publishId, at }) {
      const document = toDocument(content, { siteId, session, number: 0, at, message: '', removed: 1 })
      await store.transaction((tx) => tx.of(snapshotRows).put(scope, commitOf(publishId), document))
    },
    async dropAhead(publishId) {
      await store.transaction((tx) => tx.of(snapshotRows).remove(scope, commitOf(publishId)))
    },
    async ahead({ siteId, session }) {
      const where = { siteId, session }
      const [row] = await reader.rows(scope, { where, orderBy: 'number', limit: 1 })
      return row?.columns.number === 0 ? stored(row.key) : undefined
    },
    async sentBy(siteId, publishId) {
      const found = await stored(commitOf(publishId))
      return found?.id.siteId === siteId ? found : undefined
    },
    async list(siteId) {
      const rows = await reader.rows(scope, {
        ...newestFirst,
        where: { removed: 0, ...(siteId !== undefined && { siteId }) },
      })
      return rows.map(toSnapshotRow)
    },
    async find(prefix, siteId) {
      const wanted = prefix.trim().toLowerCase()
      const exact = await reader.get(scope, wanted)
      if (exact) {
        const { columns, body } = exact
        const isMeant = columns.removed === 0 && (siteId === undefined || columns.siteId === siteId)
        return isMeant ? { row: toSnapshotRow(exact), content: body } : undefined
      }
      const where = { removed: 0, ...(siteId !== undefined && { siteId }) }
      const next = await reader.rows(scope, { where, after: wanted, limit: 2 })
      const [found, another] = next.filter(({ key }) => key.startsWith(wanted))
      if (another) return 'ambiguous'
      const document = found && (await reader.get(scope, found.key))
      return document && { row: toSnapshotRow(document), content: document.body }
    },
    remove: (commit) =>
      store.transaction(async (tx) => {
        const writer = tx.of(snapshotRows)
        const found = await writer.get(scope, commit)
        if (!found || found.columns.removed === 1) return false
        const { siteId, session } = found.columns
        const [newest] = await writer.rows(scope, { ...newestFirst, where: { siteId, session }, limit: 1 })
        if (newest?.key !== commit) return writer.remove(scope, commit)
        await writer.put(scope, commit, {
          body: found.body,
          json: found.bytes,
          columns: { ...found.columns, removed: 1 },
        })
        return true
      }),
    newestCommit,
    async newest(of) {
      const commit = await newestCommit(of)
      return commit === undefined ? undefined : (await reader.get(scope, commit))?.body
    },
  }
}

function toDocument(
  { pages, siteConfig }: SiteContent,
  details: Omit<ColumnValues<typeof columns>, 'pages' | 'heading' | 'likeness'>,
  kind = '',
) {
  const heading = homeHeading(pages)
  const like = [details.siteId, heading, pages.map(({ slug }) => slug), ...(kind === '' ? [] : [kind])]
  const likeness = sha1(JSON.stringify(like))
  return {
    body: { pages, siteConfig },
    json: bytesWithPages(pages.map(pageBytes), { siteConfig }),
    columns: { ...details, pages: pages.length, heading, likeness },
  }
}

function toSnapshotRow({ key: commit, columns: row }: Row<typeof columns>): SnapshotRow {
  const { siteId, session, at: committedAt, message, pages: pageCount, heading: homeHeading, likeness } = row
  return { commit, siteId, session, committedAt, message, pageCount, homeHeading, likeness }
}

/** The id of the snapshot of a publish. */
const commitOf = (publishId: string): string => sha1(publishId)
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

function homeHeading(pages: readonly Page[]): string {
  const hero = pages.find(({ slug }) => slug === home)?.blocks.find(({ type }) => type === 'Hero')
  const heading = hero?.props['heading']
  return typeof heading === 'string' && heading !== '' ? heading : '(no heading)'
}
