import { BootError, invalidRequest } from '../../../kernel/index.ts'
import type { ContentAdapter } from '../../content/adapter.ts'
import type { Scope } from '../../scope/port.ts'
import type { CmsProvider, MediaLibrary } from './provider.ts'
import { refusals } from './refusals.ts'
import type { Browse, Sites } from './schemas.ts'

/** A library; with `paths`, its images may also be paths of the site. */
export interface SiteLibrary extends MediaLibrary {
  readonly paths?: true
}

/** Opens the libraries of all sites. Throws a BootError that names invalid settings, but not their values. */
export function openLibraries({
  scope,
  adapter,
  providers,
  sites,
  mayName,
}: {
  readonly scope: Scope
  /** The adapter of the default site. */
  readonly adapter: ContentAdapter | undefined
  /** The providers, in lookup order for a default library. */
  readonly providers: readonly CmsProvider[]
  /** The settings by site id. */
  readonly sites: Sites
  /** True if requests may name a CMS at this origin. */
  readonly mayName: (origin: string) => boolean
}) {
  const byName = new Map(providers.map((provider) => [provider.name, provider]))
  const providerNames = [...byName.keys()].join(', ')
  const stored = new Map<string, MediaLibrary>()
  const problems: string[] = []
  for (const [site, { cmsMedia }] of Object.entries(sites)) {
    if (!cmsMedia) continue
    const place = `cms-media: option 'sites.${site}.cmsMedia`
    const opened = byName.get(cmsMedia.provider)?.open(cmsMedia)
    if (!opened) problems.push(`${place}.provider': expected one of ${providerNames}`)
    else if ('library' in opened) stored.set(scope.siteId(site), opened.library)
    else problems.push(...opened.problems.map(({ path, message }) => `${place}.${path}': ${message}`))
  }
  if (problems.length > 0) throw new BootError(problems)

  const usual = providers.map((provider) => provider.usual).find((library) => library !== undefined)
  const list = adapter?.listMedia?.bind(adapter)
  const own: SiteLibrary | undefined = list && { provider: 'adapter', origin: '', paths: true, list }

  const named = (config: Browse['config']): MediaLibrary | undefined => {
    if (config === undefined) return undefined
    const opened = byName.get(config.provider)?.open(config)
    if (!opened) throw refusals.unknownProvider(providerNames)
    if ('problems' in opened)
      throw invalidRequest(
        opened.problems.map(({ path, message }) => ({ path: `config.${path}`, message })),
        'body',
      )
    return mayName(opened.library.origin) ? opened.library : undefined
  }

  return {
    /** True if any site has a library. */
    any: own !== undefined || stored.size > 0 || usual !== undefined,
    /** The origins of their images, as far as they are known. */
    imageOrigins: [...stored.values(), ...(usual ? [usual] : [])].flatMap(
      ({ origin, imageOrigins = [origin] }) => imageOrigins,
    ),
    /**
     * Chooses the library: from the request if allowed, else from the adapter, site settings or default.
     *
     * Refuses with 400 `invalid_request` and 404 `cms_media_not_configured`.
     */
    of({ config, ...request }: Pick<Browse, 'siteId' | 'session' | 'config'>): SiteLibrary {
      const { siteId } = scope.draft(request)
      const library =
        named(config) ?? (siteId === scope.defaultSiteId ? own : undefined) ?? stored.get(siteId) ?? usual
      if (!library) throw refusals.notConfigured()
      return library
    },
  }
}
