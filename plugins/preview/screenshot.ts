import type { Outbound } from '../outbound/port.ts'
import type { Scope } from '../scope/port.ts'
import { registeredOrigin, type Sites } from '../sites/port.ts'
import { windowSize, type Camera } from './camera.ts'
import type { Screenshot, ScreenshotBody } from './schemas.ts'
import { toTarget } from './target.ts'

export interface ScreenshotParts {
  readonly scope: Pick<Scope, 'draft'>
  readonly sites: Pick<Sites, 'previewUrl'>
  readonly outbound: Pick<Outbound, 'isAllowedOrigin'>
  readonly camera: Pick<Camera, 'take'>
  readonly production: boolean
  /** Opens drafts on sites. */
  readonly secret: string | undefined
}

/** Makes what takes the picture that a request asks for. Refuses as `toTarget` and the camera do. */
export function createScreenshot({ scope, sites, outbound, camera, production, secret }: ScreenshotParts) {
  return async (body: ScreenshotBody, signal: AbortSignal): Promise<Screenshot> => {
    const id = scope.draft(body)
    const [previewUrl, origin] = await Promise.all([sites.previewUrl(id), registeredOrigin(id, { sites, outbound, production })])
    const target = toTarget(body, { registered: { previewUrl, origin }, isAllowedOrigin: (url) => outbound.isAllowedOrigin(url), secret, id })
    const { about, jpeg } = await camera.take(target, signal)
    return { ...about, slug: target.slug, mimeType: 'image/jpeg', base64: jpeg, ...windowSize }
  }
}
