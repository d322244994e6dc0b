import { toOrigin } from '../outbound/port.ts'
import { accessCookieNames, signAccess, type DraftAccess } from './cookies.ts'

/** How a browser reached the site. */
export interface Reached {
  /** Over https. */
  readonly secure: boolean
  /** The header `sec-fetch-site`: whether a page of another site leads here, such as an editor's. */
  readonly from: string | undefined
}

/** Existing sites read these three; none of them authorises anything. */
const named = {
  session: 'editor_draft_session',
  site: 'editor_draft_site_id',
  origin: 'editor_origin',
} as const

/** The cookies that let a browser see a draft: the three that sites read, and the signed one that counts. */
export function accessCookies(
  access: DraftAccess,
  {
    secret,
    now,
    editorOrigin,
    ...reached
  }: Reached & {
    readonly secret: string
    readonly now: Date
    readonly editorOrigin: string | undefined
  },
): readonly string[] {
  const origin = editorOrigin === undefined ? undefined : toOrigin(editorOrigin)
  const values = [
    [named.session, encodeURIComponent(access.session)],
    [named.site, encodeURIComponent(access.siteId)],
    ...(origin === undefined ? [] : [[named.origin, encodeURIComponent(origin)]]),
    [accessCookieNames[reached.secure ? 0 : 1], signAccess(access, { secret, now })],
  ]
  const attributes = isForeign(reached) ? inFrame : reached.secure ? overHttps : overHttp
  return values.map(([name, value]) => `${name}=${value}; ${attributes}`)
}

/** The cookies that end it, in every form in which they may have been set. */
export function endedCookies({ secure }: Pick<Reached, 'secure'>): readonly string[] {
  const names = [...Object.values(named), ...accessCookieNames]
  const end = (attributes: string) => (name: string) => `${name}=; Max-Age=0; ${attributes}`
  if (secure) return [...names.map(end(overHttps)), ...names.map(end(inFrame))]
  return names.filter((name) => !name.startsWith('__Host-')).map(end(overHttp))
}

const overHttp = 'Path=/; HttpOnly; SameSite=Lax'
const overHttps = 'Path=/; HttpOnly; Secure; SameSite=Lax'
/** In a frame of another site a browser sends no other cookie than this, and this only over https. */
const inFrame = 'Path=/; HttpOnly; Secure; SameSite=None; Partitioned'

/** A browser that does not say where it comes from may be in a frame. */
const isForeign = ({ secure, from }: Reached): boolean =>
  secure && (from === undefined || from === 'cross-site')
