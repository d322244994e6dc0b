import { defineRefusal } from '../../kernel/index.ts'

const size = (bytes: number): string => `${bytes / 1024 / 1024} MiB`

export const refusals = {
  fileRequired: defineRefusal({ status: 400, code: 'file_required', reason: (field: string) => `The form has no file. Send one in the field '${field}'.` }),
  wrongField: defineRefusal({ status: 400, code: 'wrong_field', reason: (field: string) => `Send the file in the field '${field}'.` }),
  fileEmpty: defineRefusal({ status: 400, code: 'file_empty', reason: () => 'The file is empty. Choose another one.' }),
  fileTooLarge: defineRefusal({ status: 413, code: 'file_too_large', reason: (limit: number) => `The file is larger than ${size(limit)}. Send a smaller one.` }),
  unsupportedType: defineRefusal({
    status: 415,
    code: 'unsupported_image_type',
    reason: (types: string) => `Files of this type are not accepted here. Send one of ${types}.`,
  }),
  contentMismatch: defineRefusal({
    status: 415,
    code: 'content_mismatch',
    reason: () => 'The content of the file is not of the type that it was sent as. Save it in that type, then send it again.',
  }),
  imageDimensions: defineRefusal({
    status: 422,
    code: 'image_dimensions',
    reason: () => 'The size of the image cannot be read, or is more than 16384 pixels on a side or 40 megapixels. Send a smaller image.',
  }),
  fileDamaged: defineRefusal({ status: 422, code: 'file_damaged', reason: () => 'The file is cut off or damaged. Send it again, or save it anew first.' }),
  pdfInvalid: defineRefusal({ status: 422, code: 'pdf_invalid', reason: () => 'The PDF is cut off or damaged. Save it anew, then send it again.' }),
  rateLimited: defineRefusal({
    status: 429,
    code: 'rate_limited',
    reason: (seconds: number, { most, of, variable }: { readonly most: number; readonly of: string; readonly variable: string }) =>
      `More than ${most} ${of} within a minute. Try again in ${seconds} s; ${variable} allows more.`,
    headers: (seconds) => ({ 'retry-after': String(seconds) }),
  }),
  fileTypesMissing: defineRefusal({
    status: 503,
    code: 'file_types_missing',
    reason: () => 'The package file-type is not installed, so no file can be judged. Run npm install file-type, and restart the service.',
  }),
  storageFull: defineRefusal({
    status: 507,
    code: 'storage_full',
    reason: (limit: number) => `The stored files take the ${size(limit)} that they may. Delete some, or allow more in MEDIA_STORE_MAX_BYTES.`,
  }),
  notFound: defineRefusal({ status: 404, code: 'not_found', reason: () => 'There is no file of this name. Files that nothing refers to may have been deleted.' }),
} as const
