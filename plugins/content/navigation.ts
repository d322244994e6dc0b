import type { SiteConfig } from './model.ts'
import { ownValue } from './plain-object.ts'
import { capitalised, home, homeFirst } from './slugs.ts'

/** The id under which the header of a site is selected; it is derived data and no block of a page. */
export const siteHeaderBlockId = 'chrome_site-header'

/** One page in the menu. */
export interface NavLink {
  readonly label: string
  readonly active: boolean
  readonly slug: string
}

/** Several pages under one heading, which has no link of its own. */
export interface NavGroup {
  readonly label: string
  readonly active: boolean
  readonly children: readonly NavLink[]
}

/** What the header of a site shows. */
export interface Navigation {
  readonly name: string
  readonly logo?: string
  readonly items: readonly (NavLink | NavGroup)[]
}

/**
 * Derives the header of a site from its pages and its config.
 *
 * `slugs` are in draft order; `current`, the page being shown, is listed even when it is not among them. A
 * group stands where the first of its pages would. A page named in several groups belongs to the last of
 * them.
 */
export function navigationOf({ slugs, config, current, siteId }: {
  readonly slugs: readonly string[]
  readonly config: SiteConfig
  readonly current?: string | undefined
  readonly siteId: string
}): Navigation {
  const listed = homeFirst([...new Set(current === undefined ? slugs : [...slugs, current])])
  const pages = new Set(listed)
  const linkTo = (slug: string): NavLink => {
    const label = ownValue(config.navLabels, slug) || navLabelOf(slug)
    return { label, active: slug === current, slug }
  }
  const groupOf = new Map<string, { readonly label: string; readonly members: readonly string[] }>()
  for (const [label, members] of Object.entries(config.navGroups ?? {})) {
    const group = { label, members }
    for (const slug of members) groupOf.set(slug, group)
  }
  const shown = new Set<string>()
  const items = listed.flatMap((slug): readonly (NavLink | NavGroup)[] => {
    const group = groupOf.get(slug)
    if (!group) return [linkTo(slug)]
    if (shown.has(group.label)) return []
    shown.add(group.label)
    const isOurs = (member: string) => pages.has(member) && groupOf.get(member) === group
    const children = [...new Set(group.members)].filter(isOurs).map(linkTo)
    return [{ label: group.label, active: children.some((child) => child.active), children }]
  })
  const name = config.name || nameFrom(siteId)
  return { name, ...(config.logo !== undefined && { logo: config.logo }), items }
}

/** The menu label of a page that has none of its own: `/our-team/berlin` becomes `Our team / Berlin`. */
export function navLabelOf(slug: string): string {
  if (slug === home) return 'Home'
  const segments = slug.split('/').map((segment) => segment.replace(/[-_]+/g, ' ').trim()).filter(Boolean)
  return segments.map(capitalised).join(' / ') || 'Untitled page'
}

const nameFrom = (siteId: string) => siteId.split('-').filter(Boolean).map(capitalised).join(' ') || 'Website'
