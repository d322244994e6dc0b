import * as v from 'valibot'
import { clock, countOption, definePlugin, gates, optional, withTimeout } from '../../kernel/index.ts'
import { keptSecret, refuseAddress, signers, type Signers } from '../auth/port.ts'
import { planPreviews } from '../chat/port.ts'
import { drafts } from '../draft/port.ts'
import { publicBase } from '../media/port.ts'
import { outbound } from '../outbound/port.ts'
import { snapshots } from '../publish/port.ts'
import { scope } from '../scope/port.ts'
import { signAccess } from '../site/port.ts'
import { mountPath, registeredOrigin, sites } from '../sites/port.ts'
import { store } from '../store/port.ts'
import { startBrowser } from './browser.ts'
import { createCamera } from './camera.ts'
import { createLinkGate, createLinks, linkGate } from './links.ts'
import { pageCamera } from './port.ts'
import { refusals } from './refusals.ts'
import { routes } from './routes.ts'
import { PreviewVariables } from './schemas.ts'
import { createScreenshot } from './screenshot.ts'
import { createViews } from './views.ts'

/** `maxBytes` of all answers that a page loads, `idleMs` until the browser is stopped. */
const cameraLimits = { maxAtOnce: 2, maxWaiting: 8, maxBytes: 50 * 1024 * 1024, idleMs: 60_000 }

/** For the website to answer, before its draft is entered. */
const mostWaitMs = 2_000

const noSigners: Signers = { nameOf: () => undefined, isLive: async () => false }

/** Screenshots of pages, and signed links that show one page, or two side by side, in any of its states. */
export default definePlugin({
  name: 'preview',
  tag: 'Preview',
  options: v.object({ timeoutMs: countOption(30_000) }),
  env: PreviewVariables,
  needs: {
    access: gates.access,
    store,
    clock,
    drafts,
    scope,
    sites,
    outbound,
    snapshots: optional(snapshots),
    plans: optional(planPreviews),
    signers: optional(signers),
    mountPath: optional(mountPath),
  },
  gives: { linkGate, pageCamera },
  routes,
}).setup(async ({ needs, options, env, shape, production, log }) => {
  const { store, clock, scope, sites, outbound, mountPath } = needs
  const program = env.PREVIEW_BROWSER || undefined
  const start = () => startBrowser({ program, sandbox: env.PREVIEW_SANDBOX === 'on' })
  const camera = createCamera({ start, outbound, log, ...cameraLimits, ...options })
  const { signers = noSigners } = needs
  const links = createLinks({ secret: await keptSecret(store, 'preview-links'), clock, signers })
  const read = createViews(needs)
  const screenshot = createScreenshot({ ...needs, camera, production })
  const base = publicBase(env, { shape, mountPath })

  return {
    gives: {
      linkGate: createLinkGate(needs.access),
      pageCamera: {
        async photograph(url, { allowOrigin = false, signal }) {
          const pageInfo = { url: url.href, mode: 'published' } as const
          return (
            await camera.take({ origin: allowOrigin ? url.origin : '', tries: [{ url, pageInfo }] }, signal)
          ).jpeg
        },
      },
    },
    close: () => camera.close(),
    handlers: {
      async screenshot({ body, caller, signal }) {
        refuseAddress(caller, body.previewUrl)
        const origin = { by: signers.nameOf(caller), until: caller.until }
        return { status: 200, body: await screenshot(body, signal, origin) }
      },
      async link({ body, caller }) {
        const { session, siteId, slug, framed, ...shown } = body
        const claims = { ...links.claim(scope.draft({ session, siteId }), slug, shown, caller), framed }
        const views = shown.what === 'compare' ? [shown.before, shown.after] : [shown]
        const viewed = await Promise.all(views.map((view) => read(claims, slug, view)))
        if (viewed.every(({ page }) => page === undefined))
          throw refusals.notFound(
            `The page '${slug}' does not exist. GET /draft/slugs lists the pages of the draft.`,
          )
        const url = `${base}/preview/show?${new URLSearchParams({ link: links.sign(claims) })}`
        return { status: 200, body: { url, expiresAt: new Date(claims.until).toISOString() } }
      },
      async entry({ body, caller }) {
        const id = scope.draft(body)
        const secret = await sites.draftSecret(id.siteId)
        if (!secret) throw refusals.noDraftSecret()
        // A browser hands it to the registered address, which must be as trustworthy as for requests of our own.
        const site = await registeredOrigin(id, { sites, outbound, production })
        const isAllowed = site !== undefined || (await sites.previewUrl(id)) === undefined
        if (!isAllowed) throw refusals.previewUrlNotAllowed()
        const origin = { by: signers.nameOf(caller), until: caller.until }
        // How the website spells its addresses is known once one of its editor routes has answered.
        if (site !== undefined)
          await withTimeout(mostWaitMs, sites.blocks(id), () => undefined).catch(() => undefined)
        const trailingSlash = site !== undefined && outbound.hasTrailingSlash(site)
        return {
          status: 200,
          body: {
            secret: signAccess(id, { secret, now: clock.now(), carrier: 'link', ...origin }),
            ...(trailingSlash && { trailingSlash }),
          },
        }
      },
      async show({ query }) {
        const { show } = await import('./show.ts')
        return show(query.link, {
          links,
          read,
          siteOf: (id) => registeredOrigin(id, { sites, outbound, production }),
        })
      },
    },
  }
})
