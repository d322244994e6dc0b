import { defineRefusal, type JudgeOrigin, sitesOf } from '../../kernel/index.ts'
import { namedSites, type Scope } from '../scope/port.ts'

const siteOfOthers = defineRefusal({
  status: 403,
  code: 'origin_not_allowed',
  reason: (origin: string, sites: ReadonlySet<string>, requested: string) =>
    `Pages of ${origin} may use the drafts of ${[...sites].join(', ')}, and the request is about ${requested}. If this is an editor, add the origin to ORCHESTRATOR_CORS_ORIGINS.`,
})

/** Creates what admits the pages of registered sites, each to the drafts of the sites at its origin. */
export function createOriginLimits(
  sitesAt: (origin: string) => ReadonlySet<string> | undefined,
  scope: Pick<Scope, 'siteId'>,
): JudgeOrigin {
  return (origin) => {
    const sites = sitesAt(origin)
    if (!sites) return false
    return {
      checkSite(route, input) {
        if (sitesOf(route) === 'all') throw siteOfOthers(origin, sites, 'all sites')
        for (const siteId of namedSites(route, input, scope))
          if (!sites.has(siteId)) throw siteOfOthers(origin, sites, `'${siteId}'`)
      },
    }
  }
}
