import type { SiteContent } from '../content/adapter.ts'
import { summaryOf } from '../content/diff/index.ts'
import type { SiteConfig } from '../content/page.ts'
import type { Compared } from './comparison.ts'
import { pagesNotChanged, siteNotKnown } from './refusals.ts'
import { placed } from './site/meaning.ts'

/** The changes of a draft that a publish brings. */
export interface Part {
  /** Slugs of the draft or, for removed pages, of the site. */
  readonly slugs: readonly string[]
  /** Whether the site config goes with them. */
  readonly siteConfig: boolean
}

/**
 * Restricts a publish to the changes of some pages, and their places. The rest is as on the site; menu names go with
 * their pages. Refuses pages without changes with 400 `pages_not_changed`.
 */
export function partOf(compared: Compared, part: Part): Compared {
  const { draft, baseline, diff, conflicts } = compared
  if (!baseline) throw siteNotKnown()
  const changed = new Set(diff.pages.filter(({ status }) => status !== 'unchanged').map(({ slug }) => slug))
  const chosen = new Set(part.slugs)
  const unchanged = part.slugs.filter((slug) => !changed.has(slug))
  if (unchanged.length > 0) throw pagesNotChanged(unchanged)
  const pages = diff.pages.filter(({ slug, status }) => chosen.has(slug) || status === 'unchanged')
  const siteConfig = part.siteConfig ? diff.siteConfig : { ...diff.siteConfig, fieldDiffs: [] }
  return {
    ...compared,
    draft: contentOf(draft, baseline, chosen, part),
    diff: { ...diff, pages, siteConfig, summary: summaryOf(pages, siteConfig) },
    conflicts: conflicts.filter(({ slug }) => chosen.has(slug) || (slug === '' && part.siteConfig)),
  }
}

function contentOf(
  draft: SiteContent,
  site: SiteContent,
  chosen: ReadonlySet<string>,
  { siteConfig }: Part,
): SiteContent {
  const ours = new Map(draft.pages.map((page) => [page.slug, page]))
  const stay = site.pages.filter(({ slug }) => !chosen.has(slug))
  const all = new Map([
    ...stay.map((page) => [page.slug, page] as const),
    ...[...ours].filter(([slug]) => chosen.has(slug)),
  ])
  const order = placed(
    stay.map(({ slug }) => slug),
    [...new Set([...ours.keys(), ...all.keys()])].filter((slug) => all.has(slug)),
  )
  return {
    pages: order.flatMap((slug) => all.get(slug) ?? []),
    siteConfig: siteConfig ? draft.siteConfig : withMenuOf(chosen, ours, site.siteConfig, draft.siteConfig),
  }
}

/** Returns the site config of the site with the menu names that the draft has for some pages. */
function withMenuOf(
  chosen: ReadonlySet<string>,
  pages: ReadonlyMap<string, unknown>,
  site: SiteConfig | undefined,
  draft: SiteConfig | undefined,
): SiteConfig | undefined {
  if (!site?.navLabels && !draft?.navLabels) return site
  const others = Object.entries(site?.navLabels ?? {}).filter(([slug]) => !chosen.has(slug))
  const own = Object.entries(draft?.navLabels ?? {}).filter(([slug]) => chosen.has(slug) && pages.has(slug))
  return { ...site, navLabels: Object.fromEntries([...others, ...own]) }
}
