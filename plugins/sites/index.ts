import * as v from 'valibot'
import { admittedOrigins, clock, definePlugin, optional } from '../../kernel/index.ts'
import { generateManifest } from '../content/manifest.ts'
import { builtinRegistry } from '../content/registry.ts'
import { outbound } from '../outbound/port.ts'
import { type DraftId, scope, signAccess } from '../scope/port.ts'
import { store } from '../store/port.ts'
import { hostSite, type RegisteredSite, sites, registrations } from './port.ts'
import { createDeclaredBlocks } from './blocks.ts'
import { draftSecrets } from './draft-secrets.ts'
import { fetchFraming, framedAddress } from './framing.ts'
import { createOriginLimits } from './origin-limits.ts'
import { noWebsite } from './refusals.ts'
import { toConfig } from './registration.ts'
import { routes } from './routes.ts'
import { SitesOptions } from './schemas.ts'
import { createSites, type SiteRegistry, siteConfigs } from './service.ts'
import { registeredOrigin } from './site-origin.ts'

const entryMs = 60_000

/** The sites that this installation serves. */
export default definePlugin({
  name: 'sites',
  tag: 'Sites',
  needs: { store, scope, clock, host: optional(hostSite), outbound: optional(outbound) },
  gives: { sites, admits: admittedOrigins },
  collections: [registrations, siteConfigs, draftSecrets],
  options: SitesOptions,
  env: v.object({
    DRAFT_MODE_SECRET: v.pipe(
      v.optional(v.string()),
      v.description('The secret of the draft mode for sites that have registered none of their own.'),
    ),
  }),
  routes,
}).setup(async ({ needs, options, env, production, log, signal }) => {
  const { store, scope, clock, host, outbound } = needs
  const ownSite = {
    siteName: host?.siteName ?? options.siteName,
    demoContent: host?.demoContent ?? options.demoContent,
    isHost: host !== undefined,
    addressOf: host?.addressOf,
  }
  const sharedSecret = env.DRAFT_MODE_SECRET?.trim() || undefined
  const facts = { store, scope, clock, log, ownSite, production, sharedSecret }
  const registry = await createSites({ ...options, ...facts })
  /**
   * Lets this service see a draft on its website, as the frame of an editor does, for the time of a request.
   */
  const entryTo = (id: DraftId, secret: string): string => {
    const now = clock.now()
    return signAccess(id, { secret, now, carrier: 'link', until: now.getTime() + entryMs })
  }
  const declared = createDeclaredBlocks({ ...needs, previewUrl: registry.previewUrl, production, signal })
  const sites: SiteRegistry = {
    ...registry,
    blocks: declared.read,
    register: (...given) => registry.register(...given).finally(declared.forget),
    remove: (doomed) => registry.remove(doomed).finally(declared.forget),
  }

  return {
    gives: { sites, admits: createOriginLimits(sites.sitesAt, scope) },
    handlers: {
      async register({ body }) {
        const id = scope.draft(body)
        const config = toConfig(body)
        const { status, replacedSecret } = await sites.register(id, config, body.secret ?? undefined)
        return {
          status: 200,
          body: {
            status,
            siteId: body.siteId,
            session: scope.key(id),
            config: { id: body.siteId, ...config },
            warnings: replacedSecret ? [replaced] : [],
          },
        }
      },
      async list({ query, caller: { limits } }) {
        const { session } = scope.draft(query)
        const found = (await sites.list(session)).filter(
          ({ id }) => limits?.site === undefined || id === limits.site,
        )
        const isMounted = (id: string): boolean => host !== undefined && id === scope.defaultSiteId
        const entries = found.map(({ config, ...entry }) => ({
          ...config,
          ...entry,
          ...(isMounted(entry.id) && { mounted: true as const }),
        }))
        return { status: 200, body: { sites: entries } }
      },
      async blocks({ query }) {
        const declared = await sites.blocks(scope.draft(query), true)
        return { status: 200, body: declared ?? generateManifest(builtinRegistry) }
      },
      async framing({ query, signal }) {
        const { slug, editorOrigin, version, ...draft } = query
        const id = scope.draft(draft)
        if (!outbound) throw noWebsite()
        const isTrusted = (await registeredOrigin(id, { sites, outbound, production })) !== undefined
        const secret = isTrusted ? await sites.draftSecret(id.siteId) : undefined
        const parameters =
          version === 'published'
            ? { __editor: '0' }
            : { ...id, editorOrigin, __editor: '1', ...(secret && { secret: entryTo(id, secret) }) }
        const page = framedAddress(await sites.previewUrl(id), slug, parameters)
        if (!page) throw noWebsite()
        const editor = new URL(editorOrigin)
        const body = await fetchFraming(outbound, page, { editor, mayBePrivate: !production, signal })
        return { status: 200, body }
      },
      async remove({ query: { key, filter } }) {
        const isMeant = (name: string, { previewUrl }: RegisteredSite): boolean => {
          if (key) return name.includes(key)
          return filter ? (previewUrl ?? '').includes(filter) : false
        }
        return { status: 200, body: await sites.remove(isMeant) }
      },
    },
  }
})

const replaced =
  'This site had another draft secret. A copy of the website that still has it shows no drafts until it registers again.'
