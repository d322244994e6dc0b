import * as v from 'valibot'
import { defineRoutes, gates } from '../../kernel/index.ts'
import { imageUpload } from '../media/port.ts'
import { AssetsQuery, Browse, CmsImages, UploadedToCms } from './schemas.ts'

const { form, refusals } = imageUpload()

export const routes = defineRoutes({
  media: {
    method: 'POST',
    path: '/media/cms',
    gate: gates.access,
    summary: 'Lists images of the CMS of a site, or uploads an image from the form field `image` to it.',
    body: Browse,
    ...form,
    replies: { 200: v.union([CmsImages, UploadedToCms]) },
    refusals: {
      ...refusals,
      400: `fetch_refused, ${refusals[400]}`,
      404: 'cms_media_not_configured',
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
    sites: 'none',
    summary: 'Lists images of the Contentful space in the environment variables.',
    query: AssetsQuery,
    replies: { 200: CmsImages },
    refusals: { 404: 'contentful_not_configured' },
    internal: true,
  },
})
