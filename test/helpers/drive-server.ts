/** A local server of Google Drive and its token endpoint. */
import { generateKeyPairSync, verify } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { answering, type AnswerWriter } from './answers.ts'
import { serve, type TeardownTest } from './raw.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** A file or folder in Drive; an image without `bytes` can only be listed. */
export interface Stored {
  readonly id: string
  readonly name: string
  readonly mimeType?: string
  readonly parents?: readonly string[]
  readonly trashed?: boolean
  readonly bytes?: Uint8Array
  readonly size?: string
  readonly imageMediaMetadata?: { readonly width: number; readonly height: number }
}

export const folderType = 'application/vnd.google-apps.folder'

/** One received request. */
export interface SeenRequest {
  readonly kind: 'token' | 'list' | 'about' | 'media'
  readonly url: URL
  readonly authorization: string | undefined
  readonly apiKey: string | undefined
}

const kinds = new Map<string, SeenRequest['kind']>([
  ['/token', 'token'],
  ['/drive/v3/files', 'list'],
])

/** Replaces the usual answer. */
export type Fault = (response: ServerResponse, seen: SeenRequest) => unknown

const Claims = v.object({
  iss: v.literal('editor@test.iam.gserviceaccount.com'),
  scope: v.literal('https://www.googleapis.com/auth/drive.readonly'),
  aud: v.string(),
  iat: v.number(),
  exp: v.number(),
})
const Head = v.object({ alg: v.literal('RS256'), typ: v.literal('JWT'), kid: v.literal('key-1') })

/** Starts Drive on a free port of 127.0.0.1, with a service account that has this as its private key. */
export async function startDrive(t: TeardownTest, files: readonly Stored[] = []) {
  const store = new Map(files.map((file) => [file.id, file]))
  const seen: SeenRequest[] = []
  const faults: Partial<Record<SeenRequest['kind'], Fault | undefined>> = {}
  const tokens: string[] = []
  const problems: unknown[] = []

  const isKnown = ({ authorization, apiKey }: SeenRequest): boolean =>
    apiKey === 'AIza-api-key' || authorization === `Bearer ${tokens.at(-1)}`

  const origin = await serve(t, (request, response) => {
    response.on('error', () => undefined)
    void text(request)
      .then((body) => {
        const url = new URL(request.url ?? '/', origin)
        const { authorization, 'x-goog-api-key': apiKey } = request.headers
        const kind = kinds.get(url.pathname) ?? (url.searchParams.get('alt') === 'media' ? 'media' : 'about')
        const call: SeenRequest = { kind, url, authorization, apiKey: apiKey?.toString() }
        seen.push(call)
        const fault = faults[kind]
        if (fault) return fault(response, call)
        if (kind === 'token') return giveToken(request.headers['content-type'], body)(response)
        if (!isKnown(call)) return googleError(401, 'authError')(response)
        if (url.searchParams.get('supportsAllDrives') !== 'true')
          return googleError(404, 'notFound')(response)
        return (kind === 'list' ? list(url.searchParams) : one(url, kind))(response)
      })
      .catch((error: unknown) => {
        problems.push(error)
        response.destroy()
      })
  })

  /** Issues a token for a signed assertion (RFC 7523). */
  function giveToken(type: string | undefined, body: string): AnswerWriter {
    const form = new URLSearchParams(body)
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
    const isSigned = verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${claims}`),
      publicKey,
      Buffer.from(signature, 'base64url'),
    )
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
    if (
      type !== 'application/x-www-form-urlencoded' ||
      form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer' ||
      !isSigned
    )
      return tokenError(400, 'invalid_grant')
    v.parse(Head, read(head))
    const { aud, iat, exp } = v.parse(Claims, read(claims))
    if (aud !== `${origin}/token` || exp - iat !== 3600) return tokenError(400, 'invalid_grant')
    tokens.push(`ya29.marker-token-${tokens.length + 1}`)
    return answering(200, { access_token: tokens.at(-1), expires_in: 3599, token_type: 'Bearer' })
  }

  function list(query: URLSearchParams): AnswerWriter {
    const [, folder] = /^'([\w-]+)' in parents and trashed = false and \(/.exec(query.get('q') ?? '') ?? []
    const types = [...(query.get('q') ?? '').matchAll(/mimeType = '([^']+)'/g)].map(([, type]) => type)
    if (folder === undefined || query.get('includeItemsFromAllDrives') !== 'true')
      return googleError(400, 'invalid')
    const inside = [...store.values()].filter(
      ({ parents = [], mimeType = 'image/png', trashed = false }) =>
        parents.includes(folder) && types.includes(mimeType) && !trashed,
    )
    const sorted =
      query.get('orderBy') === 'name' ? inside.toSorted((a, b) => (a.name < b.name ? -1 : 1)) : inside
    const [start, size] = [Number(query.get('pageToken') ?? '0'), Number(query.get('pageSize'))]
    const next = start + size < sorted.length ? { nextPageToken: String(start + size) } : {}
    return answering(200, { ...next, files: sorted.slice(start, start + size).map(toFile) })
  }

  function one(url: URL, kind: 'about' | 'media'): AnswerWriter {
    const file = store.get(url.pathname.slice('/drive/v3/files/'.length))
    if (!file) return googleError(404, 'notFound')
    if (kind === 'about') return answering(200, toFile(file))
    const headers = { 'content-type': file.mimeType ?? 'image/png' }
    return (response) => void response.writeHead(200, headers).end(file.bytes)
  }

  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const keyFile = {
    type: 'service_account',
    client_email: 'editor@test.iam.gserviceaccount.com',
    private_key_id: 'key-1',
    private_key: pem,
    token_uri: `${origin}/token`,
  }
  return {
    origin,
    keyFile,
    /** The variables of a service account. */
    account: {
      GOOGLE_SERVICE_ACCOUNT_KEY_JSON: JSON.stringify(keyFile),
      GOOGLE_DRIVE_BASE_URL: `${origin}/drive/v3`,
    },
    /** Those of an API key. */
    apiKey: { GOOGLE_API_KEY: 'AIza-api-key', GOOGLE_DRIVE_BASE_URL: `${origin}/drive/v3` },
    store,
    seen,
    faults,
    problems,
    /** Invalidates the issued token. */
    forgetTokens: () => void tokens.push('none'),
    count: (kind: SeenRequest['kind']) => seen.filter((each) => each.kind === kind).length,
  }
}

const toFile = ({ bytes, size, parents = [], mimeType = 'image/png', trashed = false, ...file }: Stored) => ({
  ...file,
  mimeType,
  trashed,
  parents,
  ...(mimeType !== folderType && { size: size ?? String(bytes?.length ?? 1) }),
})

/** An error of Drive. */
export function googleError(status: number, reason: string): AnswerWriter {
  const message = `marker: ${reason}`
  return answering(status, {
    error: { code: status, message, errors: [{ message, domain: 'global', reason }] },
  })
}

/** An error of the token endpoint. */
export const tokenError = (status: number, error: string): AnswerWriter =>
  answering(status, { error, error_description: 'marker: Invalid JWT Signature.' })
