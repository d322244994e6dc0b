import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock, Mount } from '../../../kernel/index.ts'
import type { ContentAdapter } from '../../content/adapter.ts'
import { navigationOf } from '../../content/navigation.ts'
import { draftAccess, usualSession } from '../draft-access.ts'
import { accessCookies } from '../draft-cookies.ts'
import { placeholderSvg, renderNotFound, renderPage } from '../render/index.ts'
import { publishedView, readDraft, type DraftSource } from './drafts.ts'
import { readImage } from './images.ts'
import { send, sendText } from './send.ts'

export interface WebsiteOptions {
  /** In normal form. */
  readonly siteId: string
  readonly editor: Pick<Mount, 'node'>
  readonly adapter: ContentAdapter
  readonly drafts: DraftSource
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
  const { siteId, editor, adapter, drafts, draftSecret: secret, assetsDir, clock } = options

  const showPage = async (
    { headers }: IncomingMessage,
    response: ServerResponse,
    { path, search }: Target,
  ) => {
    const access = draftAccess({ cookie: headers.cookie, search }, { secret, siteId, clock })
    const draft = access && (await readDraft(drafts, access, path))
    const { page, slugs, siteConfig } = draft ?? publishedView(await adapter.readContent(), path)
    // A page that is not there is no item of the menu.
    const current = page && path
    const navigation = navigationOf({ slugs, config: siteConfig, current, siteId })
    const frame = { navigation, siteName: navigation.name }
    const markup = page ? renderPage({ ...frame, page, draft: draft !== undefined }) : renderNotFound(frame)
    send(response, { status: page ? 200 : 404, type: 'text/html; charset=utf-8', body: markup })
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
    const target = readTarget(request.url)
    if (!target) return sendText(response, 400, 'Bad request')
    const { path } = target
    if (path.startsWith('/api/editor/')) return editor.node(request, response)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return sendText(response, 405, 'Method not allowed', { allow: 'GET, HEAD' })
    }
    if (path === '/draft' && isLoopbackName(request.headers.host)) return enterDraft(response)
    if (path.startsWith('/generated-images/')) return showImage(response, path)
    const type = 'image/svg+xml'
    if (path.endsWith('.svg')) return send(response, { status: 200, type, body: placeholderSvg })
    return showPage(request, response, target)
  }

  return (request, response) =>
    answer(request, response).catch(() => sendText(response, 500, 'This page cannot be shown now.'))
}

interface Target {
  /** Decoded. */
  readonly path: string
  /** Without its question mark. */
  readonly search: string
}

/** What a request asks for; `undefined` for what is no path, or has a bad escape. */
function readTarget(url = '/'): Target | undefined {
  const parsed = url.startsWith('/') ? URL.parse(`http://site.invalid${url}`) : null
  if (!parsed) return undefined
  try {
    return { path: decodeURIComponent(parsed.pathname), search: parsed.search.slice(1) }
  } catch {
    return undefined
  }
}

/** A page may reach this server by any name that its owner lets point here. */
function isLoopbackName(host = ''): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host)
}
