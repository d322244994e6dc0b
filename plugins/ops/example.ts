import type { DraftId } from '../scope/port.ts'

/**
 * A request that works as it is posted, also on an empty draft: it creates a page.
 *
 * The slug is one that hardly any site has, and the refusal of a taken one would say so.
 */
export function exampleFor({ siteId, session }: DraftId) {
  const page = { slug: '/hello', title: 'Hello', blocks: [] }
  return { session, siteId, ops: [{ op: 'create_page' as const, page }] }
}
