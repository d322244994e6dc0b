/** What a publish brought, in words. */
import type { Answer } from '../service.ts'
import { whenOf } from './formats.ts'
import { withCapital } from './capital.ts'
import { memberAt } from '../../../content/setting-names.ts'
import type { Diff, PageDiff } from './review.ts'

type PublishRow = Answer<'GET /publish/log'>['entries'][number]

type Brought = Pick<NonNullable<PublishRow['changes']>, 'added' | 'modified' | 'removed' | 'siteConfigFields'>

/** How many pages are named in one sentence. */
const mostNames = 6

/** What a publish brought to the site, such as `Home, Our team (new)`; deleted pages first. */
export const broughtBy = (brought: Brought, titleOf: (slug: string) => string): string =>
  partsOf(brought, titleOf).join(', ')

function partsOf(
  { added, modified, removed, siteConfigFields }: Brought,
  titleOf: (slug: string) => string,
): readonly string[] {
  const pages = [
    ...removed.map((slug) => `${titleOf(slug)} (deleted)`),
    ...added.map((slug) => `${titleOf(slug)} (new)`),
    ...modified.map(titleOf),
  ]
  const more = pages.length - mostNames
  const names = more > 1 ? [...pages.slice(0, mostNames), `${more} more pages`] : pages
  return [...names, ...(siteConfigFields > 0 ? ['site settings'] : [])]
}

/** What waits for its publish, such as `Home and About, as they were at 12:25`. */
export function asItWas(changes: PublishRow['changes'] | undefined, at: string): string {
  const titles = changes?.titles
  const parts = changes && titles ? partsOf(changes, (slug) => titles[slug] ?? slug) : []
  const [first = 'The draft'] = parts
  const names = parts.length > 1 ? new Intl.ListFormat('en').format(parts) : first
  const isOne = parts.length < 2 && first !== 'site settings'
  return `${withCapital(names)}, as ${isOne ? 'it was' : 'they were'} ${whenOf(at)}`
}

/** What a publish brought, or will bring, by the titles that the pages had; of earlier versions, nothing. */
export function namedIn({ titles, ...brought }: NonNullable<PublishRow['changes']>): string | undefined {
  return titles && broughtBy(brought, (slug) => titles[slug] ?? slug)
}

type Changed = Pick<PageDiff, 'slug' | 'slugBefore' | 'status' | 'titleBefore'>
type Setting = Pick<Diff['siteConfig']['fieldDiffs'][number], 'path' | 'before' | 'after'>

/** Which of a page goes along; a group in the menu is the place of its entry. */
const nouns: Readonly<Record<string, string>> = {
  navLabels: 'menu entry',
  navGroups: 'menu entry',
  redirects: 'old address',
}

/**
 * What a publish sends with its pages although the settings of the site are unticked: one sentence for each
 * page with settings of its own, such as its name in the menu.
 */
export function goingAlong(
  settings: readonly Setting[],
  ticked: readonly Changed[],
  titleOf: (slug: string) => string,
): readonly string[] {
  return ticked.flatMap((page) => {
    const reason = reasonOf(page)
    const found = new Set(settings.flatMap((setting) => (isOf(page, setting) ? [nounOf(setting)] : [])))
    if (reason === undefined || found.size === 0) return []
    const verb = found.size === 1 ? 'goes' : 'go'
    return [`The ${[...found].join(' and the ')} of ${titleOf(page.slug)} ${verb} along: ${reason}.`]
  })
}

function reasonOf({ status, slugBefore, titleBefore }: Changed): string | undefined {
  if (status === 'unchanged') return undefined
  if (status === 'added') return 'its page is new'
  if (status === 'removed') return 'its page is deleted'
  return slugBefore !== undefined || titleBefore !== undefined
    ? 'its page was renamed'
    : 'its page is published'
}

const nounOf = ({ path }: Setting): string => nouns[memberAt(path)?.setting ?? ''] ?? ''

/**
 * Whether a setting is one of a page; its place in a group goes only where its address comes, goes or
 * changes.
 */
function isOf({ slug, slugBefore, status }: Changed, { path, before, after }: Setting): boolean {
  const member = memberAt(path)
  const slugs = [slug, slugBefore]
  if (member?.setting !== 'navGroups') return member !== undefined && slugs.includes(member.name)
  const isMoved = status !== 'modified' || slugBefore !== undefined
  const [was, is] = [before, after].map((group) => new Set<unknown>(Array.isArray(group) ? group : []))
  return isMoved && slugs.some((each) => was?.has(each) !== is?.has(each))
}
