import * as v from 'valibot'
import { Refusal } from '../../../kernel/index.ts'
import type { OutboundRequest, OutboundResponse } from '../../outbound/port.ts'
import { listOf } from '../port.ts'
import { refusals } from './refusals.ts'
import { DriveId, type DriveVariables } from './settings.ts'
import { createTokens, type TokenParts } from './tokens.ts'

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
const Page = v.object({ files: listOf(DriveFile, 100), nextPageToken: v.optional(v.string()) })
/** The maximum size of a JSON answer: a page of 100 files takes much less. */
const maxJsonBytes = 2 * 1024 * 1024

/** The calls to Drive. Every failure is a refusal with a 5xx status. */
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
  /** Sends a request and takes the answer; every failure is a refusal with a reason for people. */
  const ask = async <T>(
    path: string,
    query: Query,
    limits: Limits,
    take: (answer: OutboundResponse) => T,
  ): Promise<T> => {
    try {
      return take(await send(path, query, limits))
    } catch (error) {
      if (error instanceof DOMException) throw refusals.overdue()
      throw error instanceof Refusal && error.code !== refusals.unusable.code
        ? refusals.unanswered(error)
        : error
    }
  }
  const read = <T>(path: string, query: Query, signal: AbortSignal, take: (answer: OutboundResponse) => T) =>
    ask(path, query, { maxBytes: maxJsonBytes, types: ['application/json'], signal }, take)

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
      const { files, nextPageToken } = await read('/files', query, signal, parsed(Page))
      return { files, next: nextPageToken }
    },
    metadata: (id: string, signal: AbortSignal) =>
      read(`/files/${id}`, { fields }, signal, parsed(DriveFile)),
    /** Returns the folders of a file or folder; none if the account cannot see it. */
    parents: (id: string, signal: AbortSignal) =>
      read(`/files/${id}`, { fields }, signal, (answer) =>
        answer.status === 404 ? [] : parsed(DriveFile)(answer).parents,
      ),
    download: (id: string, signal: AbortSignal): Promise<Uint8Array> =>
      ask(`/files/${id}`, { alt: 'media' }, { maxBytes, signal }, (answer) => checked(answer).bytes),
  }
}

function checked(answer: OutboundResponse): OutboundResponse {
  if (answer.status !== 200) throw refusals.unusable(answer.status)
  return answer
}

const parsed =
  <const S extends v.GenericSchema>(schema: S) =>
  (answer: OutboundResponse): v.InferOutput<S> => {
    const { success, output } = v.safeParse(schema, checked(answer).json())
    if (!success) throw refusals.unusable(answer.status)
    return output
  }
