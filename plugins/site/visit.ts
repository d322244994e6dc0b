import type { DraftRequest } from './draft-access.ts'
import { hasContext, queryOf } from './editor-context.ts'

/**
 * The request that a page is rendered for, as every framework has it: a web `Request`, the request of `node:http`,
 * Express or Fastify, or `{ headers: await headers(), url }` where a framework hands them out one by one.
 */
export interface Visit {
  readonly headers: { get(name: string): string | null } | { readonly cookie?: string | undefined; readonly host?: string | undefined }
  /** An address, or what of it is known; only its query counts. */
  readonly url?: string | undefined
}

/** What of a visit decides about drafts. */
export function toDraftRequest({ headers, url = '' }: Visit): DraftRequest {
  const search = queryOf(url).toString()
  // A header object of node:http may hold a header named `get`, but never a function.
  if ('get' in headers && typeof headers.get === 'function') return { search, cookie: headers.get('cookie') ?? undefined, host: headers.get('host') ?? undefined }
  return { search, cookie: 'cookie' in headers ? headers.cookie : undefined, host: 'host' in headers ? headers.host : undefined }
}

/** Whether an editor, or a link out of one, leads here. It says what the visitor hopes for and authorises nothing. */
export function asksForDraft({ cookie = '', search }: DraftRequest): boolean {
  return hasContext(new URLSearchParams(search)) || /(?:^|;\s*)(?:editor_draft_session|(?:__Host-)?editor_draft)=/.test(cookie)
}
