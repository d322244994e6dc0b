/** The headers of requests to a development server, and of its answers. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { forwardedCookies, framedCookies } from './entry.ts'
import { framedPolicies } from './policy.ts'

/** True if a browser may show the answer as a page. */
export const asksForPage = ({ 'sec-fetch-dest': dest, accept = '' }: IncomingHttpHeaders): boolean =>
  typeof dest === 'string' && dest !== 'empty'
    ? /^(?:document|i?frame)$/.test(dest)
    : accept.includes('text/html')

/** Of the service, of proxies before it, and what a development server would take for another address. */
const unforwarded = /^(?:x-access-token|x-publish-token|forwarded|x-forwarded-.*|x-real-ip)$/

/** Changes the headers of a request so that it is one to the development server. */
export function toServer({ headers }: IncomingMessage, target: string): void {
  const { host, origin, referer } = headers
  for (const name of Object.keys(headers)) if (unforwarded.test(name)) delete headers[name]
  if (origin !== undefined && URL.parse(origin)?.host === host) headers.origin = target
  const from = referer === undefined ? undefined : URL.parse(referer)
  if (from && from.host === host) headers.referer = `${target}${from.pathname}${from.search}`
  const cookies = forwardedCookies(headers.cookie)
  if (cookies === undefined) delete headers.cookie
  else headers.cookie = cookies
  if (!asksForPage(headers)) return
  headers['accept-encoding'] = 'identity'
  delete headers['if-none-match']
  delete headers['if-modified-since']
}

/** Of one connection, or about frames and addresses that are not those of the preview. */
const unanswered = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'trailer',
  'x-frame-options',
  'strict-transport-security',
  'alt-svc',
])
/** What no longer holds once a script is in the page. */
const ofBytes = new Set([
  'content-length',
  'content-encoding',
  'etag',
  'last-modified',
  'content-md5',
  'digest',
])

/** Returns the headers of an answer for the frame, and the nonce of our script. */
export function toFrame(
  { headers, headersDistinct }: IncomingMessage,
  {
    target,
    ancestors,
    isPage,
  }: {
    readonly target: string
    readonly ancestors: readonly string[]
    /** Whether a script is inserted. */
    readonly isPage: boolean
  },
): { readonly headers: ReadonlyMap<string, string | readonly string[]>; readonly nonce: string | undefined } {
  const own = new Map<string, string | readonly string[]>()
  for (const [name, values = []] of Object.entries(headersDistinct))
    if (!unanswered.has(name) && !(isPage && ofBytes.has(name))) own.set(name, values)
  const { policies, nonce } = framedPolicies(headersDistinct['content-security-policy'] ?? [], ancestors)
  own.set('content-security-policy', policies)
  const cookies = framedCookies(headers['set-cookie'] ?? [])
  if (cookies.length > 0) own.set('set-cookie', cookies)
  else own.delete('set-cookie')
  if (headers.location !== undefined) own.set('location', withoutHost(headers.location, target))
  return { headers: own, nonce }
}

const ownHost = /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])$/

/** Returns an address at the development server as a path. */
function withoutHost(address: string, target: string): string {
  const [to, server] = [URL.parse(address, target), new URL(target)]
  const isOwn = to?.port === server.port && ownHost.test(to.hostname)
  return isOwn && !address.startsWith('/') && /^https?:/i.test(address)
    ? `${to.pathname}${to.search}${to.hash}`
    : address
}
