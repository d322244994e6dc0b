/** The website in a folder, as a server shows its drafts: checkouts with development servers, behind proxies. */
import { hash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { give } from '../../../kernel/index.ts'
import { contentAdapter } from '../../../plugins/content/adapter.ts'
import { generateManifest } from '../../../plugins/content/manifest.ts'
import {
  createAddresses,
  createPreviewProxy,
  type DevProject,
  isLetIn,
  type Pool,
  type Watched,
} from '../../../plugins/checkout/port.ts'
import type { Page } from '../../../plugins/content/page.ts'
import { fileBlocks } from '../../../plugins/files/port.ts'
import type { ContentFiles } from '../../../plugins/files/adapter/index.ts'
import { createPlaces, type Places } from '../../../plugins/page-texts/port.ts'
import { defaultSession } from '../../../plugins/scope/port.ts'
import { toRegistry } from '../../../plugins/site/blocks.ts'
import { grantedAccess, queryOf } from '../../../plugins/site/index.ts'
import { hostSite } from '../../../plugins/sites/port.ts'
import { createSiteEditor } from '../../create-site-editor.ts'
import { draftSecretIn } from '../../site-environment.ts'
import type { OpenWebsite } from '../serve/own-website.ts'
import type { Checkouts } from './checkouts.ts'
import { createPageRoutes, earlyScript, pageScript } from './page-routes.ts'

/** The name of the studio. Those of previews are below it, so that browsers treat both as one website. */
export const editHost = 'edit.localhost'
export const studioOrigin = (port: number): string => `http://${editHost}:${port}`

/** Returns the origin of the preview of a draft; without a session, that of what is published. */
export function previewOrigin(siteId: string, port: number, session: string | undefined): string {
  const own = `${siteId}.${editHost}:${port}`
  if (session === undefined) return `http://published.${own}`
  return `http://${session === defaultSession ? '' : `draft-${hash('sha256', session).slice(0, 12)}.`}${own}`
}

export interface EditedWebsite {
  readonly project: DevProject
  readonly siteId: string
  readonly siteName: string
  readonly files: ContentFiles
  readonly checkouts: Checkouts
  readonly pool: Pool
}

/** What a preview shows: a draft, or without a session what is published. */
interface ShownVersion {
  readonly session: string | undefined
  readonly watched: Watched
  readonly places: Places
}

/** Returns the website for a server, and a function that starts the checkout of the default draft. */
export function editedWebsite({ project, siteId, siteName, files, checkouts, pool }: EditedWebsite) {
  const addresses = createAddresses(project.framework, checkouts.folder)
  const shownDraft = (session: string): ShownVersion => {
    const places = createPlaces([])
    return { session, watched: pool.add(checkouts.draft(session, showIn(places))), places }
  }
  const own = shownDraft(defaultSession)
  const published = { session: undefined, watched: pool.add(checkouts.published), places: createPlaces([]) }

  const open: OpenWebsite = async ({ port, env, log }) => {
    const originOf = (session: string | undefined) => previewOrigin(siteId, port, session)
    const hostOf = (session: string | undefined) => new URL(originOf(session)).host
    const editorOrigin = studioOrigin(port)
    const secret = draftSecretIn(env) ?? randomBytes(16).toString('hex')
    const editor = createSiteEditor({
      adapter: files,
      blocks: fileBlocks,
      draftSecret: secret,
      siteId,
      editorOrigins: [editorOrigin],
      logger: log.child({ site: siteId }),
    })
    const preview = ({ session, watched, places }: ShownVersion) => {
      const host = hostOf(session)
      const key = randomBytes(16).toString('hex')
      const { lineOf, picture } = files
      const shared = { siteId, secret, key, editorOrigin, editor, addresses, lineOf, picture }
      const proxy = createPreviewProxy({
        origin: () => watched.origin,
        problem: () => watched.problem,
        isHost: (given) => given === host,
        key,
        script: session === undefined ? undefined : pageScript,
        early: earlyScript(),
        frameAncestors: [editorOrigin],
        own: createPageRoutes({ ...shared, session, places }),
      })
      return {
        proxy,
        untilReady: session === undefined ? checkouts.hasLastPublish : undefined,
        /** Begins a look at it by a browser that was let in; returns the end of it. */
        look: (request: IncomingMessage) => (isLetIn(request, key) ? watched.look() : () => {}),
      }
    }
    const previews = new Map([own, published].map((shown) => [hostOf(shown.session), preview(shown)]))
    const unknown = preview(own)
    /** Returns the preview at the host of a request; that of another draft is there once a browser enters it. */
    const previewFor = ({ url = '', headers: { host = '' } }: IncomingMessage) => {
      const access = previews.has(host)
        ? undefined
        : grantedAccess({ cookie: undefined, search: queryOf(url).toString() }, { secret, siteId })
      if (access && hostOf(access.session) === host) previews.set(host, preview(shownDraft(access.session)))
      return previews.get(host) ?? unknown
    }
    return {
      origin: originOf(defaultSession),
      variables: { ORCHESTRATOR_DEFAULT_SITE_ID: siteId, DRAFT_MODE_SECRET: secret },
      seeds: [
        give(contentAdapter, files),
        give(hostSite, {
          siteName,
          demoContent: false,
          blocks: generateManifest(toRegistry(fileBlocks)),
          addressOf: originOf,
        }),
      ],
      plugins: [],
      front: {
        isFor: ({ headers: { host = '' } }) => `.${host}`.endsWith(`.${hostOf(defaultSession)}`),
        async request(request, response) {
          const { proxy, untilReady, look } = previewFor(request)
          response.once('close', look(request))
          await untilReady?.()
          return proxy.request(request, response)
        },
        upgrade(request, socket, head) {
          const { proxy, look } = previewFor(request)
          socket.once('close', look(request))
          proxy.upgrade(request, socket, head)
        },
      },
      async close() {
        for (const { proxy } of previews.values()) proxy.close()
        await editor.close()
        await pool.close()
      },
    }
  }
  return { open, start: own.watched.start }
}

/** Returns a function that gets the pages whose texts are found from now on. */
function showIn(places: Places) {
  const shown = new Set<string>()
  return (pages: ReadonlyMap<string, Page | undefined>, isComplete: boolean): void => {
    const gone = isComplete ? [...shown.difference(pages)] : []
    for (const [slug, page] of [...gone.map((slug) => [slug, undefined] as const), ...pages]) {
      if (page) places.update(page)
      else places.remove(slug)
      if (page) shown.add(slug)
      else shown.delete(slug)
    }
  }
}
