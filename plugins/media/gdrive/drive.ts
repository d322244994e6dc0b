import * as v from 'valibot'
import type { OutboundRequest, OutboundResponse } from '../../outbound/port.ts'
import { DriveId, type DriveVariables } from './settings.ts'
import { createTokens, DriveFailure, type TokenParts } from './tokens.ts'

/** A file or folder in Drive. */
const DriveFile = v.object({
  id: DriveId,
  name: v.string(),
  mimeType: v.string(),
  /** The size in bytes; Drive sends it as text. */
  size: v.optional(v.pipe(v.string(), v.transform(Number)), '0'),
  trashed: v.optional(v.boolean(), false),
  parents: v.optional(v.array(DriveId), []),
  imageMediaMetadata: v.optional(
    v.object({ width: v.optional(v.number()), height: v.optional(v.number()) }),
    {},
  ),
})
export type DriveFile = v.InferOutput<typeof DriveFile>

export const folderType = 'application/vnd.google-apps.folder'
export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
/** The maximum size of a download. */
export const maxBytes = 25 * 1024 * 1024

const wanted = [folderType, ...imageTypes].map((type) => `mimeType = '${type}'`).join(' or ')
const fields = 'id,name,mimeType,size,trashed,parents,imageMediaMetadata(width,height)'
const Page = v.object({ files: v.array(v.unknown()), nextPageToken: v.optional(v.string()) })
/** The maximum size of a JSON answer: a page of 100 files takes much less. */
const maxJsonBytes = 2 * 1024 * 1024

/** The calls to Drive. They throw a DriveFailure, or the refusal of `outbound`. */
export type Drive = NonNullable<ReturnType<typeof createDrive>>

/** Creates the Drive client, with the service account or else the API key; `undefined` without either. */
export function createDrive({
  env,
  outbound,
  clock,
  signal,
}: Omit<TokenParts, 'account' | 'allowOrigins'> & { readonly env: DriveVariables }) {
  const { GOOGLE_SERVICE_ACCOUNT_KEY_JSON: account, GOOGLE_API_KEY: key, GOOGLE_DRIVE_BASE_URL: base } = env
  if (!account && !key) return undefined
  // The operator configured the address, which may be on a private network.
  const allowOrigins = [new URL(base).origin]
  const tokens = account && createTokens({ account, allowOrigins, outbound, clock, signal })

  type Query = Readonly<Record<string, string>>
  type Limits = Pick<OutboundRequest, 'maxBytes' | 'types' | 'signal'>
  const send = async (path: string, query: Query, limits: Limits): Promise<OutboundResponse> => {
    const url = `${base}${path}?${new URLSearchParams({ ...query, supportsAllDrives: 'true' })}`
    const ask = (headers: Query) =>
      // The signal carries the time limit. Redirects are not followed: Drive sends none.
      outbound.fetch(url, { ...limits, headers, allowOrigins, timeoutMs: 60_000, followsRedirects: false })
    if (!tokens) return ask({ 'x-goog-api-key': key ?? '' })
    const token = await tokens.current()
    const answer = await ask({ authorization: `Bearer ${token}` })
    if (answer.status !== 401) return answer
    tokens.drop(token)
    return ask({ authorization: `Bearer ${await tokens.current()}` })
  }
  const call = async (...request: Parameters<typeof send>): Promise<OutboundResponse> => {
    const answer = await send(...request)
    if (answer.status !== 200) throw new DriveFailure(answer.status)
    return answer
  }
  const read = async <S extends v.GenericSchema>(
    schema: S,
    path: string,
    query: Query,
    signal: AbortSignal,
  ): Promise<v.InferOutput<S>> => {
    const answer = await call(path, query, { maxBytes: maxJsonBytes, types: ['application/json'], signal })
    const { success, output } = v.safeParse(schema, answer.json())
    if (!success) throw new DriveFailure(200)
    return output
  }

  return {
    /** Lists one page of a folder's images and folders, by name; `next` is the token of the next page. */
    async list(folder: string, page: string | undefined, signal: AbortSignal) {
      const query = {
        q: `'${folder}' in parents and trashed = false and (${wanted})`,
        fields: `nextPageToken,files(${fields})`,
        pageSize: '100',
        orderBy: 'name',
        includeItemsFromAllDrives: 'true',
        ...(page !== undefined && { pageToken: page }),
      }
      const { files, nextPageToken } = await read(Page, '/files', query, signal)
      const known = files.map((file) => v.safeParse(DriveFile, file))
      return { files: known.flatMap(({ success, output }) => (success ? [output] : [])), next: nextPageToken }
    },
    about: (id: string, signal: AbortSignal) => read(DriveFile, `/files/${id}`, { fields }, signal),
    async download(id: string, signal: AbortSignal): Promise<Buffer> {
      const { bytes } = await call(`/files/${id}`, { alt: 'media' }, { maxBytes, signal })
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    },
  }
}
