import * as v from 'valibot'
import { defineRoutes, gates } from '../../../kernel/index.ts'
import { blobsUnavailable } from '../../blobs/port.ts'
import { fileRefusals, imageUpload } from '../port.ts'
import { fetchRefused } from '../../outbound/port.ts'
import { refusals } from './refusals.ts'
import { AssetsQuery, Browse, CmsImages, UploadedToCms } from './schemas.ts'

const upload = imageUpload('slug', 'field', 'before', 'alt')

export const routes = defineRoutes({
  media: {
    method: 'POST',
    path: '/media/cms',
    gate: gates.access,
    summary:
      'Lists images of the CMS of a site, or uploads an image from the form field `image` to it; for a field of a page with `slug`, `field`, the address `before`, and `alt`.',
    body: Browse,
    ...upload.form,
    replies: { 200: v.union([CmsImages, UploadedToCms]) },
    refusals: [
      ...upload.refusals,
      fetchRefused,
      refusals.notConfigured,
      refusals.uploadUnsupported,
      refusals.uploadRefused,
      refusals.uploadFailed,
      blobsUnavailable,
      fileRefusals.storageFull,
    ],
  },
  contentful: {
    method: 'GET',
    path: '/contentful/assets',
    gate: gates.access,
    sites: 'none',
    summary: 'Lists images of the Contentful space in the environment variables.',
    query: AssetsQuery,
    replies: { 200: CmsImages },
    refusals: [refusals.contentfulNotConfigured],
    internal: true,
  },
})
