/** What the service itself answers at the address of a website that it shows. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as v from 'valibot'
import type { Mount } from '../../../kernel/index.ts'
import { type Addresses, entryPath, isLetIn } from '../../../plugins/checkout/port.ts'
import { pathOfSlug, slugOfPath } from '../../../plugins/content/file-slugs.ts'
import { parsedJson } from '../../../plugins/content/plain-object.ts'
import { locationHeader } from '../../../plugins/content/site-address.ts'
import { decoded } from '../../../plugins/content/slugs.ts'
import type { ContentFiles } from '../../../plugins/files/adapter/index.ts'
import { fileAddress } from '../../../plugins/files/adapter/pictures.ts'
import { type Places, TextReport } from '../../../plugins/page-texts/port.ts'
import { grantedAccess, queryOf, safeRedirect } from '../../../plugins/site/index.ts'
import { pageTextsScripts } from '../../../plugins/site/browser/texts/built.ts'

export interface PageRoutesOptions {
  readonly siteId: string
  /** The draft that is shown; without it, what is published. */
  readonly session: string | undefined
  /** The secret with which the service lets a browser see the draft. */
  readonly secret: string
  /** The key of the preview, see `createPreviewProxy`. */
  readonly key: string
  /** The origin of the studio. */
  readonly editorOrigin: string
  /** The editor routes of the website. */
  readonly editor: Pick<Mount, 'node'>
  readonly places: Places
  readonly addresses: Addresses
  readonly lineOf: ContentFiles['lineOf']
  /** Reads a picture of the website by its path. */
  readonly picture: ContentFiles['picture']
}

const name = v.pipe(v.string(), v.maxLength(2000))
/** Texts whose lines are asked for: the candidates for one text of a page. */
const Texts = v.pipe(
  v.array(v.object({ slug: name, blockId: name, path: name, at: v.optional(v.number()) })),
  v.maxLength(20),
)

const own = '/~editor/'
export const pageScript = `${own}texts.js`
/** Part of each page: keys that are pressed while it loads would be lost. */
export const earlyScript = (): string => pageTextsScripts()['early.js'] ?? ''

const mostBytes = 1024 * 1024

/**
 * Returns a function that answers the editor routes of the website, and what the script in its pages asks
 * for; it returns `false` for all other requests.
 */
export function createPageRoutes(options: PageRoutesOptions) {
  const { siteId, session, secret, key, editorOrigin, editor, places, addresses, lineOf, picture } = options
  const scripts = new Map(Object.entries(pageTextsScripts()))

  const send = (response: ServerResponse, status: number, type: string, body: string): void => {
    response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' })
    response.end(body)
  }

  /** Lets the browser of the studio in, which has a secret from the service. */
  function enter(query: URLSearchParams, response: ServerResponse): void {
    const access = grantedAccess({ cookie: undefined, search: query.toString() }, { secret })
    if (access?.siteId !== siteId || (session !== undefined && access.session !== session))
      return send(
        response,
        401,
        'text/plain',
        'Open this preview from the studio, which lets your browser in.',
      )
    const to = safeRedirect(query.get('redirect') ?? undefined)
    response
      .writeHead(307, locationHeader(`${entryPath}?${new URLSearchParams({ key, to }).toString()}`))
      .end()
  }

  function script(name: string, response: ServerResponse): void {
    const text = scripts.get(name)
    if (text === undefined) send(response, 404, 'text/plain', 'The script was not found.')
    else send(response, 200, 'text/javascript', text)
  }

  async function place(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { success, output: report } = v.safeParse(TextReport, parsedJson((await textOf(request)) ?? ''))
    if (!success) return send(response, 400, 'text/plain', 'This is not a report of a page.')
    const found = places.place(report)
    const own = found.document?.slug
    for (const { file } of found.places) addresses.see(file, report.path, slugOfPath(file) === own)
    send(response, 200, 'application/json', JSON.stringify(found))
  }

  async function lines(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { success, output: texts } = v.safeParse(Texts, parsedJson((await textOf(request)) ?? ''))
    if (!success) return send(response, 400, 'text/plain', 'These are no places of texts.')
    send(response, 200, 'application/json', JSON.stringify(texts.map((text) => lineOf(text) ?? null)))
  }

  async function file(path: string, response: ServerResponse): Promise<void> {
    const found = await picture(path)
    if (!found) return send(response, 404, 'text/plain', 'The picture was not found.')
    response.writeHead(200, {
      'content-type': found.type,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    response.end(found.bytes)
  }

  /** Leads to the page that shows a document, else says that none is known. */
  async function document(slug: string, response: ServerResponse): Promise<void> {
    const path = pathOfSlug(slug)
    const address = path === undefined ? undefined : await addresses.of(path)
    if (address !== undefined) return void response.writeHead(302, locationHeader(address)).end()
    send(response, 200, 'text/html', notShown)
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const url = request.url ?? ''
    const [path = ''] = url.split('?')
    if (path === '/api/editor/draft') enter(queryOf(url), response)
    else if (path.startsWith('/api/editor/')) await editor.node(request, response)
    else if (!path.startsWith('/~') || !isLetIn(request, key)) return false
    else if (path === '/~editor/config')
      send(response, 200, 'application/json', JSON.stringify({ siteId, session, editorOrigin }))
    else if (path === '/~editor/places' && request.method === 'POST') await place(request, response)
    else if (path === '/~editor/lines' && request.method === 'POST') await lines(request, response)
    else if (path.startsWith(fileAddress)) await file(decoded(path.slice(fileAddress.length)) ?? '', response)
    else if (path.startsWith(own)) script(path.slice(own.length), response)
    else await document(decoded(path) ?? path, response)
    return true
  }
}

/** Reads a body as text; `undefined` for one that is too large. */
async function textOf(request: AsyncIterable<Buffer>): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > mostBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const notShown = `<!doctype html>
<html lang="en"><head><script type="module" src="${pageScript}"></script><title>Not shown on a page</title>
<style>body { font: 16px/1.5 system-ui; margin: 3rem; color: #555 }</style></head>
<body><p>No page is known that shows this document. Edit it in the panel, or open its page by a link.</p></body></html>`
