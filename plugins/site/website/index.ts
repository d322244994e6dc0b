import type { IncomingMessage, ServerResponse } from 'node:http'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock, Mount } from '../../../kernel/index.ts'
import type { ContentAdapter } from '../../content/adapter.ts'
import { navigationOf } from '../../content/navigation.ts'
import { draftAccess } from '../draft-access.ts'
import { contentSecurityPolicy, placeholderSvg, renderNotFound, renderPage } from '../render/index.ts'
import { publishedView, readDraft, type DraftSource } from './drafts.ts'

export interface WebsiteOptions {
  readonly siteId: string
  readonly editor: Mount
  readonly adapter: ContentAdapter
  readonly drafts: DraftSource
  readonly draftSecret: string
  /** Where published images lie. */
  readonly assetsDir: string
  readonly clock: Clock
}

const imageTypes: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp', gif: 'image/gif' }
const imageName = /^\/generated-images\/([A-Za-z0-9_-]{1,160}\.(png|jpe?g|webp|gif))$/i

/**
 * A small website: pages from its content source, drafts from the orchestrator for whoever is let in, and its editor routes.
 *
 * `GET /draft` lets the browser see drafts without being asked for the secret. That is a convenience of the demo, which
 * listens on the loopback address only.
 */
export function createWebsite({ siteId, editor, adapter, drafts, draftSecret, assetsDir, clock }: WebsiteOptions) {
  const page = async (request: IncomingMessage, response: ServerResponse, path: string, search: string): Promise<void> => {
    const access = draftAccess({ cookie: request.headers.cookie, search }, { secret: draftSecret, clock })
    const draft = access && (await readDraft(drafts, access, path))
    const view = draft ?? publishedView(await adapter.readContent(), path)
    const navigation = navigationOf({ slugs: view.slugs, config: view.siteConfig, current: path, siteId })
    const frame = { navigation, siteName: navigation.name }
    const markup = view.page ? renderPage({ ...frame, page: view.page, draft: draft !== undefined }) : renderNotFound(frame)
    send(response, view.page ? 200 : 404, 'text/html; charset=utf-8', markup)
  }

  const file = async (response: ServerResponse, name: string, type: string): Promise<void> => {
    const bytes = await readFile(join(assetsDir, name)).catch(() => undefined)
    if (bytes) send(response, 200, type, bytes)
    else send(response, 404, 'text/plain; charset=utf-8', 'Not found')
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(`http://site.invalid${request.url ?? '/'}`)
    const path = decoded(pathname)
    const image = imageName.exec(pathname)
    if (pathname.startsWith('/api/editor/')) return editor.node(request, response)
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, 'text/plain; charset=utf-8', 'Method not allowed', { allow: 'GET, HEAD' })
    if (path === undefined) return send(response, 400, 'text/plain; charset=utf-8', 'Bad request')
    if (path === '/draft') return send(response, 302, 'text/plain; charset=utf-8', '', { location: `/api/editor/draft?secret=${encodeURIComponent(draftSecret)}&siteId=${siteId}&redirect=/` })
    if (path.endsWith('.svg')) return send(response, 200, 'image/svg+xml', placeholderSvg)
    if (image) return file(response, image[1] ?? '', imageTypes[image[2]?.toLowerCase() ?? ''] ?? 'application/octet-stream')
    return page(request, response, path, search.slice(1)).catch(() => send(response, 500, 'text/plain; charset=utf-8', 'This page cannot be shown now.'))
  }
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

function send(response: ServerResponse, status: number, type: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': `${contentSecurityPolicy}; frame-ancestors 'self' http://localhost:* http://127.0.0.1:*`,
    ...headers,
  })
  response.end(body)
}
