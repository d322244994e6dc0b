/** How a browser is let in to a preview: by an address with a key, which sets a cookie of that host. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { safeEqual } from '../../../kernel/index.ts'
import { locationHeader } from '../../content/site-address.ts'

/** The path of the entry address, as in `/~enter?key=…&to=/path`. */
export const entryPath = '/~enter'

const cookieName = '__Host-orchestrator-preview'
/** A browser sends it from the frame of the studio, and from no frame of another website. */
const attributes = 'Path=/; HttpOnly; Secure; SameSite=None; Partitioned'

/** The names of the cookies of the service: no development server gets or sets them. */
const ofService = /^(?:__(?:Host|Secure)-)?(?:orchestrator|editor_draft|editor_origin)/i

/** The cookie has no key, so that an address that is copied from it opens nothing. */
const valueOf = (key: string): string => createHash('sha256').update(`preview ${key}`).digest('base64url')

/** True if the browser was let in with this key. */
export function isLetIn({ headers: { cookie } }: IncomingMessage, key: string): boolean {
  return cookiesIn(cookie).some(([name, value]) => name === cookieName && safeEqual(value, valueOf(key)))
}

/** Lets the browser in if the address has the key, and leads it on. Returns whether it had. */
export function letIn(address: URL, response: ServerResponse, key: string): boolean {
  if (!safeEqual(address.searchParams.get('key') ?? '', key)) return false
  const to = address.searchParams.get('to') ?? '/'
  // Two slashes would lead to another host.
  const path = /^\/(?![/\\])/.test(to) ? to : '/'
  response.writeHead(303, {
    ...locationHeader(path),
    'set-cookie': `${cookieName}=${valueOf(key)}; ${attributes}`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  })
  response.end()
  return true
}

/** Returns a `Cookie` header without the cookies of the service; `undefined` if none is left. */
export function forwardedCookies(header: string | undefined): string | undefined {
  const left = cookiesIn(header).filter(([name]) => !ofService.test(name))
  return left.length === 0 ? undefined : left.map((pair) => pair.join('=')).join('; ')
}

/** Returns the `Set-Cookie` headers of a website for its frame: cookies of that host alone. */
export const framedCookies = (headers: readonly string[]): readonly string[] =>
  headers.flatMap((header) => {
    const [pair = '', ...rest] = header.split(';')
    if (ofService.test(pair.trim())) return []
    const remaining = rest.filter((each) => !/^\s*(?:domain|samesite|secure|partitioned)\b/i.test(each))
    return [[pair, ...remaining, ' Secure; SameSite=None; Partitioned'].join(';')]
  })

function cookiesIn(header: string | undefined): readonly (readonly [name: string, value: string])[] {
  return (header ?? '').split(';').flatMap((each) => {
    const at = each.indexOf('=')
    return at === -1 ? [] : [[each.slice(0, at).trim(), each.slice(at + 1).trim()] as const]
  })
}
