import { defineRoutes, file, gates, rangeNotSatisfiable } from '../../kernel/index.ts'
import { blobsUnavailable, invalidFileName } from '../blobs/port.ts'
import { attachmentTypes, declarable, imageTypes, largestOf } from './intake.ts'
import { refusals } from './refusals.ts'
import { FileParams, FileQuery, Listed, ListQuery, UploadedAttachment, UploadedImage } from './schemas.ts'

const served = file('image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf')
/** Allowance for the form fields besides the file. */
const fieldsBytes = 1024 * 1024
const upload = (field: string, types: readonly string[], ...fields: readonly string[]) => ({
  upload: { field, fields, types: declarable(types), maxBytes: largestOf(types) },
  maxBytes: largestOf(types) + fieldsBytes,
})
const arriving = [
  refusals.fileRequired,
  refusals.wrongField,
  refusals.fileEmpty,
  refusals.fileTooLarge,
  refusals.unsupportedType,
  refusals.contentMismatch,
  refusals.imageDimensions,
  refusals.fileDamaged,
  refusals.rateLimited,
]
const stored = [...arriving, blobsUnavailable, refusals.storageFull]

/** The parts of a route declaration for image uploads: the form with these text fields, and its refusals. */
export const imageUpload = (...fields: readonly string[]) => ({
  form: upload('image', imageTypes, ...fields),
  refusals: arriving,
})

export const routes = defineRoutes({
  file: {
    method: 'GET',
    path: '/generated-images/:fileName',
    gate: gates.public,
    sites: 'none',
    summary: 'Returns an uploaded or generated file, or a range of its bytes.',
    params: FileParams,
    query: FileQuery,
    headers: {
      range: 'Selects a part of the file, such as `bytes=0-1023`.',
      accept: 'With a width, `image/webp` is served to clients that accept it.',
    },
    etag: true,
    replies: { 200: served, 206: served },
    refusals: [invalidFileName, refusals.notFound, rangeNotSatisfiable],
    internal: true,
  },
  list: {
    method: 'GET',
    path: '/media/uploads',
    gate: gates.access,
    sites: 'own',
    summary:
      'Lists the uploaded and generated images, newest first; for a token of one site those that its tokens uploaded.',
    query: ListQuery,
    replies: { 200: Listed },
    refusals: [blobsUnavailable],
  },
  image: {
    method: 'POST',
    path: '/image/upload',
    gate: gates.access,
    sites: 'none',
    summary: 'Stores an image from the form field `image`.',
    ...upload('image', imageTypes),
    replies: { 200: UploadedImage },
    refusals: stored,
  },
  attachment: {
    method: 'POST',
    path: '/attachment/upload',
    gate: gates.access,
    can: 'plan',
    sites: 'none',
    summary:
      'Stores an image or a PDF from the form field `file`, or reads a text file; the text of a PDF is extracted unless the field `extractText` is 0.',
    ...upload('file', attachmentTypes, 'extractText'),
    replies: { 200: UploadedAttachment },
    refusals: [...stored, refusals.pdfInvalid],
  },
})
