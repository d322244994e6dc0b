import * as v from 'valibot'
import { defineRoutes, gates } from '../../kernel/index.ts'
import { AssetsQuery, Browse, CmsImages, UploadedToCms } from './schemas.ts'

const mebibyte = 1024 * 1024
const largest = 10 * mebibyte

export const routes = defineRoutes({
  media: {
    method: 'POST',
    path: '/media/cms',
    gate: gates.access,
    summary: 'Lists images of the CMS of a site, or stores the one in the field `image` of a form there.',
    body: Browse,
    upload: { field: 'image', fields: [], types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'], maxBytes: largest },
    limit: largest + mebibyte,
    replies: { 200: v.union([CmsImages, UploadedToCms]) },
    refusals: {
      400: 'fetch_refused, file_required, wrong_field, file_empty, too_many_parts',
      404: 'cms_media_not_configured',
      413: 'file_too_large',
      415: 'unsupported_image_type, content_mismatch',
      422: 'image_dimensions, file_damaged',
      429: 'rate_limited',
      501: 'cms_upload_unsupported',
      502: 'cms_upload_failed',
      503: 'blobs_unavailable',
      507: 'storage_full',
    },
  },
  contentful: {
    method: 'GET',
    path: '/contentful/assets',
    gate: gates.access,
    summary: 'Lists images of the space of Contentful that variables name.',
    query: AssetsQuery,
    replies: { 200: CmsImages },
    refusals: { 404: 'contentful_not_configured' },
    internal: true,
  },
})
