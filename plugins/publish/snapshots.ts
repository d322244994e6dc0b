import { createHash } from 'node:crypto'
import type { Ids } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import type { Page } from '../content/page.ts'
import { bytesWithPages, pageBytes } from '../content/page-bytes.ts'
import { home } from '../content/slugs.ts'
import { defineCollection, type Row, type Store, trusted } from '../store/port.ts'
import type { SnapshotRow, Snapshots } from './port.ts'

const columns = {
  siteId: 'text',
  session: 'text',
  /** The number of the snapshot: two may have the same millisecond. */
  number: 'integer',
  at: 'text',
  message: 'text',
  pages: 'integer',
  heading: 'text',
  likeness: 'text',
  /** 1 for a removed snapshot that is still the baseline: it is hidden, and deleted by the next publish. */
  removed: 'integer',
} as const

const collection = defineCollection('publish_snapshots', trusted<SiteContent>(), {
  columns,
  indexes: ['number', 'siteId'],
})

/** All snapshots share a scope, because they are identified by their ids only. */
const scope = 'snapshots'
const keptPerDraft = 80
const newestFirst = { orderBy: 'number', descending: true } as const

/** Creates the store of published snapshots. */
export function createSnapshots({ store, ids }: { readonly store: Store; readonly ids: Ids }): Snapshots {
  const reader = store.of(collection)
  const newestCommit: Snapshots['newestCommit'] = async ({ siteId, session }) => {
    const where = { siteId, ...(session !== undefined && { session }) }
    const [row] = await reader.rows(scope, { ...newestFirst, where, limit: 1 })
    return row?.key
  }

  return {
    async keep({ siteId, session }, key, content, at, before) {
      const commit = sha1(ids.uuid())
      await store.transaction(async (tx) => {
        const writer = tx.of(collection)
        const [last] = await writer.rows(scope, { ...newestFirst, limit: 1 })
        let number = last?.columns.number ?? 0
        const put = (commit: string, { pages, siteConfig }: SiteContent, kind = '') => {
          const heading = homeHeading(pages)
          const like = [siteId, heading, pages.map(({ slug }) => slug), ...(kind === '' ? [] : [kind])]
          number += 1
          return writer.put(scope, commit, {
            body: { pages, siteConfig },
            json: bytesWithPages(pages.map(pageBytes), { siteConfig }),
            columns: {
              siteId,
              session,
              number,
              at,
              message: `${kind}publish: session ${key} ${at}`,
              pages: pages.length,
              heading,
              likeness: sha1(JSON.stringify(like)),
              removed: 0,
            },
          })
        }
        const isFirst = (await writer.rows(scope, { where: { siteId }, limit: 1 })).length === 0
        if (isFirst && before && before.pages.length > 0)
          await put(sha1(ids.uuid()), before, 'before the first ')
        await put(commit, content)
        const ofDraft = await writer.rows(scope, { ...newestFirst, where: { siteId, session } })
        const done = ofDraft.filter(({ columns }, at) => at >= keptPerDraft || columns.removed === 1)
        for (const { key: old } of done) await writer.remove(scope, old)
      })
      return commit
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
        const writer = tx.of(collection)
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

function toSnapshotRow({ key: commit, columns: row }: Row<typeof columns>): SnapshotRow {
  const { siteId, session, at: committedAt, message, pages: pageCount, heading: homeHeading, likeness } = row
  return { commit, siteId, session, committedAt, message, pageCount, homeHeading, likeness }
}

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

function homeHeading(pages: readonly Page[]): string {
  const hero = pages.find(({ slug }) => slug === home)?.blocks.find(({ type }) => type === 'Hero')
  const heading = hero?.props['heading']
  return typeof heading === 'string' && heading !== '' ? heading : '(no heading)'
}
