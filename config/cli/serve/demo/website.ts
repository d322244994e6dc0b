import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Logger, Mount } from '../../../../kernel/index.ts'
import type { ContentAdapter } from '../../../../plugins/content/adapter.ts'
import { locationHeader } from '../../../../plugins/content/site-address.ts'
import { decoded } from '../../../../plugins/content/slugs.ts'
import {
  draftHeaders,
  grantedAccess,
  type DraftSource,
  frameAncestors,
  livePreviewScript,
  queryOf,
  readEditorPage,
  safeRedirect,
  signAccess,
  toDraftRequest,
} from '../../../../plugins/site/index.ts'
import {
  contentSecurityPolicy,
  placeholderSvg,
  readImage,
  renderEditorPage,
  withScript,
} from '../../../site-render.ts'
import { createEntry, passParameter, type EntryOptions } from './entry.ts'

export interface WebsiteOptions extends EntryOptions {
  readonly editor: Pick<Mount, 'node'>
  readonly adapter: ContentAdapter
  readonly drafts: DraftSource
  /** The origin at which browsers reach the orchestrator, to follow changes. */
  readonly orchestrator: string
  /** Other origins of ours, such as the public origin of the orchestrator. */
  readonly origins: readonly string[]
  /** Host names, without port, that requests may name besides those of this machine. */
  readonly hosts: readonly string[]
  /** The folder of public files, with published images in its subfolder `generated-images`. */
  readonly publicDir: string
  readonly log: Pick<Logger, 'error'>
}

type Website = (request: IncomingMessage, response: ServerResponse) => Promise<void>

interface WebsiteResponse {
  readonly status: number
  readonly type?: string
  readonly body?: string | Uint8Array
  readonly headers?: OutgoingHttpHeaders
  /** The content security policy; by default the policy for pages without a script. */
  readonly policy?: string
}

/**
 * Creates a small website: pages from its content source, drafts from the orchestrator for visitors with
 * access, and its editor routes.
 *
 * `GET /draft` grants the browser access to drafts without the secret, and redirects to `redirect`; so does a
 * page in the frame of an editor, unless the orchestrator asks for a credential. This is a convenience of the
 * demo, which listens on the loopback address only, and answers these requests only under the names of that
 * address. All others are answered also under the listed names, and under no other one, to which any page
 * could point.
 */
export function createWebsite(options: WebsiteOptions): Website {
  const {
    siteId,
    editor,
    adapter,
    drafts,
    orchestrator,
    origins,
    editorOrigins,
    draftSecret: secret,
    publicDir,
    clock,
    hosts,
    log,
  } = options
  const names = new Set(hosts.map((name) => name.toLowerCase()))
  const isKnown = (request: IncomingMessage): boolean =>
    entry.isOpen(request) || names.has((request.headers.host ?? '').replace(/:\d*$/, '').toLowerCase())
  const entry = createEntry(options)
  const send = createSend(editorOrigins)
  const admit = (request: IncomingMessage, response: ServerResponse, path: string): void =>
    send(response, { status: 302, headers: entry.headers(request, path) })

  const showPage = async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<void> => {
    const visit = entry.visit(request)
    const shown = await readEditorPage(path, visit, {
      adapter,
      drafts,
      orchestrator,
      secret,
      siteId,
      editorOrigins,
      clock,
    })
    if (shown.redirect) return send(response, { status: 308, headers: locationHeader(shown.redirect) })
    if (!shown.access && entry.isOpen(request) && entry.isEditor(request))
      return admit(request, response, safeRedirect(request.url))
    const ownOrigins = [`http://${request.headers.host ?? ''}`, orchestrator, ...origins, ...editorOrigins]
    // Grants the access of the cookie, for an orchestrator that requires a token.
    const { until, by } = grantedAccess(toDraftRequest(visit), { secret, siteId, clock }) ?? {}
    const accessToken = shown.access && signAccess(shown.access, { secret, now: clock.now(), until, by })
    const script = shown.page ? livePreviewScript(shown, { accessToken, keep: [passParameter] }) : ''
    const body = renderEditorPage(entry.isTile(request) ? { ...shown, notice: undefined } : shown, {
      siteId,
      script,
      ownOrigins,
    })
    const policy = script === '' ? {} : { policy: withScript(script, orchestrator) }
    send(response, { status: shown.page ? 200 : 404, type: 'text/html; charset=utf-8', body, ...policy })
  }

  const answer: Website = async (request, response) => {
    const path = readPath(request.url)
    if (!isKnown(request)) return send(response, { status: 403, body: unknownHost })
    if (path === undefined) return send(response, { status: 400, body: 'Bad request' })
    if (path.startsWith('/api/editor/')) return editor.node(request, response)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return send(response, { status: 405, body: 'Method not allowed', headers: { allow: 'GET, HEAD' } })
    }
    if (path === '/draft' && entry.mayEnter(request)) {
      return admit(request, response, safeRedirect(queryOf(request.url ?? '').get('redirect') ?? undefined))
    }
    if (path.startsWith('/generated-images/')) {
      const image = await readImage(publicDir, path)
      return send(response, image ? { status: 200, ...image } : { status: 404, body: 'Not found' })
    }
    if (path.endsWith('.svg'))
      return send(response, { status: 200, type: 'image/svg+xml', body: placeholderSvg })
    return showPage(request, response, path)
  }

  return (request, response) =>
    answer(request, response).catch((err: unknown) => {
      log.error({ err, path: readPath(request.url) }, 'the demo site could not show a page')
      if (response.headersSent) response.destroy()
      else send(response, { status: 500, body: 'This page cannot be shown now.' })
    })
}

/** Creates what sends an answer that browsers do not cache, because it may contain a draft. */
function createSend(editorOrigins: WebsiteOptions['editorOrigins']) {
  const frames = frameAncestors(editorOrigins)
  return (
    response: ServerResponse,
    {
      status,
      type = 'text/plain; charset=utf-8',
      body = '',
      headers,
      policy = contentSecurityPolicy,
    }: WebsiteResponse,
  ): void => {
    response.writeHead(status, {
      ...draftHeaders(editorOrigins),
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
      'content-security-policy': `${policy}; ${frames}`,
      ...headers,
    })
    response.end(body)
  }
}

const unknownHost =
  'The demo site does not answer to this host name. Use localhost, or list the name in ORCHESTRATOR_ALLOWED_HOSTS.'

/** Returns the decoded path of a request; `undefined` for an invalid path or escape. */
function readPath(url = '/'): string | undefined {
  const parsed = url.startsWith('/') ? URL.parse(`http://site.invalid${url}`) : null
  return parsed ? decoded(parsed.pathname) : undefined
}
