import type { Caller, GateRequest } from '../../kernel/index.ts'
import { grantedAccess, type DraftAccessOptions } from './draft-access.ts'

/** What the live preview of a page asks for: the changes of its draft, and the page itself. */
const watched = new Set(['/events', '/draft/pages'])

/**
 * Who watches a draft that they were let into, by the signed cookie of the site or its secret, and until when;
 * `undefined` for any other request.
 *
 * The draft is named as the live preview names it; anything that could be read in two ways is not watched.
 */
export function watcherOf({ method, path, search, header }: Pick<GateRequest, 'method' | 'path' | 'search' | 'header'>, options: DraftAccessOptions): Caller | undefined {
  if (method !== 'GET' || !watched.has(path)) return undefined
  const access = grantedAccess({ cookie: header('cookie'), search }, options)
  const [siteId = '', ...more] = new URLSearchParams(search).getAll('siteId')
  if (access?.siteId !== siteId || more.length > 0) return undefined
  return { via: 'draft-secret', ...(access.until !== undefined && { until: access.until }) }
}
