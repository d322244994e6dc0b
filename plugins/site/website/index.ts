import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock, Mount } from '../../../kernel/index.ts'
import { isLoopbackHost } from '../../auth/port.ts'
import type { ContentAdapter } from '../../content/adapter.ts'
import { navigationOf } from '../../content/navigation.ts'
import { signAccess } from '../cookies.ts'
import { usualSession } from '../draft-access.ts'
import { accessCookies } from '../draft-cookies.ts'
import type { DraftSource } from '../draft-source.ts'
import { readEditorPage } from '../editor-page.ts'
import { livePreviewText } from '../live-script.ts'
import { placeholderSvg, renderNotFound, renderPage, withScript } from '../render/index.ts'
import { readImage } from './images.ts'
import { send, sendText } from './send.ts'

export interface WebsiteOptions {
  /** In normal form. */
  readonly siteId: string
  readonly editor: Pick<Mount, 'node'>
  readonly adapter: ContentAdapter
  readonly drafts: DraftSource
  /** The origin at which browsers reach the orchestrator, to hear of changes. */
  readonly orchestrator: string
  /** Further origins of ours: of editors, and of the orchestrator under its public name. */
  readonly origins: readonly string[]
  readonly draftSecret: string
  /** Where published images lie. */
  readonly assetsDir: string
  readonly clock: Clock
}

export type Website = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * A small website: pages from its content source, drafts from the orchestrator for whoever is let in, and its
 * editor routes.
 *
 * `GET /draft` lets the browser see drafts without being asked for the secret. That is a convenience of the
 * demo, which listens on the loopback address only, and it answers to the names of that address only.
 */
export function createWebsite(options: WebsiteOptions): Website {
  const { siteId, editor, adapter, drafts, orchestrator, origins, draftSecret: secret, assetsDir, clock } = options

  const showPage = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const shown = await readEditorPage(path, request, { adapter, drafts, secret, siteId, clock })
    const { page, slugs, siteConfig, source } = shown
    // A page that is not there is no item of the menu.
    const current = page && path
    const navigation = navigationOf({ slugs, config: siteConfig, current, siteId })
    const frame = { navigation, siteName: navigation.name }
    const ownOrigins = [`http://${request.headers.host ?? ''}`, orchestrator, ...origins]
    // It opens what the cookie opens, where the orchestrator asks for a token.
    const accessToken = shown.access && signAccess(shown.access, { secret, now: clock.now() })
    const script = page ? livePreviewText(shown, { orchestrator, accessToken }) : ''
    const markup = page ? renderPage({ ...frame, page, script, draft: source === 'draft', ownOrigins }) : renderNotFound(frame)
    const policy = script === '' ? {} : { policy: withScript(script, orchestrator) }
    send(response, { status: page ? 200 : 404, type: 'text/html; charset=utf-8', body: markup, ...policy })
  }

  const enterDraft = (response: ServerResponse): void => {
    const here = { secure: false, from: undefined }
    const visit = { secret, now: clock.now(), editorOrigin: undefined }
    const cookies = accessCookies({ siteId, session: usualSession }, { ...here, ...visit })
    send(response, { status: 302, headers: { location: '/', 'set-cookie': [...cookies] } })
  }

  const showImage = async (response: ServerResponse, path: string): Promise<void> => {
    const image = await readImage(assetsDir, path)
    if (image) send(response, { status: 200, ...image })
    else sendText(response, 404, 'Not found')
  }

  const answer: Website = async (request, response) => {
    const path = readPath(request.url)
    if (path === undefined) return sendText(response, 400, 'Bad request')
    if (path.startsWith('/api/editor/')) return editor.node(request, response)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return sendText(response, 405, 'Method not allowed', { allow: 'GET, HEAD' })
    }
    // A page may reach this server by any name that its owner lets point here.
    if (path === '/draft' && isLoopbackHost(request.headers.host)) return enterDraft(response)
    if (path.startsWith('/generated-images/')) return showImage(response, path)
    const type = 'image/svg+xml'
    if (path.endsWith('.svg')) return send(response, { status: 200, type, body: placeholderSvg })
    return showPage(request, response, path)
  }

  return (request, response) =>
    answer(request, response).catch(() => sendText(response, 500, 'This page cannot be shown now.'))
}

/** The decoded path that a request asks for; `undefined` for what is no path, or has a bad escape. */
function readPath(url = '/'): string | undefined {
  const parsed = url.startsWith('/') ? URL.parse(`http://site.invalid${url}`) : null
  if (!parsed) return undefined
  try {
    return decodeURIComponent(parsed.pathname)
  } catch {
    return undefined
  }
}
