import { defineRoutes, file, gates } from '../../../kernel/index.ts'
import { blobsUnavailable } from '../../blobs/port.ts'
import { fileRefusals } from '../port.ts'
import { refusals } from './refusals.ts'
import { FileParams, Images, ImagesQuery, ImportBody, Imported } from './schemas.ts'

const gate = gates.access
const fetching = [
  refusals.invalidFileId,
  refusals.notConfigured,
  refusals.notFound,
  refusals.busy,
  blobsUnavailable,
  fileRefusals.storageFull,
]

export const routes = defineRoutes({
  list: {
    method: 'GET',
    path: '/gdrive/images',
    gate,
    summary: 'Lists the images in and below a Google Drive folder.',
    query: ImagesQuery,
    replies: { 200: Images },
    refusals: [refusals.invalidFolder, refusals.folderNotAllowed, refusals.notConfigured, refusals.noFolder],
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
    refusals: [...fetching, refusals.invalidFolder, refusals.folderNotAllowed],
    internal: true,
  },
})
