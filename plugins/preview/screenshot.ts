import { type Clock, withoutTrailingSlash } from '../../kernel/index.ts'
import { toOrigin, type Outbound } from '../outbound/port.ts'
import type { DraftId, Scope } from '../scope/port.ts'
import { signAccess } from '../site/port.ts'
import { registeredOrigin, type Sites } from '../sites/port.ts'
import type { Camera, Target } from './camera.ts'
import { refusals } from './refusals.ts'
import type { Screenshot, ScreenshotBody } from './schemas.ts'

/**
 * Resolves the address of the requested page.
 *
 * Drafts are at `/preview-draft`, or at the page itself on sites without that path. Scripts of the page read its
 * address, so it has an access signed for an hour instead of the secret, and that only for configured origins,
 * because any caller may have registered another one.
 *
 * Refuses with 400 a slug that is an address, an unknown site address, and one that is not allowed.
 */
function toTarget(
  { published, ...body }: Omit<ScreenshotBody, 'session' | 'siteId'>,
  {
    registered,
    isAllowedOrigin,
    signed,
    id,
  }: {
    /** The registered address, and its origin if requests to it are allowed. */
    readonly registered: { readonly previewUrl: string | undefined; readonly origin: string | undefined }
    readonly isAllowedOrigin: (url: string) => boolean
    /** The signed access to the draft. */
    readonly signed: string | undefined
    /** The draft id, as sent to the site. */
    readonly id: DraftId
  },
): Target {
  if (/^\s*https?:\/\//i.test(body.slug)) throw refusals.slugIsUrl()
  const slug = body.slug.startsWith('/') ? body.slug : `/${body.slug}`
  const previewUrl = body.previewUrl?.trim() || registered.previewUrl
  if (!previewUrl) throw refusals.previewUrlMissing()
  const origin = toOrigin(previewUrl)
  if (origin === undefined || (origin !== registered.origin && !isAllowedOrigin(origin)))
    throw refusals.previewUrlNotAllowed()

  const base = withoutTrailingSlash(new URL(previewUrl).pathname)
  const urlOf = (path: string, query: Readonly<Record<string, string>> = {}): URL => {
    const url = new URL(origin)
    url.pathname = base + path
    url.search = new URLSearchParams(query).toString()
    return url
  }
  if (published) {
    const url = urlOf(slug)
    return { slug, origin, tries: [{ url, about: { url: url.href, mode: 'published' } }] }
  }
  const context = { session: id.session, siteId: id.siteId }
  const opened = signed !== undefined && isAllowedOrigin(origin) ? { ...context, secret: signed } : context
  const paths = [`/preview-draft${slug === '/' ? '' : slug}`, slug]
  return {
    slug,
    origin,
    tries: paths.map((path) => ({
      url: urlOf(path, opened),
      about: { url: urlOf(path, context).href, mode: 'draft' },
    })),
  }
}

/** Creates the function that takes screenshots. Refuses like `toTarget` and the camera. */
export function createScreenshot({
  scope,
  sites,
  outbound,
  camera,
  clock,
  production,
  secret,
}: {
  readonly scope: Pick<Scope, 'draft'>
  readonly sites: Pick<Sites, 'previewUrl'>
  readonly outbound: Pick<Outbound, 'isAllowedOrigin'>
  readonly camera: Pick<Camera, 'take'>
  readonly clock: Clock
  readonly production: boolean
  /** Opens drafts on sites. */
  readonly secret: string | undefined
}) {
  return async (body: ScreenshotBody, signal: AbortSignal): Promise<Screenshot> => {
    const id = scope.draft(body)
    const [previewUrl, origin] = await Promise.all([
      sites.previewUrl(id),
      registeredOrigin(id, { sites, outbound, production }),
    ])
    const signed =
      secret === undefined ? undefined : signAccess(id, { secret, now: clock.now(), carrier: 'link' })
    const target = toTarget(body, {
      registered: { previewUrl, origin },
      isAllowedOrigin: (url) => outbound.isAllowedOrigin(url),
      signed,
      id,
    })
    const { about, jpeg, ...size } = await camera.take(target, signal)
    return { ...about, slug: target.slug, mimeType: 'image/jpeg', base64: jpeg, ...size }
  }
}
