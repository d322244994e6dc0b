import { type DraftAccess, signAccess, type Signing } from '../../scope/port.ts'

export { type DraftAccess, type Origin, readAccess, signAccess } from '../../scope/port.ts'

/** Names of the signed cookie over https and over http. */
export const accessCookieNames = ['__Host-editor_draft', 'editor_draft'] as const

/** Returns a link that opens a draft of the site at `shownAt`, valid for an hour; a signature takes the place of the secret. */
export function draftLink(shownAt: string, access: DraftAccess, signing: Omit<Signing, 'carrier'>): URL {
  const { pathname, search, hash } = new URL(shownAt)
  const link = new URL('/api/editor/draft', shownAt)
  const secret = signAccess(access, { ...signing, carrier: 'link' })
  const { siteId, session } = access
  const redirect = pathname + search + hash
  link.search = new URLSearchParams({ secret, siteId, session, redirect }).toString()
  return link
}
