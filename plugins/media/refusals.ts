import { defineRefusal } from '../../kernel/index.ts'

const size = (bytes: number): string => `${bytes / 1024 / 1024} MiB`

export const refusals = {
  fileRequired: defineRefusal({
    status: 400,
    code: 'file_required',
    reason: (field: string) => `The form contains no file. Send one in the field '${field}'.`,
  }),
  wrongField: defineRefusal({
    status: 400,
    code: 'wrong_field',
    reason: (field: string) => `Send the file in the field '${field}'.`,
  }),
  fileEmpty: defineRefusal({
    status: 400,
    code: 'file_empty',
    reason: () => 'The file is empty. Choose another file.',
  }),
  fileTooLarge: defineRefusal({
    status: 413,
    code: 'file_too_large',
    reason: (limit: number) => `The file is larger than ${size(limit)}. Send a smaller file.`,
  }),
  unsupportedType: defineRefusal({
    status: 415,
    code: 'unsupported_image_type',
    reason: (types: string) => `This file type is not accepted here. Send one of ${types}.`,
  }),
  contentMismatch: defineRefusal({
    status: 415,
    code: 'content_mismatch',
    reason: () =>
      'The content of the file does not match its declared type. Save it as that type and send it again.',
  }),
  notText: defineRefusal({
    status: 415,
    code: 'content_mismatch',
    reason: () =>
      'It is not known in which encoding the file has its text. Save it as UTF-8 and send it again.',
  }),
  imageDimensions: defineRefusal({
    status: 422,
    code: 'image_dimensions',
    reason: () =>
      'The size of the image cannot be read or exceeds 16384 pixels per side or 40 megapixels. Send a smaller image.',
  }),
  fileDamaged: defineRefusal({
    status: 422,
    code: 'file_damaged',
    reason: () => 'The file is truncated or damaged. Send it again, or export it again first.',
  }),
  pdfInvalid: defineRefusal({
    status: 422,
    code: 'pdf_invalid',
    reason: () => 'The PDF is truncated or damaged. Export it again, then send it.',
  }),
  rateLimited: defineRefusal({
    status: 429,
    code: 'rate_limited',
    reason: (seconds: number, limit: number) =>
      `More than ${limit} uploads within a minute. Try again in ${seconds} s, or raise MEDIA_UPLOADS_PER_MIN.`,
    headers: (seconds) => ({ 'retry-after': String(seconds) }),
  }),
  storageFull: defineRefusal({
    status: 507,
    code: 'storage_full',
    reason: (limit: number) =>
      `The stored files have reached the limit of ${size(limit)}. Delete some, or raise MEDIA_STORE_MAX_BYTES.`,
  }),
  notFound: defineRefusal({
    status: 404,
    code: 'not_found',
    reason: () => 'No file has this name. Unreferenced files may have been deleted.',
  }),
} as const
