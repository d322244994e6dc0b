import { defineRefusal } from '../../kernel/index.ts'

export const refusals = {
  withoutKey: defineRefusal({
    status: 404,
    code: 'gdrive_not_configured',
    reason: () => 'Google Drive is not set up. Set GOOGLE_SERVICE_ACCOUNT_KEY_JSON, or GOOGLE_API_KEY for public folders, and GOOGLE_DRIVE_FOLDER_ID.',
  }),
  withoutFolder: defineRefusal({
    status: 404,
    code: 'gdrive_not_configured',
    reason: () => 'No folder of Google Drive is chosen. Set GOOGLE_DRIVE_FOLDER_ID, or name one as folderId.',
  }),
  invalidFolder: defineRefusal({ status: 400, code: 'invalid_folder', reason: () => 'folderId must be the id of a folder, or its address in Google Drive.' }),
  folderNotAllowed: defineRefusal({
    status: 403,
    code: 'folder_not_allowed',
    reason: () => 'Images of this folder may not be shown. Allow it, or one that it is in, in GOOGLE_DRIVE_ALLOWED_FOLDERS.',
  }),
  invalidFileId: defineRefusal({ status: 400, code: 'invalid_file_id', reason: () => 'The id of a file has 1 to 128 letters, digits, - and _. GET /gdrive/images lists them.' }),
  notFound: defineRefusal({
    status: 404,
    code: 'not_found',
    reason: () => 'Google Drive gives no such image: it has to be a PNG, JPEG, WebP or GIF of at most 25 MiB and 40 megapixels in an allowed folder. GET /gdrive/images lists them; the log says more.',
  }),
  busy: defineRefusal({
    status: 503,
    code: 'gdrive_busy',
    reason: () => 'Many images are being fetched from Google Drive. Try again in a few seconds.',
    headers: () => ({ 'retry-after': '5' }),
  }),
} as const
