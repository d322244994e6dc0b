import { definePlugin } from '../../kernel/index.ts'
import type { Page } from '../content/page.ts'
import { drafts, toCommitContext, type Committed } from '../draft/port.ts'
import { snapshots, type Snapshots } from '../publish/port.ts'
import { scope } from '../scope/port.ts'
import { ambiguousSnapshot, unknownSnapshot } from './refusals.ts'
import { routes } from './routes.ts'

const shown = (commit: string): string => commit.slice(0, 7)

/** Goes back to what was published at an earlier time. */
export default definePlugin({
  name: 'restore',
  tag: 'Restore',
  needs: { snapshots, drafts, scope },
  routes,
}).setup(({ needs: { snapshots, drafts, scope } }) => ({
  handlers: {
    async list({ query }) {
      const rows = await snapshots.list(query.siteId === undefined ? undefined : scope.siteId(query.siteId))
      const newestOfEach = [...new Map(rows.toReversed().map((row) => [row.likeness, row])).values()].toSorted((a, b) => (a.committedAt < b.committedAt ? 1 : -1))
      return { status: 200, body: { snapshots: newestOfEach.slice(0, query.limit).map(({ commit, ...row }) => ({ ...row, commit: shown(commit) })) } }
    },
    async restore(call) {
      const id = scope.draft(call.body)
      const { row, content } = await findOne(snapshots, call.body.commit)
      const pages = new Map<string, Page | undefined>(content.pages.map((page) => [page.slug, page]))
      const edit = { kind: 'pages', pages, exactly: true, source: 'restore', undo: 'all', marksRestored: true, summary: `Restored the publish of ${row.committedAt}` } as const
      const toAnswer = ({ previewVersion, slugs = [] }: Committed) => ({ previewVersion, slugs: [...slugs] })
      const { previewVersion, slugs } = await drafts.commit({ id, edit, ...toCommitContext('/restore/snapshot', call, call.body.baseVersion) }, toAnswer)
      return { status: 200, body: { status: 'restored', commit: shown(row.commit), session: id.session, scopedSession: scope.key(id), slugs, previewVersion } }
    },
    async remove({ body }) {
      const { row } = await findOne(snapshots, body.commit)
      await snapshots.remove(row.commit)
      return { status: 200, body: { status: 'deleted', commit: body.commit } }
    },
  },
}))

async function findOne(snapshots: Snapshots, commit: string) {
  const found = await snapshots.find(commit)
  if (found === undefined) throw unknownSnapshot(commit)
  if (found === 'ambiguous') throw ambiguousSnapshot(commit)
  return found
}
