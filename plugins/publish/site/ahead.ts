import type { SiteContent } from '../../content/adapter.ts'
import { bySlug } from '../../content/diff/index.ts'
import { homeFirst } from '../../content/slugs.ts'
import type { Ahead } from '../../draft/port.ts'

/** Returns a draft with what it takes over from its site once a run has ended. */
export function withAhead(draft: SiteContent, ahead: Ahead | undefined): SiteContent {
  if (!ahead) return draft
  const pages = new Map([...bySlug(draft.pages), ...ahead.pages])
  return {
    pages: homeFirst(ahead.order).flatMap((slug) => pages.get(slug) ?? []),
    siteConfig: ahead.siteConfig ?? draft.siteConfig,
  }
}
