import { createPrivateKey, type KeyObject } from 'node:crypto'
import * as v from 'valibot'
import { listVariable } from '../../../kernel/index.ts'
import { AddressVariable, KeyVariable } from '../../models/port.ts'

/** The id of a file or folder in Drive. */
export const DriveId = v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/))
const folderId = /^[\w-]{10,128}$/
const folderInAddress = /^https:\/\/drive\.google\.com\/[\w/-]*?\/folders\/([\w-]+)/

/** Parses a folder id from an id or an address of Drive; `undefined` for other texts. */
export function toFolderId(text: string): string | undefined {
  const bare = text.trim()
  const id = folderInAddress.exec(bare)?.[1] ?? bare
  return folderId.test(id) ? id : undefined
}

/** A folder in the configuration. */
export const Folder = v.pipe(
  v.string(),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const id = toFolderId(dataset.value)
    if (id !== undefined) return id
    addIssue({ message: 'must be the id or the address of a Google Drive folder' })
    return NEVER
  }),
)

/** A Google service account. */
export interface ServiceAccount {
  readonly email: string
  readonly key: KeyObject
  readonly keyId: string | undefined
  /** The token endpoint. */
  readonly tokenUri: string
}

const KeyFile = v.object({
  client_email: v.string(),
  private_key: v.string(),
  private_key_id: v.optional(v.string()),
  token_uri: v.optional(v.pipe(v.string(), v.url()), 'https://oauth2.googleapis.com/token'),
})

/** Parses the key file of a service account. The validation message never quotes the file. */
const KeyJson = v.pipe(
  v.string(),
  v.rawTransform<string, ServiceAccount>(({ dataset, addIssue, NEVER }) => {
    try {
      const {
        client_email: email,
        private_key: pem,
        private_key_id: keyId,
        token_uri: tokenUri,
      } = v.parse(KeyFile, JSON.parse(dataset.value))
      const key = createPrivateKey(pem)
      if (key.asymmetricKeyType === 'rsa') return { email, key, keyId, tokenUri }
    } catch {
      // All problems have the same remedy.
    }
    addIssue({
      message:
        'must be the JSON key file of a service account, with client_email and an RSA private_key; copy the complete file again',
    })
    return NEVER
  }),
)

const folders = v.pipe(listVariable, v.array(Folder))

export const DriveVariables = v.object({
  GOOGLE_SERVICE_ACCOUNT_KEY_JSON: v.pipe(
    v.optional(KeyJson),
    v.description('The JSON key of a service account that can read the image folders in Google Drive.'),
  ),
  GOOGLE_API_KEY: v.pipe(
    v.optional(KeyVariable),
    v.description('An API key to read public Google Drive folders without a service account.'),
  ),
  GOOGLE_DRIVE_FOLDER_ID: v.pipe(
    v.optional(Folder),
    v.description('The id or address of the folder that images are listed from.'),
  ),
  GOOGLE_DRIVE_ALLOWED_FOLDERS: v.pipe(
    v.optional(folders, ''),
    v.description(
      'Further folders whose images may be shown with a service account, including the folders below them; separated by commas.',
    ),
  ),
  GOOGLE_DRIVE_BASE_URL: v.pipe(
    v.optional(AddressVariable, 'https://www.googleapis.com/drive/v3'),
    v.description('The address of the Drive API, for a proxy.'),
  ),
})
export type DriveVariables = v.InferOutput<typeof DriveVariables>
