import { defineRoutes, file, gates } from '../../kernel/index.ts'
import { attachmentTypes, imageTypes, largestOf } from './intake.ts'
import { FileParams, FileQuery, UploadedAttachment, UploadedImage } from './schemas.ts'

const served = file('image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf')
/** Allowance for the form fields besides the file. */
const fieldsBytes = 1024 * 1024
const upload = (field: string, types: readonly string[], ...fields: readonly string[]) => ({ upload: { field, fields, types, maxBytes: largestOf(types) }, limit: largestOf(types) + fieldsBytes })
const arriving = {
  400: 'file_required, wrong_field, file_empty, too_many_parts',
  413: 'file_too_large',
  415: 'unsupported_image_type, content_mismatch',
  429: 'rate_limited',
}
const refusals = { ...arriving, 503: 'blobs_unavailable', 507: 'storage_full' }

/** The parts of a route declaration for image uploads: the form with these text fields, and its refusals. */
export const imageUpload = (...fields: readonly string[]) => ({
  form: upload('image', imageTypes, ...fields),
  refusals: { ...arriving, 422: 'image_dimensions, file_damaged' },
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
    refusals: { 400: 'invalid_file_name', 404: 'not_found', 416: 'range_not_satisfiable' },
    internal: true,
  },
  image: {
    method: 'POST',
    path: '/image/upload',
    gate: gates.access,
    sites: 'none',
    summary: 'Stores an image from the form field `image`.',
    ...upload('image', imageTypes),
    replies: { 200: UploadedImage },
    refusals: { ...refusals, 422: 'image_dimensions, file_damaged' },
  },
  attachment: {
    method: 'POST',
    path: '/attachment/upload',
    gate: gates.access,
    can: 'plan',
    sites: 'none',
    summary: 'Stores an image or a PDF from the form field `file`, or reads a text file; the text of a PDF is extracted unless the field `extractText` is 0.',
    ...upload('file', attachmentTypes, 'extractText'),
    replies: { 200: UploadedAttachment },
    refusals: { ...refusals, 422: 'image_dimensions, file_damaged, pdf_invalid' },
  },
})
