import { defineRefusal } from '../../kernel/index.ts'

export const siteOriginNotAllowed = defineRefusal({
  status: 400,
  code: 'site_origin_not_allowed',
  reason: () => 'siteOrigin is not an allowed URL. Add its origin to ORCHESTRATOR_CORS_ORIGINS.',
})

export const noTarget = defineRefusal({
  status: 400,
  code: 'no_publish_target',
  reason: () =>
    'There is nowhere to publish to. Name the site in siteOrigin, register its previewUrl, ' +
    'or set PUBLISH_MODE.',
})

export const publishTooLarge = defineRefusal({
  status: 413,
  code: 'publish_too_large',
  reason: (limit: number) =>
    `The pages of this draft together are larger than ${limit} bytes, and one publish sends them all. ` +
    'Remove pages, shorten their content, or raise maxPublishBytes.',
})

export const diffTooLarge = defineRefusal({
  status: 413,
  code: 'diff_too_large',
  reason: (limit: number) =>
    `The comparison of this draft is larger than ${limit} bytes. Remove pages or blocks, or raise maxDiffBytes.`,
})

export const draftMovedOn = defineRefusal({
  status: 409,
  code: 'draft_changed',
  reason: (currentVersion: number) =>
    `The draft is now at version ${currentVersion}. Compare it again without baseVersion, or with this one.`,
  extra: (currentVersion) => ({ currentVersion }),
})

export const noPublish = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: () => 'This draft was not published recently.',
})

/** The outcomes of a publish that is refused before its target is called. */
export const publishRefused = ['refused', 'check_refused', 'draft_changed'].map((code) =>
  defineRefusal({ status: 409, code, reason: (why: string) => why }),
)
