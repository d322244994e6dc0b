import { defineRoutes, gates } from '../../kernel/index.ts'
import { changeHeaders } from '../draft/port.ts'
import { DeleteBody, Deleted, ListQuery, RestoreBody, Restored, SnapshotList } from './schemas.ts'

const path = '/restore/snapshot'

export const routes = defineRoutes({
  list: {
    method: 'GET',
    path: '/restore/snapshots',
    gate: gates.access,
    sites: 'own',
    summary: 'Lists what was published before, newest first.',
    query: ListQuery,
    internal: true,
    replies: { 200: SnapshotList },
  },
  restore: {
    method: 'POST',
    path,
    gate: gates.access,
    summary: 'Replaces a draft by what was published at one time.',
    headers: changeHeaders,
    body: RestoreBody,
    internal: true,
    replies: { 200: Restored },
    refusals: {
      400: 'unknown_snapshot, ambiguous_snapshot',
      409: 'version_mismatch',
      422: 'idempotency_key_reused',
      429: 'too_many_sessions, too_many_sites',
    },
  },
  remove: {
    method: 'DELETE',
    path,
    gate: gates.access,
    can: 'admin',
    summary: 'Deletes one kept publish.',
    body: DeleteBody,
    internal: true,
    replies: { 200: Deleted },
    refusals: { 400: 'unknown_snapshot, ambiguous_snapshot' },
  },
})
