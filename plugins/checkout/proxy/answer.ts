/** The answers of a preview: those of the development server, and its own. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
// Named imports would fail on an old Node before its version is checked.
import zlib from 'node:zlib'
import { insertInHead } from './head.ts'
import { asksForPage, toFrame } from './headers.ts'

export interface Framed {
  /** The address of the script that becomes the first child of each `<head>`, if any: a path of this preview. */
  readonly script: string | undefined
  /** Code that runs in each page before that, unless a policy of the website without a nonce may refuse it. */
  readonly early?: string
  /** The origins of pages that may show the preview in a frame. */
  readonly frameAncestors: readonly string[]
}

const decoders: Readonly<Record<string, () => Duplex>> = {
  br: zlib.createBrotliDecompress,
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  zstd: zlib.createZstdDecompress,
}

/** In place of a page that has no byte yet, which a server reads while it is written: it asks again by itself. */
const beingWritten = '<!doctype html><meta http-equiv="refresh" content="1"><title>Waiting</title>\n'

/** Passes an answer of the server at `target` on as it arrives, with the script in each page. */
export async function passOn(
  answer: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  { script, early = '', frameAncestors, target }: Framed & { readonly target: string },
): Promise<void> {
  const encoding = answer.headers['content-encoding']?.toLowerCase() ?? 'identity'
  const decode = decoders[encoding]
  const isHtml = /^text\/html\b/i.test(answer.headers['content-type'] ?? '')
  const isPage = script !== undefined && isHtml && (decode !== undefined || encoding === 'identity')
  const { headers, nonce } = toFrame(answer, { target, ancestors: frameAncestors, isPage })
  response.statusCode = answer.statusCode ?? 502
  for (const [name, value] of headers) response.setHeader(name, value)
  // A stream of events may begin long after its headers. A page begins with its script: a browser drops the keys before it.
  if (!isPage) response.flushHeaders()
  const hasBody = request.method !== 'HEAD' && ![204, 304].includes(response.statusCode)
  if (!isPage || !hasBody) return pipeline(answer, response)
  const own = nonce === undefined ? '' : ` nonce="${nonce}"`
  // A policy without a nonce may refuse a script that is in the page.
  const isRefused = nonce === undefined && answer.headers['content-security-policy'] !== undefined
  const first = early === '' || isRefused ? '' : `<script${own}>${early}</script>`
  const tag = `${first}<script type="module" src="${script}"${own}></script>`
  const needsHead = !asksForPage(request.headers)
  const insert = insertInHead(tag, {
    needsHead,
    empty: needsHead || response.statusCode !== 200 ? '' : beingWritten,
  })
  return pipeline([answer, ...(decode ? [decode()] : []), insert, response])
}

/** Answers with a sentence; a page that waits for the server, with 503, asks again by itself. */
export function refuse(
  status: number,
  sentence: string,
  request: IncomingMessage,
  response: ServerResponse,
  frameAncestors: readonly string[],
): void {
  if (response.headersSent) return void response.destroy()
  const isWaiting = status === 503 && asksForPage(request.headers)
  response.writeHead(status, {
    'content-type': `text/${isWaiting ? 'html' : 'plain'}; charset=utf-8`,
    'content-security-policy': `default-src 'none'; frame-ancestors ${frameAncestors.join(' ') || "'none'"}`,
    'cache-control': 'no-store',
    ...(status === 503 && { 'retry-after': '1' }),
    ...(isWaiting && { refresh: '1' }),
  })
  response.end(isWaiting ? `<!doctype html><title>Waiting</title><p>${sentence}</p>\n` : `${sentence}\n`)
}
