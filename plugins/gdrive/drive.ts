import * as v from 'valibot'
import { Refusal, type Clock } from '../../kernel/index.ts'
import type { Outbound, OutboundRequest, OutboundResponse } from '../outbound/port.ts'
import { createTokens, DriveFailure, failureOf } from './tokens.ts'
import { DriveId, type DriveVariables } from './settings.ts'

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

/** The calls to Drive. They throw a DriveFailure, or the refusal of `outbound`. */
export interface Drive {
  /** Lists one page of a folder's images and folders, by name; `next` is the token of the next page. */
  list(
    folder: string,
    page: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly files: readonly DriveFile[]; readonly next: string | undefined }>
  about(id: string, signal: AbortSignal): Promise<DriveFile>
  download(id: string, signal: AbortSignal): Promise<Buffer>
}

export const folderType = 'application/vnd.google-apps.folder'
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
/** The maximum size of a download. */
export const maxBytes = 25 * 1024 * 1024

const wanted = [folderType, ...imageTypes].map((type) => `mimeType = '${type}'`).join(' or ')
const fields = 'id,name,mimeType,size,trashed,parents,imageMediaMetadata(width,height)'
const Page = v.object({ files: v.array(v.unknown()), nextPageToken: v.optional(v.string()) })
/** The maximum size of a JSON answer: a page of 100 files takes much less. */
const maxJsonBytes = 2 * 1024 * 1024

/** Creates the Drive client, with the service account or else the API key; `undefined` without either. */
export function createDrive({
  env,
  ...context
}: {
  readonly env: Pick<
    DriveVariables,
    'GOOGLE_SERVICE_ACCOUNT_KEY_JSON' | 'GOOGLE_API_KEY' | 'GOOGLE_DRIVE_BASE_URL'
  >
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly clock: Clock
  readonly signal: AbortSignal
}): Drive | undefined {
  const {
    GOOGLE_SERVICE_ACCOUNT_KEY_JSON: account,
    GOOGLE_API_KEY: apiKey,
    GOOGLE_DRIVE_BASE_URL: base,
  } = env
  if (!account && !apiKey) return undefined
  const { outbound } = context
  // The operator configured the address, which may be on a private network.
  const allowOrigins = [new URL(base).origin]
  const tokens = account && createTokens({ account, allowOrigins, ...context })
  const variable = account ? 'GOOGLE_SERVICE_ACCOUNT_KEY_JSON' : 'GOOGLE_API_KEY'

  type Limits = Pick<OutboundRequest, 'maxBytes' | 'types' | 'signal'>
  const send = async (
    path: string,
    query: Readonly<Record<string, string>>,
    limits: Limits,
  ): Promise<OutboundResponse> => {
    const url = `${base}${path}?${new URLSearchParams({ ...query, supportsAllDrives: 'true' })}`
    const ask = (headers: Readonly<Record<string, string>>) =>
      // The signal carries the time limit. Redirects are not followed: Drive sends none.
      outbound.fetch(url, { ...limits, headers, allowOrigins, timeoutMs: 60_000, followsRedirects: false })
    if (!tokens) return ask({ 'x-goog-api-key': apiKey ?? '' })
    const token = await tokens.current()
    const answer = await ask({ authorization: `Bearer ${token}` })
    if (answer.status !== 401) return answer
    tokens.drop(token)
    return ask({ authorization: `Bearer ${await tokens.current()}` })
  }
  const call = async (...request: Parameters<typeof send>): Promise<OutboundResponse> => {
    const answer = await send(...request)
    if (answer.status !== 200) throw failureOf(answer, variable)
    return answer
  }
  const read = async <S extends v.GenericSchema>(
    schema: S,
    path: string,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<v.InferOutput<S>> => {
    const answer = await call(path, query, { maxBytes: maxJsonBytes, types: ['application/json'], signal })
    const parsed = v.safeParse(schema, answer.json())
    if (!parsed.success)
      throw new DriveFailure('Google Drive sent an unexpected answer. Check GOOGLE_DRIVE_BASE_URL.', {
        status: 200,
      })
    return parsed.output
  }

  return {
    async list(folder, page, signal) {
      const q = `'${folder}' in parents and trashed = false and (${wanted})`
      const query = {
        q,
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
    about: (id, signal) => read(DriveFile, `/files/${id}`, { fields }, signal),
    async download(id, signal) {
      const { bytes } = await call(`/files/${id}`, { alt: 'media' }, { maxBytes: maxBytes, signal })
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    },
  }
}

/** Explains the failure of a call to people; `undefined` for an internal error. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof DriveFailure) return error.message
  if (error instanceof Refusal) return `Google Drive sent no usable answer. ${error.reason}`
  return error instanceof DOMException ? 'Google Drive took too long to answer. Try again later.' : undefined
}
