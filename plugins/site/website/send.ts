import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { draftHeaders, frameAncestors } from '../draft-headers.ts'
import { contentSecurityPolicy } from '../render/index.ts'

export interface Sent {
  readonly status: number
  readonly type?: string
  readonly body?: string | Uint8Array
  readonly headers?: OutgoingHttpHeaders
  /** The content security policy; the one for pages without a script unless told. */
  readonly policy?: string
}

/** Sends an answer as a whole. Nothing of it is kept by browsers: a draft may be in it. */
export type Send = (response: ServerResponse, sent: Sent) => void

/** Makes what sends answers that the site itself and its editors may show in a frame. */
export function createSend(editorOrigins: readonly string[]): Send {
  const usual = draftHeaders(editorOrigins)
  const frames = frameAncestors(editorOrigins)
  return (response, { status, type = plain, body = '', headers = {}, policy = contentSecurityPolicy }) => {
    response.writeHead(status, {
      ...usual,
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
      'content-security-policy': `${policy}; ${frames}`,
      ...headers,
    })
    response.end(body)
  }
}

const plain = 'text/plain; charset=utf-8'
