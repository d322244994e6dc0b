import type { DraftRequest } from './draft-access.ts'

/**
 * The request that a page is rendered for, as every framework has it: a web `Request`, the request of `node:http`,
 * Express or Fastify, or `{ headers: await headers(), url }` where a framework hands them out one by one.
 */
export interface Visit {
  readonly headers: { get(name: string): string | null } | { readonly cookie?: string | undefined }
  /** An address, or what of it is known; only its query counts. */
  readonly url?: string | undefined
}

/** What of a visit decides about drafts. */
export function toDraftRequest({ headers, url = '' }: Visit): DraftRequest {
  const [, search = ''] = /\?([^#]*)/.exec(url) ?? []
  // A header object of node:http may hold a cookie named `get`, but never a function.
  const cookie = 'get' in headers && typeof headers.get === 'function' ? headers.get('cookie') : undefined
  return { cookie: cookie ?? ('cookie' in headers ? headers.cookie : undefined), search }
}

const signals = ['__editor', 'editorOrigin', 'session', 'siteId', 'secret']

/** Whether an editor, or a link out of one, leads here. It says what the visitor hopes for and authorises nothing. */
export function asksForDraft({ cookie = '', search }: DraftRequest): boolean {
  const query = new URLSearchParams(search)
  return signals.some((name) => query.has(name)) || /(?:^|;\s*)(?:editor_draft_session|(?:__Host-)?editor_draft)=/.test(cookie)
}
