import { defineRefusal } from '../../kernel/index.ts'

const setUp = 'Set CONTENTFUL_SPACE_ID and CONTENTFUL_DELIVERY_TOKEN, SANITY_PROJECT_ID or STRAPI_URL'

export const refusals = {
  unknownProvider: defineRefusal({
    status: 400,
    code: 'invalid_request',
    reason: (known: string) => `'config.provider' of the body is not a known provider. Name one of ${known}.`,
  }),
  notConfigured: defineRefusal({
    status: 404,
    code: 'cms_media_not_configured',
    reason: () => `This site has no CMS whose images could be shown. ${setUp}, or name a CMS for the site in the option sites of cms-media.`,
  }),
  contentfulNotConfigured: defineRefusal({
    status: 404,
    code: 'contentful_not_configured',
    reason: () => 'Contentful is not set up. Set CONTENTFUL_SPACE_ID and CONTENTFUL_DELIVERY_TOKEN.',
  }),
  /** The reason of an empty page. */
  overdue: defineRefusal({ status: 504, code: 'cms_overdue', reason: () => 'The CMS took too long to answer. Try again later.' }),
  uploadUnsupported: defineRefusal({
    status: 501,
    code: 'cms_upload_unsupported',
    reason: () => 'Images cannot be uploaded to the CMS of this site. Give the content adapter a function uploadMedia, or send the image to /image/upload.',
  }),
  uploadFailed: defineRefusal({
    status: 502,
    code: 'cms_upload_failed',
    reason: () => 'The CMS did not store the image. Try again later; the log of the service says what went wrong.',
  }),
} as const
