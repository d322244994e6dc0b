import * as v from 'valibot'
import { defineRoutes, gates } from '../../../kernel/index.ts'
import { limitQuery } from '../../content/limit.ts'
import { changeFields, changeHeaders, changeRefusals, newDraftRefusals } from '../../draft/port.ts'
import { ambiguousSnapshot, Commit, unknownSnapshot } from '../port.ts'
import { SiteId } from '../../scope/port.ts'

const path = '/restore/snapshot'

const ListQuery = v.object({ limit: limitQuery(30, 80), siteId: SiteId })
/** Newest first. */
const SnapshotList = v.object({
  snapshots: v.array(
    v.object({
      commit: v.string(),
      committedAt: v.string(),
      message: v.string(),
      pageCount: v.number(),
      homeHeading: v.string(),
    }),
  ),
})

const RestoreBody = v.object({ commit: Commit, ...changeFields })
const Restored = v.object({
  status: v.literal('restored'),
  commit: v.string(),
  session: v.string(),
  scopedSession: v.string(),
  slugs: v.array(v.string()),
  previewVersion: v.number(),
})
const DeleteBody = v.object({ commit: Commit })
const Deleted = v.object({ status: v.literal('deleted'), commit: v.string() })

export const routes = defineRoutes({
  list: {
    method: 'GET',
    path: '/restore/snapshots',
    gate: gates.access,
    sites: 'own',
    summary: 'Lists the snapshots of earlier publishes, newest first.',
    query: ListQuery,
    internal: true,
    replies: { 200: SnapshotList },
  },
  restore: {
    method: 'POST',
    path,
    gate: gates.access,
    summary: 'Replaces a draft by a snapshot.',
    headers: changeHeaders,
    body: RestoreBody,
    internal: true,
    replies: { 200: Restored },
    refusals: [unknownSnapshot, ambiguousSnapshot, ...changeRefusals, ...newDraftRefusals],
  },
  remove: {
    method: 'DELETE',
    path,
    gate: gates.access,
    can: 'admin',
    summary: 'Deletes a snapshot.',
    body: DeleteBody,
    internal: true,
    replies: { 200: Deleted },
    refusals: [unknownSnapshot, ambiguousSnapshot],
  },
})
