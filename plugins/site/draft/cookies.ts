import { withLoopbackTwin } from '../../../kernel/index.ts'
import { toOrigin } from '../../outbound/port.ts'
import { accessCookieNames, signAccess, type DraftAccess, type Origin } from './signature.ts'

/** Existing sites read these three; none of them authorises anything. */
const named = {
  session: 'editor_draft_session',
  site: 'editor_draft_site_id',
  origin: 'editor_origin',
} as const

const overHttp = 'Path=/; HttpOnly; SameSite=Lax'
const overHttps = 'Path=/; HttpOnly; Secure; SameSite=Lax'
/** Attributes of the only cookies that a browser sends from a frame of another site, and only over https. */
const inFrame = 'Path=/; HttpOnly; Secure; SameSite=None; Partitioned'

/** Returns the cookies that let a browser see a draft: three for sites, and a signed one that authorises. */
export function accessCookies(
  access: DraftAccess,
  {
    secret,
    now,
    editorOrigin,
    secure,
    from,
    origin: given,
  }: {
    /** The signed entry whose place the cookies take: they are valid as long as it. */
    readonly origin?: Origin | undefined
    readonly secret: string
    readonly now: Date
    readonly editorOrigin: string | undefined
    /** Whether the browser reaches the site over https. */
    readonly secure: boolean
    /** The header `sec-fetch-site`: whether the request comes from a page of another site. */
    readonly from: string | undefined
  },
): readonly string[] {
  const origin = editorOrigin === undefined ? undefined : toOrigin(editorOrigin)
  const values = [
    [named.session, encodeURIComponent(access.session)],
    [named.site, encodeURIComponent(access.siteId)],
    ...(origin === undefined ? [] : [[named.origin, encodeURIComponent(origin)]]),
    [
      accessCookieNames[secure ? 0 : 1],
      signAccess(access, { secret, now, until: given?.until, by: given?.by }),
    ],
  ]
  // Without `sec-fetch-site`, the page may be in a frame.
  const isForeign = secure && (from === undefined || from === 'cross-site')
  const attributes = isForeign ? inFrame : secure ? overHttps : overHttp
  return values.map(([name, value]) => `${name}=${value}; ${attributes}`)
}

/** Returns the cookies that end draft mode, in all forms that may have been set. */
export function endedCookies({ secure }: { readonly secure: boolean }): readonly string[] {
  const names = [...Object.values(named), ...accessCookieNames]
  const end = (attributes: string) => (name: string) => `${name}=; Max-Age=0; ${attributes}`
  if (secure) return [...names.map(end(overHttps)), ...names.map(end(inFrame))]
  return names.filter((name) => !name.startsWith('__Host-')).map(end(overHttp))
}

/** Returns the CSP directive that lets the site itself and its editors show a page in a frame. */
export const frameAncestors = (editorOrigins: readonly string[]): string =>
  ["frame-ancestors 'self'", ...new Set(editorOrigins.flatMap(withLoopbackTwin))].join(' ')

/** Headers of a draft page. Only editors may frame it; no referrer, as the address may contain the secret. */
export const draftHeaders = (editorOrigins: readonly string[]): Readonly<Record<string, string>> => ({
  'cache-control': 'no-store',
  'content-security-policy': frameAncestors(editorOrigins),
  'referrer-policy': 'no-referrer',
})
