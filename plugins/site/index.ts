import { clock, defineRefusal, definePlugin } from '../../kernel/index.ts'
import { generateManifest } from '../content/manifest.ts'
import { builtinRegistry } from '../content/registry.ts'
import { accessCookies, endedCookies, safeRedirect } from './draft-access.ts'
import { draftGate, publishGate } from './gates.ts'
import { siteOptions } from './port.ts'
import { publishToSite } from './publish.ts'
import { routes, siteGates } from './routes.ts'

const contentUnavailable = defineRefusal({
  status: 503,
  code: 'content_unavailable',
  reason: () => 'The content of this site cannot be read now. The log of the site says why.',
})

/** The editor routes of a website: its block types, its pages, draft mode, and publishing. */
export default definePlugin({
  name: 'site',
  tag: 'Sites',
  needs: { site: siteOptions, clock },
  gives: { publish: siteGates.publish, draft: siteGates.draft },
  routes,
}).setup(({ needs: { site, clock }, production, log }) => {
  const { adapter, publish, publishSecret, draftSecret, maxPagesRemoved, registry = builtinRegistry, siteId, secure } = site
  const manifest = generateManifest(registry)
  const isSecure = (call: { readonly secure: boolean }): boolean => secure ?? call.secure

  return {
    gives: { publish: publishGate({ secret: publishSecret, production }), draft: draftGate(draftSecret) },
    handlers: {
      blocks: () => ({ status: 200, body: manifest }),
      async pages({ query }) {
        if (siteId !== undefined && query.siteId !== undefined && query.siteId !== siteId) return { status: 200, body: { pages: [] } }
        const content = await adapter.readContent().catch((err: unknown) => {
          log.error({ err }, 'content could not be read')
          throw contentUnavailable()
        })
        return { status: 200, body: content }
      },
      draft(call) {
        const { redirect, slug, session = 'dev', siteId: wanted, editorOrigin } = call.query
        // The gate let nobody in without the secret.
        const cookies = accessCookies({ siteId: wanted ?? siteId ?? '', session }, { secret: draftSecret ?? '', origin: editorOrigin, secure: isSecure(call), clock })
        return { status: 307, body: null, headers: { location: safeRedirect(redirect ?? slug), 'set-cookie': cookies } }
      },
      disable: (call) => ({ status: 307, body: null, headers: { location: safeRedirect(call.query.redirect ?? call.query.slug), 'set-cookie': endedCookies(isSecure(call)) } }),
      async publish({ body }) {
        const { status, result } = await publishToSite(body, { adapter, publish, maxPagesRemoved, log })
        const { notes, unsupported, slugs } = result
        const remarks = { ...(notes && { notes }), ...(unsupported && { unsupported }) }
        if (status === 200) return { status, body: { ok: true, slugs, ...remarks } }
        return { status, body: { ok: false, error: result.error ?? 'publish_failed', ...(result.reason !== undefined && { reason: result.reason }), ...(slugs.length > 0 && { slugs }), ...remarks } }
      },
    },
  }
})
