import type { Refusal } from '../errors.ts'
import { refusals } from '../refusals.ts'
import { type HeaderList, type OwnHeaders, withDefaults } from './headers.ts'

/** A request, independent of its transport. Expensive properties are computed on first use. */
export interface HttpRequest {
  readonly method: string
  /** The raw path of the request target: undecoded, without the query. */
  readonly path: string
  /** The query without its question mark, undecoded. It may hold a token: never log it. */
  readonly search: string
  /** True if the transport itself is encrypted. */
  readonly secure: boolean
  /** The address of the peer; `undefined` if unknown, which never counts as local. */
  readonly remote: string | undefined
  /** The version of HTTP, such as `1.1`; `undefined` if the transport does not say. */
  readonly httpVersion: string | undefined
  /** A header by its lower-case name; repeated lines are joined by a comma. Bound, to be destructured. */
  readonly header: (name: string) => string | undefined
  readonly headers: Headers
  /** Aborts when the caller disconnects before the answer is complete. */
  readonly signal: AbortSignal
  /** True if the request announces a body, of any length. */
  readonly hasBody: boolean
  /**
   * Reads the complete body, once; refuses more than `limit` bytes with `body_too_large`. `onBytes` is called
   * with the size of each chunk as it arrives, and may refuse it by throwing.
   */
  read(limit: number, onBytes: (bytes: number) => void): Promise<Uint8Array>
  /** True if the chunks of `stream` are not shared: the reader may detach their memory after use. */
  readonly isDisposable: boolean
  /** Yields the body as it arrives, under the same rules. Read once, instead of `read`. */
  stream(limit: number, onBytes: (bytes: number) => void): AsyncIterable<Uint8Array>
}

/** An answer, independent of its transport. */
export interface HttpResponse {
  readonly status: number
  readonly headers: HeaderList
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | null
}

export type Dispatch = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>

/** Returns the decoded value of a query parameter that occurs exactly once. */
export function queryValue(search: string, name: string): string | undefined {
  if (!search.includes(name)) return undefined
  const values = new URLSearchParams(search).getAll(name)
  return values.length === 1 ? values[0] : undefined
}

/** The path and query of a request, relative to a base path. */
export type RequestTarget = Pick<HttpRequest, 'path' | 'search'>

/** Splits a path and query, and cuts off the base path; `undefined` for a path outside of it. */
export function targetBelow(basePath: string, url: string): RequestTarget | undefined {
  if (basePath !== '' && !url.startsWith(`${basePath}/`)) return undefined
  const mark = url.indexOf('?')
  if (mark === -1) return { path: url.slice(basePath.length), search: '' }
  return { path: url.slice(basePath.length, mark), search: url.slice(mark + 1) }
}

/** Yields and counts the chunks of a body as they arrive; refuses them once they exceed the limit. */
export async function* counted(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) throw refusals.bodyTooLarge(limit)
    onBytes(chunk.byteLength)
    yield chunk
  }
}

const jsonType = { 'content-type': 'application/json; charset=utf-8' }
const jsonHeaders = withDefaults(jsonType)

/** Answers with a value as JSON. */
export const json = (status: number, value: unknown, headers?: OwnHeaders): HttpResponse =>
  ofJson(status, JSON.stringify(value), headers)

/** Answers with what is JSON already. */
export function ofJson(status: number, body: HttpResponse['body'], own?: OwnHeaders): HttpResponse {
  return { status, headers: own ? withDefaults({ ...jsonType, ...own }) : jsonHeaders, body }
}

export function toAnswer(refusal: Refusal): HttpResponse {
  return json(refusal.status, refusal.toBody(), refusal.headers)
}

/** Matches nearly every path: no escape, and no segment that starts with a dot. */
const common = /^(?:\/[\w~-][\w.~-]*)*\/?$/
/** Characters that a URL parser does not change, with upper-case escapes. */
const wellFormed = /^\/(?:[\w.~!$&'()*+,;=:@|[\]/-]|%[\dA-F]{2})*$/
/** Empty and dot segments; escaped letters, digits, `-._~`, `#`, `/`, `?`, `\` and control characters. */
const ambiguous =
  /\/\/|\/\.{1,2}(?:\/|$)|%(?:[01][\dA-F]|2[3DEF]|3[\dF]|4[1-9A-F]|5[\dACF]|6[1-9A-F]|7[\dAEF])/

/**
 * True for a path that is the same to every reader, decoded or not.
 *
 * Otherwise a router, an auth hook and middleware that normalise differently would check different paths.
 */
export function isPlainPath(path: string): boolean {
  if (common.test(path)) return true
  if (!wellFormed.test(path) || ambiguous.test(path)) return false
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
