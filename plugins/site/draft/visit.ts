import { withLoopbackTwin } from '../../../kernel/index.ts'
import { addressOn } from '../../content/page-address.ts'
import { decoded } from '../../content/slugs.ts'
import { toOrigin } from '../../outbound/port.ts'

/** The draft that a request asks for, and the parameters of editors in addresses. */

/**
 * The request for a rendered page, in the form of any framework: a web `Request`, the request of `node:http`,
 * Express or Fastify, or `{ headers: await headers(), url }`.
 */
export interface Visit {
  readonly headers:
    | { get(name: string): string | null }
    | { readonly cookie?: string | undefined; readonly host?: string | undefined }
  /** An address, or a part of it; only its query is read. */
  readonly url?: string | undefined
}

/** The parts of a request that determine draft access. */
export interface DraftRequest {
  /** The `Cookie` header. */
  readonly cookie: string | undefined
  /** The query without its question mark. */
  readonly search: string
  /** The `Host` header. */
  readonly host?: string | undefined
}

export function toDraftRequest({ headers, url = '' }: Visit): DraftRequest {
  const search = queryOf(url).toString()
  // A header object of node:http may have a header named `get`, but never a function.
  if ('get' in headers && typeof headers.get === 'function') {
    return { search, cookie: headers.get('cookie') ?? undefined, host: headers.get('host') ?? undefined }
  }
  return {
    search,
    cookie: 'cookie' in headers ? headers.cookie : undefined,
    host: 'host' in headers ? headers.host : undefined,
  }
}

/** Parameters that an editor adds to the address of a page. Only the secret authorises. */
const editorParameters = ['session', 'siteId', 'editorOrigin', '__editor', 'secret']

/** Returns the query of an address, or of a part of one. */
export const queryOf = (address: string): URLSearchParams =>
  new URLSearchParams(/\?([^#]*)/.exec(address)?.[1])

const hasEditorParameters = (query: URLSearchParams): boolean =>
  editorParameters.some((name) => query.has(name))

/** Whether the visitor comes from an editor or its link. A hint, which authorises nothing. */
export function asksForDraft({ cookie = '', search }: DraftRequest): boolean {
  return (
    hasEditorParameters(new URLSearchParams(search)) ||
    /(?:^|;\s*)(?:editor_draft_session|(?:__Host-)?editor_draft)=/.test(cookie)
  )
}

/** Whether the editor shows what visitors see, although its browser may see the draft: `__editor=0`. */
export const asksForPublished = ({ search }: DraftRequest): boolean =>
  new URLSearchParams(search).get('__editor') === '0'

/**
 * Returns the editor that may speak to a page in its frame: the one that the address or a cookie names, if it
 * is listed; the only listed one if none is named. The origin of the page itself, at which a mount has its
 * studio, needs no list: its scripts reach into the frame anyway.
 */
export function editorOriginOf(
  { cookie = '', search, host }: DraftRequest,
  listed: readonly string[],
): string | undefined {
  const [, stored] = /(?:^|;\s*)editor_origin=([^;]*)/.exec(cookie) ?? []
  const named = new URLSearchParams(search).get('editorOrigin') ?? (stored && decoded(stored))
  if (!named) return listed.length === 1 ? listed[0] : undefined
  const wanted = toOrigin(named)
  const isOwn = wanted !== undefined && new URL(wanted).host === host
  return isOwn ? wanted : listed.flatMap(withLoopbackTwin).find((origin) => origin === wanted)
}

/** Removes the parameters of an editor from a path. */
export function withoutEditorParameters(path: string): string {
  const query = queryOf(path)
  if (!hasEditorParameters(query)) return path
  for (const name of editorParameters) query.delete(name)
  const [, page = '/', anchor = ''] = /^([^?#]*)[^#]*(.*)/s.exec(path) ?? []
  return `${page}${query.size > 0 ? `?${query}` : ''}${anchor}`
}

const base = 'http://site.invalid'

/** Returns a path on this site; the home page for anything that a browser would read as another host. */
export function safeRedirect(wanted: string | undefined): string {
  const url = wanted?.startsWith('/') ? addressOn(base, wanted) : undefined
  return url ? `${url.pathname}${url.search}${url.hash}` : '/'
}
