import { defineRefusal, type Refusal } from '../../../kernel/index.ts'

export const refusals = {
  notConfigured: defineRefusal({
    status: 404,
    code: 'gdrive_not_configured',
    reason: () =>
      'Google Drive is not configured. Set GOOGLE_SERVICE_ACCOUNT_KEY_JSON, or GOOGLE_API_KEY for public folders, and GOOGLE_DRIVE_FOLDER_ID.',
  }),
  noFolder: defineRefusal({
    status: 404,
    code: 'gdrive_not_configured',
    reason: () => 'No Google Drive folder is configured. Set GOOGLE_DRIVE_FOLDER_ID, or send a folderId.',
  }),
  invalidFolder: defineRefusal({
    status: 400,
    code: 'invalid_folder',
    reason: () => 'folderId must be the id or the address of a Google Drive folder.',
  }),
  folderNotAllowed: defineRefusal({
    status: 403,
    code: 'folder_not_allowed',
    reason: () => 'This folder is not allowed. Add it or one of its parents to GOOGLE_DRIVE_ALLOWED_FOLDERS.',
  }),
  invalidFileId: defineRefusal({
    status: 400,
    code: 'invalid_file_id',
    reason: () =>
      'A file id consists of 1 to 128 letters, digits, - and _. GET /gdrive/images lists file ids.',
  }),
  notFound: defineRefusal({
    status: 404,
    code: 'not_found',
    reason: () =>
      'The image does not exist or cannot be used: it must be a PNG, JPEG, WebP or GIF of at most 25 MiB and 40 megapixels in an allowed folder. GET /gdrive/images lists the images; the log has the details.',
  }),
  /** The reasons for a list that may be incomplete. */
  unusable: defineRefusal({
    status: 502,
    code: 'gdrive_failed',
    reason: (status: number) =>
      status === 429 || status >= 500
        ? `Google Drive is failing, or its rate limit is reached (status ${status}). Try again in a few minutes.`
        : `Google Drive sent an unexpected answer (status ${status}). Check the id, its permissions, and the variables GOOGLE_SERVICE_ACCOUNT_KEY_JSON or GOOGLE_API_KEY and GOOGLE_DRIVE_BASE_URL.`,
  }),
  unanswered: defineRefusal({
    status: 502,
    code: 'gdrive_failed',
    reason: (cause: Refusal) => `Google Drive sent no usable answer. ${cause.reason}`,
    cause: (cause) => cause,
  }),
  overdue: defineRefusal({
    status: 504,
    code: 'gdrive_failed',
    reason: () => 'Google Drive took too long to answer. Try again later.',
  }),
  busy: defineRefusal({
    status: 503,
    code: 'gdrive_busy',
    reason: () => 'Too many images are being downloaded from Google Drive. Try again in a few seconds.',
    headers: () => ({ 'retry-after': '5' }),
  }),
} as const
