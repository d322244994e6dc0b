/** The menu of the site, which follows from its pages and its settings. */
import type { PageSummary } from '../stores/draft.ts'
import type { SiteConfig } from '../stores/site-config.ts'

export interface MenuEntry {
  readonly slug: string
  readonly title: string
  /** What the menu calls the page; empty while that follows from the address. */
  readonly label: string
  /** What the menu calls it without a label. */
  readonly derived: string
  readonly group: string
}

type Groups = Readonly<Record<string, readonly string[]>>

export function menuOf(
  pages: readonly Pick<PageSummary, 'slug' | 'title'>[],
  config: SiteConfig | undefined,
): readonly MenuEntry[] {
  const labels = new Map(Object.entries(config?.navLabels ?? {}))
  const groups = new Map(
    Object.entries(config?.navGroups ?? {}).flatMap(([group, slugs]) =>
      slugs.map((slug) => [slug, group] as const),
    ),
  )
  return pages.map(({ slug, title }) => ({
    slug,
    title,
    label: labels.get(slug) ?? '',
    derived: derivedLabel(slug),
    group: groups.get(slug) ?? '',
  }))
}

/** The groups after a page moved to one of them, or out of all. Empty ones go. */
export function withGroup(groups: Groups, slug: string, wanted: string): Groups {
  const rest = Object.entries(groups).map(
    ([name, slugs]) => [name, slugs.filter((each) => each !== slug)] as const,
  )
  const exists = rest.some(([name]) => name === wanted)
  const placed = rest.map(([name, slugs]) => [name, name === wanted ? [...slugs, slug] : slugs] as const)
  const all = exists || wanted === '' ? placed : [...placed, [wanted, [slug]] as const]
  return Object.fromEntries(all.filter(([, slugs]) => slugs.length > 0))
}

/** The settings that a deleted page changes; `undefined` if the menu has nothing of its own for it. */
export function withoutPage(config: SiteConfig | undefined, slug: string) {
  const { navLabels = {}, navGroups = {} } = config ?? {}
  const isLabelled = Object.hasOwn(navLabels, slug)
  const isGrouped = Object.values(navGroups).some((slugs) => slugs.includes(slug))
  if (!isLabelled && !isGrouped) return undefined
  return {
    ...(isLabelled && { navLabels: { [slug]: '' } }),
    ...(isGrouped && { navGroups: withGroup(navGroups, slug, '') }),
  }
}

const raised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** What a menu calls a page by its address: `/our-team/berlin` is `Our team / Berlin`. */
function derivedLabel(slug: string): string {
  const parts = slug.split('/').map((part) => raised(part.replace(/[-_]+/g, ' ').trim()))
  return slug === '/' ? 'Home' : parts.filter(Boolean).join(' / ') || 'Untitled page'
}
