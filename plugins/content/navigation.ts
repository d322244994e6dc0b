import type { SiteConfig } from './model.ts'
import { ownValue, picked, sameJson } from './plain-object.ts'
import { capitalised, home, homeFirst } from './slugs.ts'

/** One page in the menu. */
export interface NavLink {
  readonly label: string
  readonly active: boolean
  readonly slug: string
}

/** Several pages under one heading without a link. */
interface NavGroup {
  readonly label: string
  readonly active: boolean
  readonly children: readonly NavLink[]
}

/** The header data of a site. */
export interface Navigation {
  readonly name: string
  readonly logo?: string
  readonly items: readonly (NavLink | NavGroup)[]
}

/**
 * Derives the header of a site from its pages and its config.
 *
 * `slugs` are in draft order; `current`, the displayed page, is listed even if it is not among them. A group
 * takes the position of its first page. A page in several groups belongs to the last one.
 */
export function navigationOf({
  slugs,
  config,
  current,
  siteId,
}: {
  readonly slugs: readonly string[]
  readonly config: SiteConfig
  readonly current?: string | undefined
  readonly siteId: string
}): Navigation {
  const listed = homeFirst([...new Set(current === undefined ? slugs : [...slugs, current])])
  const pages = new Set(listed)
  const labelFor = (slug: string) => ownValue(config.navLabels, slug) || navLabelOf(slug)
  const linkTo = (slug: string): NavLink => ({ label: labelFor(slug), active: slug === current, slug })
  const groups = config.navGroups ?? {}
  const groupOf = new Map(
    Object.entries(groups).flatMap(([label, members]) => members.map((slug) => [slug, label] as const)),
  )
  const shown = new Set<string>()
  const items = listed.flatMap((slug): readonly (NavLink | NavGroup)[] => {
    const label = groupOf.get(slug)
    if (label === undefined) return [linkTo(slug)]
    if (shown.has(label)) return []
    shown.add(label)
    const isOurs = (member: string) => pages.has(member) && groupOf.get(member) === label
    const children = [...new Set(groups[label])].filter(isOurs).map(linkTo)
    return [{ label, active: children.some((child) => child.active), children }]
  })
  const name = config.name || nameFrom(siteId)
  return { name, ...(config.logo !== undefined && { logo: config.logo }), items }
}

/** Derives the menu label of a page from its slug: `/our-team/berlin` becomes `Our team / Berlin`. */
export function navLabelOf(slug: string): string {
  if (slug === home) return 'Home'
  const segments = slug
    .split('/')
    .map((segment) => segment.replace(/[-_]+/g, ' ').trim())
    .filter(Boolean)
  return segments.map(capitalised).join(' / ') || 'Untitled page'
}

const nameFrom = (siteId: string) => siteId.split('-').filter(Boolean).map(capitalised).join(' ') || 'Website'

/**
 * Whether two site configs are the same; names or groups in the menu without an entry are as good as none.
 */
export const sameSettings = (a: SiteConfig, b: SiteConfig): boolean =>
  sameJson(withoutEmptyMenu(a), withoutEmptyMenu(b))

const withoutEmptyMenu = (config: SiteConfig): SiteConfig => {
  const isEmpty = (name: string): boolean =>
    (name === 'navLabels' || name === 'navGroups') && Object.keys(config[name] ?? {}).length === 0
  return picked(config, (_value, name) => !isEmpty(name))
}
