import * as v from 'valibot'
import { boundedCount, countVariable } from '../../kernel/index.ts'
import { AddressVariables } from './address.ts'

const count = v.number()

export const UploadedImage = v.object({
  url: v.string(),
  bytes: count,
  mimeType: v.string(),
  /** The stored name. */
  fileName: v.string(),
  /** The displayed size in pixels. */
  width: v.optional(count),
  height: v.optional(count),
  /** The digest of the stored bytes, in hexadecimal. */
  sha256: v.string(),
})
export type UploadedImage = v.InferInput<typeof UploadedImage>

/** An attachment; a text file is not stored and has no address. */
export const UploadedAttachment = v.object({
  url: v.optional(v.string()),
  /** The stored name; for a text file, the original name. */
  fileName: v.string(),
  /** The name from the client, without control characters. */
  originalName: v.string(),
  mimeType: v.string(),
  bytes: count,
  kind: v.picklist(['image', 'pdf', 'text']),
  width: v.optional(count),
  height: v.optional(count),
  sha256: v.optional(v.string()),
  pageCount: v.optional(count),
  /** At most 50,000 characters of a text file, or of a PDF if the package unpdf is installed. */
  text: v.optional(v.string()),
  textTruncated: v.optional(v.boolean()),
  /** For a PDF: `encrypted`, `active_content`. */
  warnings: v.optional(v.array(v.string())),
})
export type UploadedAttachment = v.InferInput<typeof UploadedAttachment>

export const ListQuery = v.object({
  q: v.pipe(
    v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200)), ''),
    v.description('A part of the image names.'),
  ),
  limit: boundedCount({ most: 100, otherwise: 50 }, 'The number of images'),
  after: v.pipe(
    v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{13}_[0-9a-f]{32}_[a-z]{1,20}\.[a-z]{3,4}$/, 'must be the `next` of an earlier answer'),
      ),
    ),
    v.description('The `next` of the answer before.'),
  ),
})
export type ListQuery = v.InferOutput<typeof ListQuery>

export const Listed = v.object({
  images: v.array(
    v.object({
      url: v.string(),
      fileName: v.pipe(v.string(), v.description('The stored name.')),
      name: v.pipe(
        v.string(),
        v.description('The name of the uploaded file, or the start of the prompt; else the stored name.'),
      ),
      mimeType: v.string(),
      bytes: count,
      width: v.optional(count),
      height: v.optional(count),
      origin: v.picklist(['uploaded', 'generated']),
      at: v.string(),
    }),
  ),
  next: v.pipe(
    v.optional(v.string()),
    v.description(
      'The `after` of the next request; absent at the end. A search may continue past an empty answer.',
    ),
  ),
})
export type Listed = v.InferInput<typeof Listed>

export const FileParams = v.object({ fileName: v.string() })

export const FileQuery = v.object({
  w: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,4}$/, 'must be a number of pixels'),
      v.transform(Number),
      v.description(
        'The width in pixels that the page needs; the original is served if the image cannot be resized.',
      ),
    ),
  ),
})

export const MediaVariables = v.object({
  MEDIA_UPLOADS_PER_MIN: v.pipe(
    v.optional(countVariable(0), '60'),
    v.description('Uploads per caller and minute; 0 means unlimited.'),
  ),
  MEDIA_STORE_MAX_BYTES: v.pipe(
    v.optional(countVariable(1), String(2 * 1024 ** 3)),
    v.description('The total size limit of uploaded and generated files, in bytes.'),
  ),
  ...AddressVariables.entries,
})
