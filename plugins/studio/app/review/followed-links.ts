/** The links that follow a renamed page, which the review counts instead of listing them. */
import type { PageDiff } from '../stores/review.ts'

type BlockDiff = PageDiff['blockDiffs'][number]
type Renames = ReadonlyMap<string, string>

/** From the published addresses of pages to those in the draft, where they differ. */
export const renamesIn = (pages: readonly PageDiff[]): Renames =>
  new Map(
    pages.flatMap(({ slug, slugBefore }) => (slugBefore === undefined ? [] : [[slugBefore, slug] as const])),
  )

/** An address in a text, without the dots and slashes behind it. */
const address = /(?<![\w./:@-])\/(?:[\w./~%-]*[\w~%-])?/g

/**
 * Returns the renamed pages whose links alone make the difference of two texts; none if there is another one.
 */
function followed(before: unknown, after: unknown, renames: Renames): readonly string[] {
  if (typeof before !== 'string' || typeof after !== 'string') return []
  const found: string[] = []
  const now = before.replace(address, (slug) => {
    const to = renames.get(slug)
    if (to === undefined) return slug
    found.push(to)
    return to
  })
  return now === after ? found : []
}

/**
 * Returns a page without the differences that are links alone, and how many of these lead to each renamed
 * page.
 */
export function withoutFollowed(page: PageDiff, renames: Renames) {
  const counts = new Map<string, number>()
  if (renames.size === 0) return { page, counts }
  const blockDiffs = page.blockDiffs.map((block): BlockDiff => {
    const { fieldDiffs = [], positionBefore, positionAfter } = block
    if (block.status !== 'modified') return block
    const others = fieldDiffs.filter(({ before, after }) => {
      const slugs = followed(before, after, renames)
      for (const slug of slugs) counts.set(slug, (counts.get(slug) ?? 0) + 1)
      return slugs.length === 0
    })
    if (others.length === fieldDiffs.length) return block
    if (others.length > 0) return { ...block, fieldDiffs: others }
    return { ...block, fieldDiffs: [], status: positionBefore === positionAfter ? 'unchanged' : 'moved' }
  })
  return { page: { ...page, blockDiffs }, counts }
}

/** Returns how many links of all pages follow a page. */
export function linksTo(slug: string, pages: readonly PageDiff[]): number {
  const renames = renamesIn(pages)
  return pages.reduce((sum, page) => sum + (withoutFollowed(page, renames).counts.get(slug) ?? 0), 0)
}
