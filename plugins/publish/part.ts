import type { SiteContent } from '../content/adapter.ts'
import { freePageIds } from '../content/block-ids.ts'
import { withoutEntries } from '../content/carry.ts'
import { countsIn, diffSiteConfig, type PageTally, slugsOf, summaryOf } from '../content/diff/index.ts'
import { type Renames, togetherWith, placed } from '../content/merge/index.ts'
import { nameToRemove } from '../content/read-pages.ts'
import { atPages } from '../content/redirects.ts'
import { memberAt } from '../content/setting-names.ts'
import type { Hosts } from '../content/site-address.ts'
import { slugAmong } from '../content/slugs.ts'
import type { Compared } from './comparison.ts'
import { lostLinks } from './notes.ts'
import { isSettingMet, settingsOf } from './part-settings.ts'
import { entriesNotFound, pagesBelongTogether, pagesNotChanged, siteUnreadable } from './refusals.ts'

/** The changes of a draft that a publish brings. */
export interface PublishPart {
  /**
   * Slugs of the draft, also those before it follows the site for this publish, or, for removed pages, of the
   * site; both name a renamed page.
   */
  readonly slugs: readonly string[]
  readonly siteConfig: boolean
}

/**
 * Restricts a publish to the changes of some pages, and their places. The rest is as on the site; menu names
 * go with their pages, places in menu groups with pages that are added, renamed or removed. Links between
 * what is published and what is not are notes. The conflicts are those in what is published.
 *
 * Refuses pages without changes with 400 `pages_not_changed`, and pages without those that take or free their
 * slug with 400 `pages_belong_together`.
 */
export async function partOf(compared: Compared, named: PublishPart, hosts: Hosts): Promise<Compared> {
  const { draft, baseline, diff, conflicts, moved } = compared
  if (!baseline) throw siteUnreadable()
  const changed = changedSlugs(diff)
  const all = { ours: new Set(slugsOf(draft)), theirs: new Set(slugsOf(baseline)) }
  const slugs = all.ours.union(all.theirs)
  // The draft has followed its site since the pages were named.
  const slugOf = (slug: string): string => moved?.get(slug) ?? slugAmong(slugs, slug) ?? slug
  const part = { ...named, slugs: named.slugs.map(slugOf) }
  const unchanged = part.slugs.filter((slug) => !changed.has(slug))
  if (unchanged.length > 0) throw pagesNotChanged(unchanged)
  const renames = new Map(
    [...compared.renames.between].filter((slugs) => slugs.every((slug) => changed.has(slug))),
  )
  const chosen = togetherWith(part.slugs, renames)
  const missing = missingOf(chosen, new Set(part.slugs), renames, all)
  if (missing.length > 0) throw pagesBelongTogether(missing)

  const isIn = ({ slug, status }: PageTally): boolean => chosen.has(slug) || status === 'unchanged'
  const [pages, shown] = [diff.pages.filter(isIn), diff.shown.filter(isIn)]
  const renamed = new Set([...renames].flat())
  const isMoved = (slug: string): boolean => all.ours.has(slug) !== all.theirs.has(slug) || renamed.has(slug)
  const isPlaceBrought = (slug: string): boolean => (isMoved(slug) ? chosen.has(slug) : part.siteConfig)
  const former = formerSlugs(compared, chosen)
  const isFormer = (slug: string): boolean => former.has(slug) && !all.ours.has(slug) && !all.theirs.has(slug)
  const isBrought = (slug: string): boolean => chosen.has(slug) || isFormer(slug) || isPlaceBrought(slug)
  const agreed = agreedSlugs(compared, [...chosen].filter(isMoved), all)
  const isFormerPlace = (slug: string): boolean => agreed.has(slug)
  const stays = new Map([...renames].flatMap(([from, to]) => (chosen.has(to) ? [] : [[to, from] as const])))
  /** The slug that a page of the draft has on the site afterwards. */
  const slugThere = (slug: string): string => stays.get(slug) ?? slug
  const brought = { all: part.siteConfig, isBrought, isPlaceBrought, isFormerPlace, slugThere }
  const content = {
    pages: pagesOf(draft, baseline, { chosen, slugThere }),
    siteConfig: settingsOf(baseline.siteConfig, draft.siteConfig, brought),
  }
  const { fieldDiffs: brings } = diffSiteConfig(baseline.siteConfig, content.siteConfig)
  const sent = new Set(brings.map(({ path }) => path))
  const fieldDiffs = diff.siteConfig.fieldDiffs.filter(({ path }) => sent.has(path))
  const siteConfig = part.siteConfig ? diff.siteConfig : { ...diff.siteConfig, fieldDiffs }
  return {
    ...compared,
    draft: content,
    diff: { ...diff, pages, shown, siteConfig, summary: summaryOf([countsIn(shown)], siteConfig) },
    conflicts: conflicts.filter((each) =>
      each.slug === '' ? isSettingMet(each, brought) : chosen.has(each.slug),
    ),
    renames: {
      ...compared.renames,
      ours: new Map([...compared.renames.ours].filter(([, to]) => chosen.has(to))),
      between: new Map([...renames].filter(([from]) => chosen.has(from))),
    },
    notes: await lostLinks(content.pages, [...all.ours, ...all.theirs], hosts),
  }
}

