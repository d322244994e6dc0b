import { defineRoutes, file, gates } from '../../kernel/index.ts'
import { FileParams, Images, ImagesQuery, ImportBody, Imported } from './schemas.ts'

const gate = gates.access
const fetching = { 400: 'invalid_file_id', 404: 'gdrive_not_configured, not_found', 503: 'gdrive_busy, file_types_missing, blobs_unavailable', 507: 'storage_full' }

export const routes = defineRoutes({
  list: {
    method: 'GET',
    path: '/gdrive/images',
    gate,
    summary: 'Lists the images in and below a Google Drive folder.',
    query: ImagesQuery,
    replies: { 200: Images },
    refusals: { 400: 'invalid_folder', 403: 'folder_not_allowed', 404: 'gdrive_not_configured' },
    internal: true,
  },
  image: {
    method: 'GET',
    path: '/gdrive/images/:fileId',
    gate,
    sites: 'none',
    summary: 'Returns an image of Google Drive from its stored copy.',
    params: FileParams,
    etag: true,
    replies: { 200: file('image/webp', 'image/png', 'image/jpeg', 'image/gif') },
    refusals: fetching,
    internal: true,
  },
  import: {
    method: 'POST',
    path: '/gdrive/import',
    gate,
    sites: 'none',
    summary: 'Copies an image of Google Drive to a public address.',
    body: ImportBody,
    replies: { 200: Imported },
    refusals: { ...fetching, 400: 'invalid_file_id, invalid_folder', 403: 'folder_not_allowed' },
    internal: true,
  },
})
