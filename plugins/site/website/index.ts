import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Clock, Mount } from '../../../kernel/index.ts'
import type { ContentAdapter } from '../../content/adapter.ts'
import { signAccess } from '../cookies.ts'
import type { DraftSource } from '../draft-source.ts'
import { queryOf } from '../editor-context.ts'
import { readEditorPage } from '../editor-page.ts'
import { livePreviewScript } from '../live-script.ts'
import { placeholderSvg, renderEditorPage, withScript } from '../render/index.ts'
import { safeRedirect } from '../safe-redirect.ts'
import { createEntry } from './entry.ts'
import { readImage } from './images.ts'
import { createSend } from './send.ts'

export interface WebsiteOptions {
  /** In normal form. */
  readonly siteId: string
  readonly editor: Pick<Mount, 'node'>
  readonly adapter: ContentAdapter
  readonly drafts: DraftSource
  /** The origin at which browsers reach the orchestrator, to hear of changes. */
  readonly orchestrator: string
  /** Further origins of ours, such as that of the orchestrator under its public name. */
  readonly origins: readonly string[]
  /** Whose pages may show the site in a frame. */
  readonly editorOrigins: readonly string[]
  readonly draftSecret: string
  /** Where public files lie: in its folder `generated-images` the published images. */
  readonly publicDir: string
  readonly clock: Clock
}

export type Website = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * A small website: pages from its content source, drafts from the orchestrator for whoever is let in, and its
 * editor routes.
 *
 * `GET /draft` lets the browser see drafts without being asked for the secret, and leads on to `redirect`; so does a page
 * that an editor shows in a frame. That is a convenience of the demo, which listens on the loopback address only, and it
 * answers to the names of that address only.
 */
export function createWebsite(options: WebsiteOptions): Website {
  const { siteId, editor, adapter, drafts, orchestrator, origins, editorOrigins, draftSecret: secret, publicDir, clock } = options
  const entry = createEntry(options)
  const send = createSend(editorOrigins)
  const sendText = (response: ServerResponse, status: number, body: string, headers?: OutgoingHttpHeaders): void =>
    send(response, { status, body, ...(headers && { headers }) })
  const letIn = (request: IncomingMessage, response: ServerResponse, path: string): void =>
    send(response, { status: 302, headers: entry.headers(request, path) })

  const showPage = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const shown = await readEditorPage(path, entry.visit(request), { adapter, drafts, orchestrator, secret, siteId, editorOrigins, clock })
    if (!shown.access && entry.isOpen(request) && entry.isEditor(request)) return letIn(request, response, safeRedirect(request.url))
    const ownOrigins = [`http://${request.headers.host ?? ''}`, orchestrator, ...origins, ...editorOrigins]
    // It opens what the cookie opens, where the orchestrator asks for a token.
    const accessToken = shown.access && signAccess(shown.access, { secret, now: clock.now() })
    const script = shown.page ? livePreviewScript(shown, { accessToken }) : ''
    const markup = renderEditorPage(shown, { siteId, script, ownOrigins })
    const policy = script === '' ? {} : { policy: withScript(script, orchestrator) }
    send(response, { status: shown.page ? 200 : 404, type: 'text/html; charset=utf-8', body: markup, ...policy })
  }

  const showImage = async (response: ServerResponse, path: string): Promise<void> => {
    const image = await readImage(publicDir, path)
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
    if (path === '/draft' && entry.isOpen(request)) {
      return letIn(request, response, safeRedirect(queryOf(request.url ?? '').get('redirect') ?? undefined))
    }
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