type Slugs = ReadonlySet<string>

/** Returns the slugs at which draft and site last agreed on pages. */
const formerSlugs = ({ renames: { ours, theirs } }: Compared, slugs: Slugs): Slugs =>
  new Set([...ours, ...theirs].flatMap(([from, to]) => (slugs.has(to) ? [from] : [])))

/**
 * Returns the slugs that pages of both sides had where these last agreed on them, and those that the draft
 * gives them where the site has no page.
 */
function agreedSlugs(
  { renames }: Compared,
  slugs: readonly string[],
  { ours, theirs }: { readonly ours: Slugs; readonly theirs: Slugs },
): Slugs {
  const former = (renames: Renames, side: Slugs) => {
    const before = new Map([...renames].map(([from, to]) => [to, from]))
    return slugs.flatMap((slug) => (side.has(slug) ? [before.get(slug) ?? slug] : []))
  }
  const free = slugs.filter((slug) => !theirs.has(slug))
  return new Set([...former(renames.ours, ours), ...former(renames.theirs, theirs), ...free])
}

/** Returns the slugs of changed pages, among them those that have another name in the menu. */
function changedSlugs({ pages, siteConfig }: Compared['diff']): Slugs {
  const named = siteConfig.fieldDiffs.map(({ path }) => memberAt(path))
  const labelled = new Set(named.map((each) => (each?.setting === 'navLabels' ? each.name : undefined)))
  const isChanged = ({ slug, status }: PageTally): boolean => status !== 'unchanged' || labelled.has(slug)
  return new Set(pages.filter(isChanged).map(({ slug }) => slug))
}

/**
 * Returns the slugs of pages that go with the named ones and are not named. The old slug names a renamed page
 * too, unless another page has it now, or the new one was that of a page that was removed.
 */
function missingOf(
  together: Slugs,
  named: Slugs,
  renames: Renames,
  { ours, theirs }: { readonly ours: Slugs; readonly theirs: Slugs },
): readonly string[] {
  const others = new Map([...renames].map(([from, to]) => [to, from]))
  const isNamedByFormer = (slug: string): boolean => {
    const former = others.get(slug)
    const isReplaced = theirs.has(slug) && !renames.has(slug)
    return former !== undefined && named.has(former) && !ours.has(former) && !isReplaced
  }
  return [...together].filter((slug) => ours.has(slug) && !named.has(slug) && !isNamedByFormer(slug))
}

/** Returns pages with other ids where others have theirs, as a page has that the draft alone has renamed. */
function withOwnIds(pages: SiteContent['pages'], others: SiteContent['pages']): SiteContent['pages'] {
  const theirs = new Set(others.map(({ id }) => id))
  const taken = new Set([...theirs, ...pages.map(({ id }) => id)])
  const freeId = freePageIds((id) => taken.has(id))
  return pages.map((page) => {
    if (!theirs.has(page.id)) return page
    const id = freeId(page.slug)
    taken.add(id)
    return { ...page, id }
  })
}

function pagesOf(
  draft: SiteContent,
  site: SiteContent,
  { chosen, slugThere }: { readonly chosen: Slugs; readonly slugThere: (slug: string) => string },
): SiteContent['pages'] {
  const ours = new Map(draft.pages.map((page) => [page.slug, page]))
  const brought = draft.pages.filter(({ slug }) => chosen.has(slug))
  const isAtBrought = atPages(brought.map(({ slug }) => slug))
  const stay = site.pages.filter(({ slug }) => !chosen.has(slug) && (ours.has(slug) || !isAtBrought(slug)))
  const all = new Map([...stay, ...withOwnIds(brought, stay)].map((page) => [page.slug, page]))
  const order = placed(
    stay.map(({ slug }) => slug),
    [...new Set([...[...ours.keys()].map(slugThere), ...all.keys()])].filter((slug) => all.has(slug)),
  )
  return order.flatMap((slug) => all.get(slug) ?? [])
}

/**
 * Removes unreadable entries from the site, by their names: no draft has them, so that only a publish that names
 * them deletes them. Refuses names without such an entry with 400 `entries_not_found`.
 */
export function withoutNamed(compared: Compared, names: readonly string[]): Compared {
  const { baseline, diff } = compared
  if (!baseline) throw siteUnreadable()
  const { site, removed } = withoutEntries(baseline, names)
  const there = new Set(removed.flatMap((entry) => nameToRemove(entry) ?? []))
  const missing = names.filter((name) => !there.has(name))
  if (missing.length > 0) throw entriesNotFound(missing)
  const entries = removed.map(({ slug }) => ({ slug, status: 'removed', changedFields: 0 }) as const)
  const [pages, shown] = [
    [...diff.pages, ...entries],
    [...diff.shown, ...entries],
  ]
  const summary = summaryOf([countsIn(shown)], diff.siteConfig)
  return { ...compared, baseline: site, removed: [...there], diff: { ...diff, pages, shown, summary } }
}
