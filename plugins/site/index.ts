import { clock, defineRefusal, definePlugin } from '../../kernel/index.ts'
import { generateManifest } from '../content/manifest.ts'
import { builtinRegistry } from '../content/registry.ts'
import { defaultSession } from '../scope/port.ts'
import { accessCookies, endedCookies } from './draft-cookies.ts'
import { queryOf, withoutContext } from './editor-context.ts'
import { readContentOf } from './files/read-content.ts'
import { draftGate, publishGate } from './gates.ts'
import { siteOptions } from './port.ts'
import { publishToSite } from './publish.ts'
import { routes, siteGates } from './routes.ts'
import { safeRedirect } from './safe-redirect.ts'

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
  const { adapter, publish, maxPagesRemoved, registry = builtinRegistry, siteId } = site
  const [publishSecret, draftSecret] = [unlessBlank(site.publishSecret), unlessBlank(site.draftSecret)]
  const manifest = generateManifest(registry)
  const isSecure = (call: { readonly secure: boolean }): boolean => site.secure ?? call.secure
  /** Says that another site is wanted than this one; `undefined` where this one will do. */
  const otherSite = (wanted = ''): string | undefined =>
    siteId === undefined || ['', siteId].includes(wanted.trim().toLowerCase())
      ? undefined
      : `This is the site '${siteId}', not '${wanted.slice(0, 64)}'. Register each site with the address of its own.`

  let isMissed = (site.missing ?? []).length > 0
  const mentionMissing = (): void => {
    if (isMissed) log.warn({ variables: site.missing }, 'an editor asks, and these variables are not set: drafts, publishing or the editor will be refused')
    isMissed = false
  }

  return {
    gives: { publish: publishGate({ secret: publishSecret, production }), draft: draftGate({ secret: draftSecret, siteId, clock }) },
    handlers: {
      blocks() {
        mentionMissing()
        return { status: 200, body: manifest }
      },
      async pages({ query }) {
        mentionMissing()
        const named = siteId !== undefined && { siteId }
        if (otherSite(query.siteId) !== undefined) return { status: 200, body: { pages: [], ...named } }
        const content = await readContentOf(adapter).catch((err: unknown) => {
          log.error({ err }, 'content could not be read')
          throw contentUnavailable()
        })
        return { status: 200, body: { ...content, ...named } }
      },
      draft(call) {
        const { redirect, slug, session, siteId: wanted, editorOrigin } = call.query
        const location = safeRedirect(redirect ?? slug)
        const inside = queryOf(location)
        const cookies = accessCookies(
          { siteId: siteId ?? (wanted || inside.get('siteId') || ''), session: session || inside.get('session') || defaultSession },
          {
            // The gate let nobody in without the secret.
            secret: draftSecret ?? '',
            now: clock.now(),
            editorOrigin: editorOrigin || inside.get('editorOrigin') || undefined,
            secure: isSecure(call),
            from: call.header('sec-fetch-site'),
          },
        )
        return {
          status: 307,
          body: null,
          headers: { location, 'set-cookie': cookies },
        }
      },
      disable(call) {
        const location = withoutContext(safeRedirect(call.query.redirect ?? call.query.slug))
        return {
          status: 307,
          body: null,
          headers: { location, 'set-cookie': endedCookies({ secure: isSecure(call) }) },
        }
      },
      publish({ body: { siteId: wanted, ...publication } }) {
        const reason = otherSite(wanted)
        if (reason !== undefined) return { status: 409, body: { ok: false, error: 'refused', reason } }
        return publishToSite(publication, { adapter, publish, maxPagesRemoved, log })
      },
    },
  }
})

/** A secret that is blank is none: it would be the one that a request without a secret brings. */
function unlessBlank(secret: string | undefined): string | undefined {
  return secret?.trim() || undefined
}
