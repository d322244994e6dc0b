import { toOrigin, toOriginSet, type Outbound } from '../outbound/port.ts'
import type { DraftId } from '../scope/port.ts'
import { registeredOrigin, type Sites } from '../sites/port.ts'
import { siteOriginNotAllowed } from './refusals.ts'

/** The rules for sites to compare with and publish to. */
export type SiteOrigins = ReturnType<typeof createSiteOrigins>

export function createSiteOrigins(context: {
  /** The configured origins of editors and sites. */
  readonly listed: readonly string[]
  readonly production: boolean
  readonly sites: Pick<Sites, 'previewUrl'>
  readonly outbound: Pick<Outbound, 'isAllowedOrigin'>
}) {
  const { listed, production, sites } = context
  const configured = toOriginSet(listed)
  return {
    /**
     * Returns the origin of the site named in a request, `undefined` if none is named.
     *
     * It must be one of the configured origins or, outside production, the registered origin of the site.
     * Refuses others with 400 `site_origin_not_allowed`.
     */
    async named(id: DraftId, siteOrigin = ''): Promise<string | undefined> {
      if (siteOrigin.trim() === '') return undefined
      const origin = toOrigin(siteOrigin)
      if (origin !== undefined && configured.has(origin)) return origin
      const registered = production ? undefined : await sites.previewUrl(id)
      if (origin === undefined || registered === undefined || !toOriginSet([registered]).has(origin))
        throw siteOriginNotAllowed()
      return origin
    },
    /** Returns the registered origin of the site of a draft, if it may be called without being named. */
    registered: (id: DraftId) => registeredOrigin(id, context),
  }
}
