import { defineRoutes, gates } from '../../kernel/index.ts'
import { changeHeaders } from '../draft/port.ts'
import { Applied, OpsBody } from './schemas.ts'

export const routes = defineRoutes({
  apply: {
    method: 'POST',
    path: '/ops',
    gate: gates.access,
    summary: 'Applies typed operations to a draft, all of them or none.',
    headers: changeHeaders,
    body: OpsBody,
    replies: { 200: Applied },
    refusals: {
      400: 'schema_violation, not_found, no_effective_change, operation_failed, planner_refusal',
      404: 'not_found',
      409: 'version_mismatch',
      413: 'too_many_operations, config_too_large, page_too_large, draft_too_large, too_many_pages',
      422: 'idempotency_key_reused',
      429: 'too_many_sessions, too_many_sites',
    },
  },
})
