import { clock, definePlugin } from '../../kernel/index.ts'
import { generateManifest } from '../content/manifest.ts'
import { listed } from '../content/read-pages.ts'
import { settingsToSend } from '../content/settings-form.ts'
import { builtinRegistry } from '../content/registry.ts'
import { locationHeader } from '../content/site-address.ts'
import { defaultSession } from '../scope/port.ts'
import { readContentOf, tagOf } from './content.ts'
import { accessCookies, endedCookies } from './draft/cookies.ts'
import { readAccess } from './draft/signature.ts'
import { queryOf, safeRedirect, withoutEditorParameters } from './draft/visit.ts'
import { draftGate, publishGate } from './gates.ts'
import { siteOptions } from './port.ts'
import { publishToSite } from './publish/service.ts'
import { routes, siteGates } from './routes.ts'
import { contentUnavailable } from './refusals.ts'

// For the command line and its demo site.
export { jsonFile } from './adapters/json-file.ts'
export { readBody } from './adapters/read-body.ts'
export { readContentFile, writeContentFile } from './content.ts'
export { grantedAccess, watcherOf } from './draft/access.ts'
export { accessCookies, draftHeaders, frameAncestors } from './draft/cookies.ts'
export { livePreviewScript, readEditorPage } from './draft/page.ts'
export { draftLink, signAccess } from './draft/signature.ts'
export { draftsAt, type DraftSource } from './draft/source.ts'
export { queryOf, safeRedirect, toDraftRequest, type Visit } from './draft/visit.ts'
export { jsonFilePublishHandler } from './publish/json-file.ts'

/** The editor routes of a website: its block types, its pages, draft mode, and publishing. */
export default definePlugin({
  name: 'site',
  tag: 'Sites',
  needs: { site: siteOptions, clock },
  gives: { publish: siteGates.publish, draft: siteGates.draft },
  routes,
}).setup(({ needs: { site, clock }, production, log }) => {
  const { adapter, registry = builtinRegistry, siteId, publishSecret, draftSecret } = site
  const manifest = generateManifest(registry)
  const isSecure = (call: { readonly secure: boolean }): boolean => site.secure ?? call.secure
  const redirectTo = (location: string, cookies: readonly string[]) =>
    ({ status: 307, body: null, headers: { ...locationHeader(location), 'set-cookie': cookies } }) as const
  /** Returns a sentence for a request about another site, `undefined` for this one. */
  const otherSite = (wanted = ''): string | undefined =>
    siteId === undefined || ['', siteId].includes(wanted.trim().toLowerCase())
      ? undefined
      : `This is the site '${siteId}', not '${wanted.slice(0, 64)}'. Register each site with its own address.`

  let isMissing = (site.missing ?? []).length > 0
  const warnOnce = (): void => {
    if (isMissing)
      log.warn(
        { variables: site.missing },
        'variables for editors are not set: drafts, publishing or the editor will be refused',
      )
    isMissing = false
  }

  return {
    gives: {
      publish: publishGate(publishSecret, production),
      draft: draftGate({ secret: draftSecret, siteId, clock }),
    },
    handlers: {
      blocks() {
        warnOnce()
        return { status: 200, body: manifest }
      },
      async pages({ query }) {
        warnOnce()
        const named = siteId !== undefined && { siteId }
        if (otherSite(query.siteId) !== undefined) return { status: 200, body: { pages: [], ...named } }
        const content = await readContentOf(adapter).catch((err: unknown) => {
          log.error({ err }, 'content could not be read')
          throw contentUnavailable()
        })
        const { unreadable, siteConfig, ...usable } = content
        return {
          status: 200,
          headers: { etag: tagOf(content) },
          body: {
            ...usable,
            ...(siteConfig && { siteConfig: settingsToSend(siteConfig) }),
            ...(unreadable && { unreadable: [...listed(unreadable)] }),
            ...named,
          },
        }
      },
      draft(call) {
        const { redirect, slug, session, siteId: wanted, editorOrigin } = call.query
        const location = safeRedirect(redirect ?? slug)
        const inside = queryOf(location)
        const access = {
          siteId: siteId ?? (wanted || inside.get('siteId') || ''),
          session: session || inside.get('session') || defaultSession,
        }
        // The gate admits no request without a secret.
        const [secret, now] = [draftSecret ?? '', clock.now()]
        return redirectTo(
          location,
          accessCookies(access, {
            secret,
            now,
            origin: readAccess(call.query.secret ?? '', { secret, now, carrier: 'link' }),
            editorOrigin: editorOrigin || inside.get('editorOrigin') || undefined,
            secure: isSecure(call),
            from: call.header('sec-fetch-site'),
          }),
        )
      },
      disable(call) {
        const location = withoutEditorParameters(safeRedirect(call.query.redirect ?? call.query.slug))
        return redirectTo(location, endedCookies({ secure: isSecure(call) }))
      },
      publish({ body: { siteId: wanted, ...publication }, header }) {
        const reason = otherSite(wanted)
        if (reason !== undefined) return { status: 409, body: { ok: false, error: 'refused', reason } }
        return publishToSite({ ...publication, ifMatch: header('if-match') }, site, log)
      },
    },
  }
})
