import type { GateRequest } from '../../kernel/index.ts'
import { draftAccess, type DraftAccessOptions } from './draft-access.ts'

/** What the live preview of a page asks for: the changes of its draft, and the page itself. */
const watched = new Set(['/events', '/draft/pages'])

/**
 * Whether a request only watches a draft that its sender was let into, by the signed cookie of the site or its secret.
 *
 * The draft is named as the live preview names it; anything that could be read in two ways is not watched.
 */
export function watchesDraft({ method, path, search, header }: GateRequest, options: DraftAccessOptions): boolean {
  if (method !== 'GET' || !watched.has(path)) return false
  const access = draftAccess({ cookie: header('cookie'), search }, options)
  const [siteId = '', ...more] = new URLSearchParams(search).getAll('siteId')
  return access !== undefined && access.siteId === siteId && more.length === 0
}
