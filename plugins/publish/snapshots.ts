import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Ids } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { defineCollection, type Store } from '../store/port.ts'
import type { SnapshotRow, Snapshots } from './port.ts'

interface Kept {
  readonly pages: readonly Page[]
  readonly siteConfig?: SiteConfig | undefined
}

const collection = defineCollection('publish_snapshots', v.custom<Kept>(() => true), {
  columns: { siteId: 'text', session: 'text', at: 'text', message: 'text', pages: 'integer', heading: 'text', likeness: 'text' },
  indexes: ['at', 'siteId'],
})

/** All snapshots lie together, since their ids alone name them. */
const scope = 'snapshots'
const keptPerDraft = 80

export function createSnapshots({ store, ids }: { readonly store: Store; readonly ids: Ids }): Snapshots {
  const reader = store.of(collection)

  const rows = async (where: { readonly siteId?: string; readonly session?: string }): Promise<readonly SnapshotRow[]> =>
    (await reader.rows(scope, { where, orderBy: 'at', descending: true })).map(({ key, columns }) => ({
      commit: key,
      siteId: columns.siteId,
      session: columns.session,
      committedAt: columns.at,
      message: columns.message,
      pageCount: columns.pages,
      homeHeading: columns.heading,
      likeness: columns.likeness,
    }))

  const content = async (row: SnapshotRow | undefined): Promise<SiteContent | undefined> => row && (await reader.get(scope, row.commit))?.body

  return {
    async keep({ siteId, session }, key, { pages, siteConfig }, at) {
      const commit = createHash('sha1').update(ids.uuid()).digest('hex')
      const likeness = createHash('sha1').update(JSON.stringify([siteId, session, homeHeading(pages), pages.map(({ slug }) => slug)])).digest('hex')
      const columns = { siteId, session, at, message: `publish: session ${key} ${at}`, pages: pages.length, heading: homeHeading(pages), likeness }
      await store.transaction(async (tx) => {
        const writer = tx.of(collection)
        await writer.put(scope, commit, { body: { pages, ...(siteConfig && { siteConfig }) }, columns })
        const older = await writer.rows(scope, { where: { siteId, session }, orderBy: 'at', descending: true })
        for (const { key } of older.slice(keptPerDraft)) await writer.remove(scope, key)
      })
      return commit
    },
    list: (siteId) => rows(siteId === undefined ? {} : { siteId }),
    async find(prefix) {
      const all = await rows({})
      const [row, second] = all.filter(({ commit }) => commit.startsWith(prefix))
      if (!row) return undefined
      if (second) return 'ambiguous'
      const found = await content(row)
      return found && { row, content: found }
    },
    remove: (commit) => store.transaction(async (tx) => tx.of(collection).remove(scope, commit)),
    newest: async ({ siteId, session }) => content((await rows({ siteId, session }))[0]),
    newestOfSite: async (siteId) => content((await rows({ siteId }))[0]),
  }
}

function homeHeading(pages: readonly Page[]): string {
  const hero = pages.find(({ slug }) => slug === '/')?.blocks.find(({ type }) => type === 'Hero')
  const heading = hero?.props['heading']
  return typeof heading === 'string' && heading !== '' ? heading : '(no heading)'
}
