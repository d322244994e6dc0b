import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import type { Fallback, FileAnswer } from '../../../../kernel/fallback.ts'
import type { HttpRequest } from '../../../../kernel/http/message.ts'
import { defineRefusal, readRange, Refusal, type MountedRoute } from '../../../../kernel/index.ts'
import { createRouter } from '../../../../kernel/router.ts'
import { isAgentPath } from '../../../../plugins/auth/index.ts'
import { contentTypeOf as typeOf } from '../../../../plugins/content/content-type.ts'
import { fileNotFound, findFile, hasExtension, pageName, readPart, type FoundFile } from './files.ts'
import { isHashed } from './headers.ts'

/** Public facts about the service, for the page of the editor. */
interface EditorSettings {
  readonly orchestratorUrl: string
  readonly version: string
}

const methodNotAllowed = defineRefusal({
  status: 405,
  code: 'method_not_allowed',
  reason: () =>
    'Files of the editor are read with GET or HEAD. GET /docs lists the paths that take other methods.',
  headers: () => ({ allow: 'GET, HEAD' }),
})

/** The editor sets its own policy; an empty array removes a default header. */
const headersOfAll = { 'content-security-policy': [] }
const headersOfPages = {
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'same-origin',
  vary: 'Accept, Origin',
}
/** Read by monitors, and by people who check them in a browser. */
const states: ReadonlySet<string> = new Set(['/health', '/livez', '/readyz', '/auth/status', '/metrics'])
const forEver = 'public, max-age=31536000, immutable'

/**
 * Serves a built editor from the folder `root`, a path without links, next to the API: its files, and its
 * page for every other path without an extension, because a single-page app routes by itself. A browser that
 * navigates to a path of the API gets the page, except for pages of the API itself and the state of the service.
 *
 * Not by sirv, which writes to a response of Node: here the kernel sends every answer, after its checks of host
 * and origin, and the page carries settings of the service.
 */
export function createEditor(root: string, settings: EditorSettings) {
  const answer = async (request: HttpRequest): Promise<FileAnswer> => {
    if (!isReading(request)) throw methodNotAllowed()
    const path = decodeURIComponent(request.path)
    const file =
      (await findFile(root, path)) ?? (hasExtension(path) ? undefined : await findFile(root, `/${pageName}`))
    if (!file) throw fileNotFound()
    const name = relative(root, file.path).replaceAll(sep, '/')
    if (name !== pageName) return showFile(file, name, request)
    // The editor may be rebuilt, and the ETag covers the settings too.
    const body = withSettings(await readFile(file.path), settings)
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
    return { status: 200, headers: { ...headersOf(file.path, etag), 'cache-control': 'no-cache' }, body }
  }

  /** Takes the API routes; all other paths belong to the editor. */
  return (routes: readonly MountedRoute[]): Fallback => {
    const isOwned = ownedBy(routes)
    const withPages = new Set(routes.filter(showsPage).map(({ spec }) => firstOf(spec.path)))
    const isPlace = (path: string): boolean =>
      !hasExtension(path) && !withPages.has(firstOf(path)) && !states.has(path)
    return {
      takes: (path) => !isOwned(path) && !states.has(path),
      precedes: (request) => isReading(request) && accepts('text/html', request) && isPlace(request.path),
      answer: (request) => answer(request).catch((error: unknown) => asText(error, request)),
    }
  }
}

const isReading = ({ method }: Pick<HttpRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD'

/** True if a request accepts types with this prefix, and no JSON. */
function accepts(type: string, { header }: Pick<HttpRequest, 'header'>): boolean {
  const accepted = header('accept') ?? ''
  return accepted.includes(type) && !accepted.includes('json')
}

/** Answers a missing file with text if the client accepts it; rethrows other errors. */
function asText(error: unknown, request: HttpRequest): FileAnswer {
  if (!(error instanceof Refusal) || error.status !== 404 || !accepts('text/', request)) throw error
  return {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from(`${error.reason}\n`),
  }
}

const contentTypeOf = (path: string): string => typeOf(path) ?? 'application/octet-stream'

function headersOf(path: string, etag: string): FileAnswer['headers'] {
  const type = contentTypeOf(path)
  return { ...headersOfAll, ...(type.startsWith('text/html') && headersOfPages), 'content-type': type, etag }
}

function showFile(file: FoundFile, name: string, { method, header }: HttpRequest): FileAnswer {
  const { path, size, changed } = file
  const etag = `"${size.toString(36)}-${changed.toString(36)}"`
  // Players request audio and video in ranges.
  const isMedia = /^(?:audio|video)\//.test(contentTypeOf(path))
  const isUnchanged = [undefined, etag].includes(header('if-range'))
  const isPartial = isMedia && method === 'GET' && isUnchanged && size > 0
  const range = isPartial ? readRange(header('range'), size) : undefined
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const headers = {
    ...headersOf(path, etag),
    'cache-control': isHashed(name) ? forEver : 'no-cache',
    'content-length': String(end + 1 - start),
    ...(isMedia && { 'accept-ranges': 'bytes' }),
    ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
  }
  return { status: range ? 206 : 200, headers, body: readPart(file, { start, end }) }
}

/** Inserts the settings before the end of the head, or at the start of the body, as JSON that never runs. */
export function withSettings(page: Uint8Array, settings: EditorSettings): Uint8Array {
  // `<` could end the block, or start a comment in it.
  const json = JSON.stringify(settings).replaceAll('<', String.raw`\u003c`)
  const block = `<script type="application/json" id="orchestrator-settings">${json}</script>`
  const at = placeIn(Buffer.from(page).toString('latin1'))
  return Buffer.concat([page.subarray(0, at), Buffer.from(block), page.subarray(at)])
}

/** Returns the insertion point in a page that was decoded as Latin-1. */
function placeIn(text: string): number {
  const head = text.search(/<\/head[\s>]/i)
  if (head !== -1) return head
  const body = text.search(/<body[\s>]/i)
  const before = body === -1 ? text.search(/<!doctype\s/i) : body
  return before === -1 ? 0 : text.indexOf('>', before) + 1
}

/**
 * Decides which paths belong to the API: those with the first segment of a route, mounted or not, and the
 * agent surface. A route that starts with a parameter owns only its matches, or it would own all paths.
 */
function ownedBy(routes: readonly MountedRoute[]): (path: string) => boolean {
  const firsts = new Set<string>()
  const open = createRouter<true>()
  for (const {
    spec: { path },
  } of routes) {
    if (path.startsWith('/:')) open.add('GET', path, true)
    else firsts.add(firstOf(path))
  }
  return (path) => firsts.has(firstOf(path)) || isAgentPath(path) || open.find('GET', path) !== undefined
}

const showsPage = ({ spec: { replies } }: MountedRoute): boolean =>
  Object.values(replies).some(
    (reply) => 'reply' in reply && reply.reply === 'text' && reply.type.startsWith('text/html'),
  )

const firstOf = (path: string): string => path.split('/')[1] ?? ''
