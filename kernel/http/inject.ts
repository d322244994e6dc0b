import { text as textOf } from 'node:stream/consumers'
import { refusals } from '../refusals.ts'
import { targetBelow, type Dispatch, type HttpRequest, type HttpResponse } from './message.ts'

/** A request without a socket. */
export interface Injection {
  readonly method?: string
  /** Path and query. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as a JSON body. */
  readonly json?: unknown
  /** Sent unchanged; the caller sets `content-type`. */
  readonly body?: string | Uint8Array
  /** The simulated address of the peer; default: 127.0.0.1. */
  readonly remote?: string
  /** The simulated version of HTTP; default: unknown. */
  readonly httpVersion?: string
  /** Simulates an encrypted transport. */
  readonly secure?: boolean
  readonly signal?: AbortSignal
}

export interface Injected {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  json(): unknown
}

/** An injection with an explicit peer address; `undefined` is unknown, which never counts as local. */
type Addressed = Omit<Injection, 'remote'> & Pick<HttpRequest, 'remote'>

/** Answers a request without a socket; reads a stream to its end. */
export async function inject(dispatch: Dispatch, injection: Addressed, basePath = ''): Promise<Injected> {
  const { status, headers: list, body } = await dispatch(toHttpRequest(injection, basePath))
  const headers = new Headers()
  for (let at = 0; at < list.length; at += 2) headers.append(list[at] ?? '', list[at + 1] ?? '')
  const text = injection.method === 'HEAD' ? '' : await toText(body)
  return { status, headers, text, json: () => JSON.parse(text) as unknown }
}

function toHttpRequest(injection: Addressed, basePath: string): HttpRequest {
  const { method = 'GET', url, json, body, remote, httpVersion, secure = false } = injection
  const { pathname, search } = new URL(url, 'http://inject')
  const bytes = toBytes(json === undefined ? body : JSON.stringify(json))
  const type = json !== undefined && { 'content-type': 'application/json' }
  const all = new Headers({ host: 'localhost', ...type, ...injection.headers })
  const limited = (limit: number, onBytes: (bytes: number) => void): Uint8Array => {
    if (bytes.byteLength > limit) throw refusals.bodyTooLarge(limit)
    onBytes(bytes.byteLength)
    return bytes
  }
  return {
    method,
    ...(targetBelow(basePath, pathname + search) ?? { path: pathname, search: search.slice(1) }),
    secure,
    remote,
    httpVersion,
    header: (name) => all.get(name) ?? undefined,
    headers: all,
    signal: injection.signal ?? new AbortController().signal,
    isDisposable: false,
    hasBody: bytes.byteLength > 0 || json !== undefined,
    read: async (limit, onBytes) => limited(limit, onBytes),
    async *stream(limit, onBytes) {
      yield limited(limit, onBytes)
    },
  }
}

const toBytes = (body: string | Uint8Array = ''): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body

async function toText(body: HttpResponse['body']): Promise<string> {
  if (body === null) return ''
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : textOf(body)
}
