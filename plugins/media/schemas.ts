import * as v from 'valibot'
import { AddressVariables } from './address.ts'

const count = v.number()

/** The facts of an uploaded image. */
export const UploadedImage = v.object({
  /** Where browsers get it. */
  url: v.string(),
  bytes: count,
  mimeType: v.string(),
  /** The stored name. */
  fileName: v.string(),
  /** In pixels, as the image is shown. */
  width: v.optional(count),
  height: v.optional(count),
  /** Of the stored bytes, in hexadecimal digits. */
  sha256: v.string(),
})
export type UploadedImage = v.InferInput<typeof UploadedImage>

/** The facts of an attachment; a text has no address, because it is not stored. */
export const UploadedAttachment = v.object({
  url: v.optional(v.string()),
  /** The stored name; of a text the name that it came with. */
  fileName: v.string(),
  /** The name that the file came with, without control characters. */
  originalName: v.string(),
  mimeType: v.string(),
  bytes: count,
  kind: v.picklist(['image', 'pdf', 'text']),
  width: v.optional(count),
  height: v.optional(count),
  sha256: v.optional(v.string()),
  /** Of a PDF. */
  pageCount: v.optional(count),
  /** At most 50,000 characters of a text, or of a PDF where the package unpdf is installed. */
  text: v.optional(v.string()),
  textTruncated: v.optional(v.boolean()),
  /** `encrypted` and `active_content`, of a PDF. */
  warnings: v.optional(v.array(v.string())),
})
export type UploadedAttachment = v.InferInput<typeof UploadedAttachment>

export const FileParams = v.object({ fileName: v.string() })

export const FileQuery = v.object({
  w: v.optional(v.pipe(
    v.string(),
    v.regex(/^[1-9]\d{0,4}$/, 'must be a number of pixels'),
    v.transform(Number),
    v.description('The width in pixels that a page needs, where the service can make it; the original otherwise.'),
  )),
})

const whole = (least: number) =>
  v.pipe(v.string(), v.trim(), v.transform(Number), v.number('must be a number'), v.integer('must be a whole number'), v.minValue(least, `must be at least ${least}`))


export const MediaVariables = v.object({
  MEDIA_UPLOADS_PER_MIN: v.pipe(
    v.optional(whole(0), '60'),
    v.description('How many files one caller may upload in a minute; 0 is any number.'),
  ),
  MEDIA_STORE_MAX_BYTES: v.pipe(
    v.optional(whole(1), String(2 * 1024 ** 3)),
    v.description('How many bytes uploaded and generated files may take together.'),
  ),
  MEDIA_RETENTION_DAYS: v.pipe(
    v.optional(whole(1)),
    v.description('After how many days a file is deleted that no draft, snapshot or published page refers to; unset, none is.'),
  ),
  ...AddressVariables.entries,
})
export type MediaVariables = v.InferOutput<typeof MediaVariables>
