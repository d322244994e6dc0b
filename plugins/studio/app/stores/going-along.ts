/** The settings that a publish sends with their pages, also where the site settings are unticked. */
import { memberAt } from '../../../content/setting-names.ts'
import type { Diff, PageDiff } from './review.ts'

type Changed = Pick<PageDiff, 'slug' | 'slugBefore' | 'status' | 'titleBefore'>
type Setting = Pick<Diff['siteConfig']['fieldDiffs'][number], 'path' | 'before' | 'after'>

/** Which of a page goes along; a group in the menu is the place of its entry. */
const nouns: Readonly<Record<string, string>> = {
  navLabels: 'menu entry',
  navGroups: 'menu entry',
  redirects: 'old address',
}

/** One sentence for each ticked page with settings of its own, such as its name in the menu. */
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

/** Whether a setting is one of a page; its place in a group goes only where its address comes, goes or changes. */
function isOf({ slug, slugBefore, status }: Changed, { path, before, after }: Setting): boolean {
  const member = memberAt(path)
  const slugs = [slug, slugBefore]
  if (member?.setting !== 'navGroups') return member !== undefined && slugs.includes(member.name)
  const isMoved = status !== 'modified' || slugBefore !== undefined
  const [was, is] = [before, after].map((group) => new Set<unknown>(Array.isArray(group) ? group : []))
  return isMoved && slugs.some((each) => was?.has(each) !== is?.has(each))
}
