import { toOrigin, toOriginSet, type Outbound } from '../outbound/port.ts'
import type { DraftId } from '../scope/port.ts'
import { registeredOrigin, type Sites } from '../sites/port.ts'
import { siteOriginNotAllowed } from './refusals.ts'

/** Which sites may be called. */
export type SiteOrigins = ReturnType<typeof createSiteOrigins>

/** Makes the rules for sites that are compared with and published to. */
export function createSiteOrigins({ listed, production, sites, outbound }: {
  /** The configured origins of editors and sites. */
  readonly listed: readonly string[]
  readonly production: boolean
  readonly sites: Pick<Sites, 'previewUrl'>
  readonly outbound: Pick<Outbound, 'isAllowedOrigin'>
}) {
  const configured = toOriginSet(listed)

  return {
    /**
     * The site that a request names, as an origin; `undefined` when it names none.
     *
     * It must be one of the configured origins, or outside production the registered one of the site.
     * Refuses with 400 `site_origin_not_allowed`.
     */
    async named(id: DraftId, siteOrigin: string | undefined): Promise<string | undefined> {
      if (siteOrigin === undefined || siteOrigin.trim() === '') return undefined
      const origin = toOrigin(siteOrigin)
      if (origin !== undefined && configured.has(origin)) return origin
      const registered = production ? undefined : await sites.previewUrl(id)
      if (origin === undefined || registered === undefined || !toOriginSet([registered]).has(origin))
        throw siteOriginNotAllowed()
      return origin
    },
    /** The registered origin of the site of a draft, if it may be called without being named. */
    registered: (id: DraftId) => registeredOrigin(id, { sites, outbound, production }),
  }
}
