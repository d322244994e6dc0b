/** What a publish would change: the draft of a site compared with its published pages. */
import type { SiteContent } from '../adapter.ts'
import type { KnownTypes } from '../ingest.ts'
import type { Page } from '../model.ts'
import { byCodePoint } from './order.ts'
import { addedPage, comparedPage, removedPage, unchangedPage } from './pages.ts'
import type { ContentDiff, PageDiff, SiteConfigDiff } from './schema.ts'
import { diffSiteConfig } from './site-config.ts'

export { BlockDiff, ContentDiff, FieldDiff, PageDiff, SiteConfigDiff } from './schema.ts'

/** The two sides of a diff, and what is known of block types. */
export interface DiffInput extends KnownTypes {
  readonly draft: SiteContent
  /** `undefined` means that it is not available, never that the site is empty. */
  readonly baseline: SiteContent | undefined
  /**
   * A shortcut for large sites: says that a page has the same content on both sides, because the hashes of
   * their content are equal. Such a page is listed as unchanged, and its props are not read.
   */
  readonly sameContent?: (slug: string) => boolean
}

const order = ['added', 'modified', 'removed', 'unchanged'] as const

/**
 * Compares a draft with what is published.
 *
 * Pages match by slug, blocks by id. Generated row ids, page ids, `updatedAt`, page order, unknown page keys
 * and the order of keys never count, and both sides are repaired alike before they are compared. Of two pages
 * with one slug the first counts.
 */
export function diffContent({ draft, baseline, sameContent = () => false, ...known }: DiffInput): ContentDiff {
  if (!baseline) return summed(false, [], { status: 'unchanged', fieldDiffs: [] })
  const [old, current] = [bySlug(baseline.pages), bySlug(draft.pages)]
  const pages: PageDiff[] = []
  for (const [slug, page] of current) {
    const published = old.get(slug)
    if (!published) pages.push(addedPage(page))
    else if (published === page || sameContent(slug)) pages.push(unchangedPage(page))
    else pages.push(comparedPage({ before: published, after: page }, known))
  }
  for (const [slug, page] of old) if (!current.has(slug)) pages.push(removedPage(page))
  return summed(true, pages, diffSiteConfig(baseline.siteConfig, draft.siteConfig))
}

function bySlug(pages: readonly Page[]): ReadonlyMap<string, Page> {
  return new Map(pages.toReversed().map((page) => [page.slug, page]))
}

function summed(baselineAvailable: boolean, pages: readonly PageDiff[], siteConfig: SiteConfigDiff): ContentDiff {
  const count = (status: PageDiff['status']) => pages.filter((page) => page.status === status).length
  return {
    baselineAvailable,
    summary: {
      pagesAdded: count('added'),
      pagesRemoved: count('removed'),
      pagesModified: count('modified'),
      pagesUnchanged: count('unchanged'),
      totalChangedFields: pages.reduce((sum, page) => sum + changedFields(page), 0),
      siteConfigChangedFields: siteConfig.fieldDiffs.length,
    },
    pages: pages.toSorted(byStatusAndSlug),
    siteConfig,
  }
}

function byStatusAndSlug(a: PageDiff, b: PageDiff): number {
  return order.indexOf(a.status) - order.indexOf(b.status) || byCodePoint(a.slug, b.slug)
}

function changedFields({ blockDiffs, metaDiffs = [] }: PageDiff): number {
  return blockDiffs.reduce((sum, { fieldDiffs = [] }) => sum + fieldDiffs.length, metaDiffs.length)
}
