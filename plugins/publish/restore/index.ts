import { definePlugin } from '../../../kernel/index.ts'
import { drafts, toCommitContext } from '../../draft/port.ts'
import { findSnapshot, type SnapshotRow, snapshots } from '../port.ts'
import { scope } from '../../scope/port.ts'
import { routes } from './routes.ts'

/** Restores earlier publishes. */
export default definePlugin({
  name: 'publish-restore',
  tag: 'Restore',
  needs: { snapshots, drafts, scope },
  routes,
}).setup(({ needs: { snapshots, drafts, scope } }) => ({
  handlers: {
    async list({ query, caller: { limits } }) {
      const siteId = query.siteId === undefined ? limits?.site : scope.siteId(query.siteId)
      const rows = await snapshots.list(siteId)
      const shown = newestOfEach(rows).slice(0, query.limit)
      return { status: 200, body: { snapshots: shown.map((row) => ({ ...row, commit: shortId(row) })) } }
    },
    async restore(call) {
      const id = scope.draft(call.body)
      const { content, ...row } = await findSnapshot(snapshots, call.body.commit, id.siteId)
      const edit = {
        kind: 'pages',
        pages: new Map(content.pages.map((page) => [page.slug, page])),
        source: 'restore',
        summary: `Restored the publish of ${row.committedAt}`,
      } as const
      const request = { id, edit, ...toCommitContext('/restore/snapshot', call, call.body.baseVersion) }
      const previewVersion = await drafts.commit(request, (committed) => committed.previewVersion)
      return {
        status: 200,
        body: {
          status: 'restored',
          commit: shortId(row),
          session: id.session,
          scopedSession: scope.key(id),
          slugs: (await drafts.rows(id)).map(({ slug }) => slug),
          previewVersion,
        },
      }
    },
    async remove({ body, caller: { limits } }) {
      const { commit } = await findSnapshot(snapshots, body.commit, limits?.site)
      await snapshots.remove(commit)
      return { status: 200, body: { status: 'deleted', commit: body.commit } }
    },
  },
}))

const shortId = ({ commit }: SnapshotRow): string => commit.slice(0, 7)

/** Keeps only the newest of snapshots that appear the same in a list. */
function newestOfEach(rows: readonly SnapshotRow[]): readonly SnapshotRow[] {
  const seen = new Set<string>()
  return rows.filter(({ likeness }) => !seen.has(likeness) && seen.add(likeness))
}
