import { createPrivateKey, type KeyObject } from 'node:crypto'
import * as v from 'valibot'
import { AddressVariable, KeyVariable } from '../llm/port.ts'

/** The id that a folder or a file has in Drive. */
export const DriveId = v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/))
const folderId = /^[\w-]{10,128}$/
const folderInAddress = /^https:\/\/drive\.google\.com\/[\w/-]*?\/folders\/([\w-]+)/

/** Reads a folder as people write it: its id, or its address in Drive; `undefined` for anything else. */
export function toFolderId(text: string): string | undefined {
  const bare = text.trim()
  const id = folderInAddress.exec(bare)?.[1] ?? bare
  return folderId.test(id) ? id : undefined
}

/** A folder of a configuration. */
export const Folder = v.pipe(
  v.string(),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const id = toFolderId(dataset.value)
    if (id !== undefined) return id
    addIssue({ message: 'must be the id of a folder, or its address in Google Drive' })
    return NEVER
  }),
)

/** The identity of this service at Google. */
export interface ServiceAccount {
  readonly email: string
  readonly key: KeyObject
  readonly keyId: string | undefined
  /** Where its tokens come from. */
  readonly tokenUri: string
}

const KeyFile = v.object({
  client_email: v.string(),
  private_key: v.string(),
  private_key_id: v.optional(v.string()),
  token_uri: v.optional(v.pipe(v.string(), v.url()), 'https://oauth2.googleapis.com/token'),
})

/** Reads the file that Google gives out for a service account. The problem that it names holds nothing of the file. */
const KeyJson = v.pipe(
  v.string(),
  v.rawTransform<string, ServiceAccount>(({ dataset, addIssue, NEVER }) => {
    try {
      const { client_email: email, private_key: pem, private_key_id: keyId, token_uri: tokenUri } = v.parse(KeyFile, JSON.parse(dataset.value))
      const key = createPrivateKey(pem)
      if (key.asymmetricKeyType === 'rsa') return { email, key, keyId, tokenUri }
    } catch {
      // Whatever is wrong with it, it is to be copied again.
    }
    addIssue({ message: 'must be the JSON of a key of a service account, with client_email and an RSA private_key; copy the whole file again' })
    return NEVER
  }),
)

const folders = v.pipe(v.string(), v.transform((text) => text.split(',').map((each) => each.trim()).filter(Boolean)), v.array(Folder))

export const DriveVariables = v.object({
  GOOGLE_SERVICE_ACCOUNT_KEY_JSON: v.pipe(v.optional(KeyJson), v.description('The JSON key of a service account that may read the folders with the images of a site in Google Drive.')),
  GOOGLE_API_KEY: v.pipe(v.optional(KeyVariable), v.description('Reads public folders of Google Drive, without a service account.')),
  GOOGLE_DRIVE_FOLDER_ID: v.pipe(v.optional(Folder), v.description('The folder that images are listed from, by its id or its address.')),
  GOOGLE_DRIVE_ALLOWED_FOLDERS: v.pipe(v.optional(folders, ''), v.description('Further folders whose images a service account may show, with all that is in them.')),
  GOOGLE_DRIVE_BASE_URL: v.pipe(v.optional(AddressVariable, 'https://www.googleapis.com/drive/v3'), v.description('Where Drive is called, for proxies of your own.')),
})
export type DriveVariables = v.InferOutput<typeof DriveVariables>
