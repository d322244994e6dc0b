import { type Clock, withoutTrailingSlash } from '../../kernel/index.ts'
import { pageAddress } from '../content/page-address.ts'
import { toOrigin, toOriginSet, type Outbound } from '../outbound/port.ts'
import type { Scope } from '../scope/port.ts'
import { signAccess, type Origin } from '../site/port.ts'
import { registeredOrigin, type Sites } from '../sites/port.ts'
import type { Camera, PageToCapture } from './camera.ts'
import { refusals } from './refusals.ts'
import type { Screenshot, ScreenshotBody } from './schemas.ts'

/**
 * Creates the function that takes screenshots.
 *
 * Drafts are at `/preview-draft`, or at the page itself on sites without that path. Scripts of the page read
 * its address, so it has an access signed for an hour instead of the secret, and that only for configured
 * origins, because any caller may have registered another one.
 *
 * Refuses like the camera, and with 400 a slug that is an address, an unknown site address, and one that is
 * not allowed.
 */
export function createScreenshot(context: {
  readonly scope: Pick<Scope, 'draft'>
  readonly sites: Pick<Sites, 'previewUrl' | 'draftSecret'>
  readonly outbound: Pick<Outbound, 'isAllowedOrigin'>
  readonly camera: Pick<Camera, 'take'>
  readonly clock: Clock
  readonly production: boolean
}) {
  const { scope, sites, outbound, camera, clock } = context

  const toTarget = async (
    body: ScreenshotBody,
    signedFor: Origin,
  ): Promise<PageToCapture & Pick<Screenshot, 'slug'>> => {
    const id = scope.draft(body)
    const [registeredUrl, registered] = await Promise.all([
      sites.previewUrl(id),
      registeredOrigin(id, context),
    ])
    const previewUrl = body.previewUrl?.trim() || registeredUrl
    if (!previewUrl) throw refusals.previewUrlMissing()
    const origin = toOrigin(previewUrl)
    const isConfigured = origin !== undefined && outbound.isAllowedOrigin(origin)
    if (origin === undefined || (!toOriginSet([registered ?? '']).has(origin) && !isConfigured))
      throw refusals.previewUrlNotAllowed()

    const slug = body.slug.startsWith('/') ? body.slug : `/${body.slug}`
    const page = pageAddress(origin, body.slug)
    if (!page) throw refusals.slugIsUrl()
    const base = withoutTrailingSlash(new URL(previewUrl).pathname)
    const urlOf = (path: string, query: Readonly<Record<string, string>> = {}): URL => {
      const url = new URL(page)
      url.pathname = base + path
      url.search = new URLSearchParams(query).toString()
      return url
    }
    if (body.published) {
      const url = urlOf(page.pathname)
      return { slug, origin, tries: [{ url, pageInfo: { url: url.href, mode: 'published' } }] }
    }
    const draft = { session: id.session, siteId: id.siteId }
    const secret = isConfigured ? await sites.draftSecret(id.siteId) : undefined
    const signed =
      secret !== undefined
        ? { secret: signAccess(id, { secret, now: clock.now(), carrier: 'link', ...signedFor }) }
        : {}
    const { pathname } = page
    const tries = [`/preview-draft${pathname === '/' ? '' : pathname}`, pathname].map((path) => ({
      url: urlOf(path, { ...draft, ...signed }),
      pageInfo: { url: urlOf(path, draft).href, mode: 'draft' } as const,
    }))
    return { slug, origin, tries }
  }

  return async (body: ScreenshotBody, signal: AbortSignal, signedFor: Origin = {}): Promise<Screenshot> => {
    const target = await toTarget(body, signedFor)
    const { pageInfo, jpeg, ...size } = await camera.take(target, signal)
    return { ...pageInfo, slug: target.slug, mimeType: 'image/jpeg', base64: jpeg, ...size }
  }
}
