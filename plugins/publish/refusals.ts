import { defineRefusal } from '../../kernel/index.ts'

export const siteOriginNotAllowed = defineRefusal({
  status: 400,
  code: 'site_origin_not_allowed',
  readable: true,
  reason: () => 'siteOrigin is not an allowed URL. Add its origin to ORCHESTRATOR_CORS_ORIGINS.',
})

export const noTarget = defineRefusal({
  status: 400,
  code: 'no_publish_target',
  readable: true,
  reason: () =>
    'There is nowhere to publish to. Name the site in siteOrigin, register its previewUrl, ' +
    'or set PUBLISH_MODE.',
})

export const noPublish = defineRefusal({
  status: 404,
  code: 'not_found',
  readable: true,
  reason: () => 'This draft was not published lately.',
})
