import { type Conflict, placed } from '../content/merge/index.ts'
import type { SiteConfig } from '../content/page.ts'
import { ownValue, sameJson } from '../content/plain-object.ts'
import { redirectsKey, redirectsOf } from '../content/redirects.ts'
import { memberAt } from '../content/setting-names.ts'

/** What a part of a publish brings of the site config. */
interface Brought {
  /** Whether the keys that are of no page are published. */
  readonly all: boolean
  /** Whether the menu name and the redirect of a slug are published. */
  readonly isBrought: (slug: string) => boolean
  /**
   * Whether the place of a slug in the groups is published: a page that stays at its address has not changed
   * it.
   */
  readonly isPlaceBrought: (slug: string) => boolean
  /** As `isPlaceBrought`, by the slugs where draft and site last agreed on the pages. */
  readonly isFormerPlace: (slug: string) => boolean
  /** Returns the slug that a page of the draft has on the site afterwards. */
  readonly slugThere: (slug: string) => string
}

/**
 * Returns the site config of a site with what is brought of that of a draft; a draft without one changes
 * nothing.
 */
export function settingsOf(
  site: SiteConfig | undefined,
  draft: SiteConfig | undefined,
  brought: Omit<Brought, 'isFormerPlace'>,
): SiteConfig | undefined {
  if (!draft) return site
  const config = Object.entries({
    ...(brought.all ? draft : site),
    navLabels: keyed(site?.navLabels, draft.navLabels, brought.all, (slug, before, after) =>
      brought.isBrought(slug) ? after : before,
    ),
    navGroups: keyed(site?.navGroups, draft.navGroups, brought.all, (_label, before, after) =>
      membersOf(before, after, brought),
    ),
    [redirectsKey]: keyed(redirectsOf(site), redirectsOf(draft), brought.all, (from, before, after) =>
      brought.isBrought(from) ? after : before,
    ),
  }).filter(([, value]) => value !== undefined)
  return site || config.length > 0 ? Object.fromEntries(config) : undefined
}

/**
 * Returns whether what is brought of the site config has this conflict. One about a group counts where the
 * site has changed the places that are brought, or has removed the group that they are in: what else it has
 * changed stays.
 */
export function isSettingMet(
  { path = '', base, ours, theirs }: Pick<Conflict, 'path' | 'base' | 'ours' | 'theirs'>,
  { all, isBrought, isPlaceBrought, isFormerPlace }: Omit<Brought, 'slugThere'>,
): boolean {
  const member = memberAt(path)
  if (!member) return all
  if (member.setting !== 'navGroups') return isBrought(member.name)
  if (all) return true
  const places = (group: unknown, isPlace = isPlaceBrought) =>
    Array.isArray(group) ? group.filter(isPlace) : []
  const isAddedAgain = theirs === undefined && places(ours).length > 0
  return isAddedAgain || !sameJson(places(base, isFormerPlace), places(theirs))
}

function keyed<T>(
  site: Readonly<Record<string, T>> | undefined,
  draft: Readonly<Record<string, T>> | undefined,
  all: boolean,
  valueOf: (name: string, before: T | undefined, after: T | undefined) => T | undefined,
): Readonly<Record<string, T>> | undefined {
  const entries = Object.keys({ ...site, ...draft }).flatMap((name): [string, T][] => {
    const value = valueOf(name, ownValue(site, name), ownValue(draft, name))
    return value === undefined ? [] : [[name, value]]
  })
  return (all ? draft : site) || entries.length > 0 ? Object.fromEntries(entries) : undefined
}

type Members = string[] | undefined

/** Returns the pages of a menu group: those that are brought as in the draft, the others as on the site. */
function membersOf(
  before: Members,
  after: Members,
  { all, isPlaceBrought: isBrought, slugThere }: Pick<Brought, 'all' | 'isPlaceBrought' | 'slugThere'>,
): Members {
  const some = [...(before ?? []), ...(after ?? [])]
  if (!some.some(isBrought)) return all && some.length === 0 ? after : before
  if (some.every(isBrought)) return after
  const stay = before?.filter((slug) => !isBrought(slug)) ?? []
  const wanted = new Set([...stay, ...(after ?? []).filter(isBrought)])
  const members = placed(
    stay,
    [...new Set([...(after ?? []).map(slugThere), ...stay])].filter((slug) => wanted.has(slug)),
  )
  return members.length > 0 ? [...members] : undefined
}
