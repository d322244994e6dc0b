import type { Page } from '../content/page.ts'
import { home } from '../content/slugs.ts'
import type { Committed, Drafts, Edit } from '../draft/port.ts'
import type { Baselines } from '../publish/port.ts'
import type { DraftId } from '../scope/port.ts'
import { baselineUnavailable, notAnywhere, nothingToDiscard } from './refusals.ts'

/**
 * Plans the reset of one page, or all pages, to the published content; an unpublished page is removed.
 *
 * Refuses with 409 `baseline_unavailable`, and with 404 if the page is neither in the draft nor published.
 */
export async function planDiscard(
  id: DraftId,
  { slug, siteOrigin }: { readonly slug?: string | undefined; readonly siteOrigin?: string | undefined },
  { drafts, baselines }: { readonly drafts: Drafts; readonly baselines: Baselines },
): Promise<Edit> {
  const { content: baseline, otherSite } = await baselines.read(id, { siteOrigin })
  if (!baseline) throw baselineUnavailable(otherSite)
  const published = new Map(baseline.pages.map((page) => [page.slug, page]))
  const drafted = (await drafts.rows(id)).map((row) => row.slug)
  if (slug !== undefined && !published.has(slug) && !drafted.includes(slug)) throw notAnywhere(slug)
  const wanted = slug === undefined ? [...new Set([...drafted, ...published.keys()])] : [slug]
  const pages = new Map<string, Page | undefined>(wanted.map((each) => [each, published.get(each)]))
  return {
    kind: 'pages',
    pages,
    source: 'discard',
    undo: 'all',
    summary: slug === undefined ? 'Discarded all changes' : `Discarded the changes of ${slug}`,
  }
}

/** Adds the page to show after a discard: home for a removed page, the page itself for a restored one. */
export function afterDiscard(committed: Committed): Committed {
  if (!committed.changed) throw nothingToDiscard()
  const { slug = '' } = committed
  const change = committed.pages.get(slug)
  if (!change || (change.before && change.after)) return committed
  return { ...committed, navigateToSlug: change.after ? slug : home }
}
