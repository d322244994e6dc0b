import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { contentSecurityPolicy } from '../render/index.ts'

export interface Sent {
  readonly status: number
  readonly type?: string
  readonly body?: string | Uint8Array
  readonly headers?: OutgoingHttpHeaders
  /** The content security policy; the one for pages without a script unless told. */
  readonly policy?: string
}

/** Editors on this machine show the site in a frame. */
const frames = "frame-ancestors 'self' http://localhost:* http://127.0.0.1:*"

/** Sends an answer as a whole. Nothing of it is kept by browsers: a draft may be in it. */
export function send(
  response: ServerResponse,
  { status, type = plain, body = '', headers = {}, policy = contentSecurityPolicy }: Sent,
): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': `${policy}; ${frames}`,
    ...headers,
  })
  response.end(body)
}

const plain = 'text/plain; charset=utf-8'

/** Sends a few words. */
export function sendText(
  response: ServerResponse,
  status: number,
  body: string,
  headers?: OutgoingHttpHeaders,
): void {
  send(response, { status, body, ...(headers && { headers }) })
}
