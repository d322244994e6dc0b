import { defineRefusal } from '../../kernel/index.ts'

export const siteOriginNotAllowed = defineRefusal({
  status: 400,
  code: 'site_origin_not_allowed',
  reason: () => 'siteOrigin is not an allowed URL. Add its origin to ORCHESTRATOR_CORS_ORIGINS.',
})
