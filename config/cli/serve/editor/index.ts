import { relative, sep } from 'node:path'
import type { Fallback, FileAnswer } from '../../../../kernel/fallback.ts'
import type { Inbound } from '../../../../kernel/http/message.ts'
import { readRange, Refusal, type MountedRoute } from '../../../../kernel/index.ts'
import { contentTypeOf, isMedia, isPage } from './content-types.ts'
import { isHashed } from './is-hashed.ts'
import { findFile, hasExtension, pageName, type FoundFile } from './lookup.ts'
import { createOwnedPaths } from './owned-paths.ts'
import { readPage, type EditorSettings } from './page.ts'
import { readPart } from './read-file.ts'
import { fileNotFound, methodNotAllowed } from './refusals.ts'

export interface EditorOptions {
  /** Where the built editor lies, without links. */
  readonly root: string
  readonly settings: EditorSettings
  /** What the API has; everything else is the editor's. */
  readonly routes: readonly MountedRoute[]
}

/** The editor is somebody's app and knows best what it may load; an array of none leaves a default header out. */
const headersOfAll = { 'content-security-policy': [] }
const headersOfPages = { 'x-frame-options': 'SAMEORIGIN', 'referrer-policy': 'same-origin', vary: 'Accept, Origin' }
const forEver = 'public, max-age=31536000, immutable'

/**
 * Makes what serves a built editor beside the API: its files, and its page for every other path that looks like none,
 * because an app of a single page reads the path by itself. Of a path that the API has too, a browser that navigates gets the page.
 */
export function createEditor({ root, settings, routes }: EditorOptions): Fallback {
  const { isOwned, hasPages } = createOwnedPaths(routes)

  const showPage = async (path: string): Promise<FileAnswer> => {
    const { body, etag } = await readPage(path, settings)
    return { status: 200, headers: { ...headersOf(path, etag), 'cache-control': 'no-cache' }, body }
  }

  const answer = async (request: Inbound): Promise<FileAnswer> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed()
    const path = decodeURIComponent(request.path)
    const file = (await findFile(root, path)) ?? (hasExtension(path) ? undefined : await findFile(root, `/${pageName}`))
    if (!file) throw fileNotFound()
    const name = relative(root, file.path).replaceAll(sep, '/')
    return name === pageName ? showPage(file.path) : showFile(file, name, request)
  }

  return {
    takes: (path) => !isOwned(path),
    precedes: (request) => isNavigation(request) && !hasExtension(request.path) && !hasPages(request.path),
    answer: (request) => answer(request).catch((error: unknown) => inWords(error, request)),
  }
}

/** True for a request whose `accept` has a type that begins so, and has no JSON. */
function wants(type: string, { header }: Pick<Inbound, 'header'>): boolean {
  const accepted = header('accept') ?? ''
  return accepted.includes(type) && !accepted.includes('json')
}

const isNavigation = (request: Pick<Inbound, 'method' | 'header'>): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && wants('text/html', request)

/** Answers a file that was not found in words where the client accepts text; other errors are thrown on. */
function inWords(error: unknown, request: Inbound): FileAnswer {
  if (!(error instanceof Refusal) || error.status !== 404 || !wants('text/', request)) throw error
  return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(`${error.reason}\n`) }
}

function headersOf(path: string, etag: string): FileAnswer['headers'] {
  const type = contentTypeOf(path)
  return { ...headersOfAll, ...(isPage(type) && headersOfPages), 'content-type': type, etag }
}

function showFile(file: FoundFile, name: string, { method, header }: Inbound): FileAnswer {
  const { path, size, changed } = file
  const etag = `"${size.toString(36)}-${changed.toString(36)}"`
  const canBeParted = isMedia(contentTypeOf(path))
  const headers = {
    ...headersOf(path, etag),
    'cache-control': isHashed(name) ? forEver : 'no-cache',
    ...(canBeParted && { 'accept-ranges': 'bytes' }),
  }
  const isStillThat = [undefined, etag].includes(header('if-range'))
  const part = canBeParted && method === 'GET' && isStillThat ? readRange(header('range'), size) : undefined
  const { start, end } = part ?? { start: 0, end: size - 1 }
  if (size === 0) return { status: 200, headers, body: new Uint8Array() }
  const body = readPart(file, { start, end })
  const length = { 'content-length': String(end + 1 - start) }
  if (!part) return { status: 200, headers: { ...headers, ...length }, body }
  return { status: 206, headers: { ...headers, ...length, 'content-range': `bytes ${start}-${end}/${size}` }, body }
}
