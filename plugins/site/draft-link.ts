import { signAccess, type DraftAccess } from './cookies.ts'

/**
 * The address that lets a browser into a draft of the site at `shownAt`, and leads on to that. It holds no secret, and counts
 * for an hour.
 */
export function draftLink(shownAt: string, access: DraftAccess, { secret, now }: { readonly secret: string; readonly now: Date }): URL {
  const { pathname, search, hash } = new URL(shownAt)
  const link = new URL('/api/editor/draft', shownAt)
  link.search = new URLSearchParams({
    secret: signAccess(access, { secret, now, carrier: 'link' }), ...access, redirect: pathname + search + hash,
  }).toString()
  return link
}
