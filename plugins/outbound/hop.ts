import type { OutboundRequest } from './types.ts'

/** The reason for a refusal, for the log; callers get the same refusal for all reasons. */
type GuardReason = 'url' | 'scheme' | 'login' | 'port' | 'address' | 'peer' | 'downgrade' | 'redirects'

/** A refusal of the guard, before its conversion to the common one. */
export class Blocked extends Error {
  override readonly name = 'Blocked'
  readonly rule: GuardReason
  /** The host and port; empty for an unreadable address. */
  readonly host: string

  constructor(rule: GuardReason, host: string) {
    super(`outbound fetch blocked: ${rule}`)
    this.rule = rule
    this.host = host
  }
}

/** The usual ports of the web. Servers on other ports are not meant to be called by strangers. */
const openPorts: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443'])

/** Parses an address by the rules of the web, which normalise every spelling of a host. */
export function toUrl(address: string | URL, base?: URL): URL {
  const url = URL.parse(address, base)
  if (!url) throw new Blocked('url', '')
  return url
}

/** Checks an address before its name is looked up. Only trusted origins may use any port. */
export function checkUrl(url: URL, trusted: boolean): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Blocked('scheme', url.host)
  if (url.username !== '' || url.password !== '') throw new Blocked('login', url.host)
  if (!trusted && !openPorts.has(url.port)) throw new Blocked('port', url.host)
}

/** One request; a redirect leads to another. */
export interface Hop {
  readonly url: URL
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT'
  readonly body: string | Uint8Array | FormData | null
  /** The media type of the body; a `FormData` sets its own. */
  readonly type: string | undefined
  /** The caller's headers, in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** Headers that this client sets itself; the caller's values are not sent. */
const ownHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
])

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const without = { body: null, type: undefined } as const

function toBody({ json, form }: OutboundRequest): Pick<Hop, 'body' | 'type'> {
  if (form instanceof URLSearchParams)
    return { body: String(form), type: 'application/x-www-form-urlencoded' }
  if (form) return { body: form, type: undefined }
  if (json === undefined) return without
  return { body: json instanceof Uint8Array ? json : JSON.stringify(json), type: 'application/json' }
}

/** Returns the first request, as described by the caller. */
export function firstHop(address: string | URL, request: OutboundRequest): Hop {
  const {
    json,
    form,
    method = json === undefined && form === undefined ? 'GET' : 'POST',
    headers = {},
  } = request
  const custom = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    url: toUrl(address),
    method,
    ...(method === 'POST' || method === 'PUT' ? toBody(request) : without),
    headers: Object.fromEntries(custom.filter(([name]) => !ownHeaders.has(name))),
  }
}

/**
 * Returns the request of a redirect; `undefined` for other answers.
 *
 * As in browsers, a `POST` or `PUT` becomes a `GET` without body unless the status (307, 308) requires a
 * repeat. The caller's headers are not sent to another origin, because they may contain a token. Refuses
 * redirects from https to http.
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  const { url: from, method, body, type, headers } = hop
  if (location === undefined || !redirects.has(status)) return undefined
  const url = toUrl(location, from)
  if (from.protocol === 'https:' && url.protocol === 'http:') throw new Blocked('downgrade', url.host)
  const repeats = method === 'GET' || method === 'HEAD' || status === 307 || status === 308
  return {
    url,
    method: repeats ? method : 'GET',
    ...(repeats ? { body, type } : without),
    headers: url.origin === from.origin ? headers : {},
  }
}

const editorRoute = /\/api\/editor\/./

/**
 * Returns the address of an editor route of a website in its other spelling: with a slash at the end of its path, or
 * without; `undefined` for other addresses. The development server of Astro knows one of them only, and answers 404
 * to the other (`trailingSlash`), where others redirect.
 */
export function otherSpelling({ href, pathname }: URL): URL | undefined {
  if (!editorRoute.test(pathname)) return undefined
  const other = new URL(href)
  other.pathname = pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`
  return other
}
