import { defineRefusal } from '../../../kernel/index.ts'

const setUp = 'Set CONTENTFUL_SPACE_ID and CONTENTFUL_DELIVERY_TOKEN, SANITY_PROJECT_ID or STRAPI_URL'

export const refusals = {
  unknownProvider: defineRefusal({
    status: 400,
    code: 'invalid_request',
    reason: (names: string) => `'config.provider' of the body is not a known provider. Name one of ${names}.`,
  }),
  notConfigured: defineRefusal({
    status: 404,
    code: 'cms_media_not_configured',
    reason: () =>
      `No CMS is configured for this site. ${setUp}, or configure the site in the option sites of cms-media.`,
  }),
  contentfulNotConfigured: defineRefusal({
    status: 404,
    code: 'contentful_not_configured',
    reason: () => 'Contentful is not configured. Set CONTENTFUL_SPACE_ID and CONTENTFUL_DELIVERY_TOKEN.',
  }),
  /** The reasons for an empty page. */
  unreadable: defineRefusal({
    status: 502,
    code: 'cms_unreadable',
    reason: (_cause: unknown) =>
      'The images of the CMS could not be read. The log of the service has the details.',
    cause: (cause) => cause,
  }),
  overdue: defineRefusal({
    status: 504,
    code: 'cms_overdue',
    reason: () => 'The CMS took too long to answer. Try again later.',
  }),
  uploadUnsupported: defineRefusal({
    status: 501,
    code: 'cms_upload_unsupported',
    reason: () =>
      'The CMS of this site does not support uploads. Implement uploadMedia in the content adapter, or send the image to /image/upload.',
  }),
  uploadRefused: defineRefusal({ status: 400, code: 'cms_upload_refused', reason: (why: string) => why }),
  uploadFailed: defineRefusal({
    status: 502,
    code: 'cms_upload_failed',
    reason: () => 'The CMS did not store the image. Try again later; the log of the service has the details.',
  }),
} as const
