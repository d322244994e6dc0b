import type { SiteContent } from '../content/adapter.ts'
import { matchPages, pagesByStates, type PageStates, type Renames, sideOf } from '../content/merge/index.ts'
import type { Page } from '../content/page.ts'
import { namesOf } from './page-names.ts'
import { type Meant, statesOf, type StoredBaseline } from './record.ts'

/** A page that was published, is shown, or was known of a site. */
interface PublishedPage {
  /** What is known before the publish, and by which name. */
  readonly row?: Meant<Page | null> | undefined
  readonly earlierName?: string | undefined
  readonly former: Page | null
  /** What was sent. */
  readonly known: Page | null
  readonly shown: Page | null
}

/**
 * Matches the pages of a publish: what was sent with what the site meant before by known renames, id or slug,
 * with what is known of the site, and with what it shows. Each has the name that it has from now on.
 */
export async function pagesPublished(
  rows: StoredBaseline['pages'],
  publish: Readonly<Record<'sent' | 'shown', SiteContent>> & {
    readonly before: SiteContent | undefined
    readonly renames: Renames | undefined
  },
): Promise<readonly (PublishedPage & { readonly name: string })[]> {
  const { sent, shown, before = { pages: [] }, renames } = publish
  const [base, ours] = [sideOf(before), sideOf(sent)]
  const matched = await matchPages({ base, ours, theirs: ours }, { ours: renames, theirs: renames })
  const both = matched.map(({ pages: { base: former = null, ours: known = null } }) => ({ former, known }))
  const known = withRows(both, rows)
  const states = known.map((page, at): [string, PageStates] => [
    String(at),
    [page.known, page.former, ...(page.row ? statesOf(page.row) : [])],
  ])
  const found = pagesByStates(new Map(states), shown.pages)
  const isFound = new Set(found.values())
  const others = shown.pages.filter((page) => !isFound.has(page))
  const all: readonly PublishedPage[] = [
    ...known.map((page, at) => ({ ...page, shown: found.get(String(at)) ?? null })),
    ...others.map((page) => ({ former: null, known: null, shown: page })),
  ]
  const names = namesOf([...states.map(([, each]) => each), ...others.map((page) => [null, page])])
  return all.map((page, at) => ({ ...page, name: names[at] ?? '' }))
}

type Sent = Omit<PublishedPage, 'shown'>

/** Adds what is known of the pages: of those that the site had by their slugs, of others by id or slug. */
function withRows(pages: readonly Sent[], rows: StoredBaseline['pages']): readonly Sent[] {
  const others = new Map(rows)
  const withOwn = pages.map((page): Sent => {
    const earlierName = page.former?.slug
    const row = earlierName === undefined ? undefined : rows.get(earlierName)
    if (!row?.known || earlierName === undefined) return { ...page, earlierName }
    others.delete(earlierName)
    return { ...page, row, earlierName }
  })
  const added = withOwn.flatMap(({ former, known }) => (known && !former ? [known] : []))
  const found = pagesByStates(new Map([...others].map(([name, row]) => [name, statesOf(row)])), added)
  const names = new Map([...found].map(([name, page]) => [page, name]))
  const left = [...others].filter(([name]) => !found.has(name))
  return [
    ...withOwn.map((page): Sent => {
      const earlierName = page.known && !page.former ? names.get(page.known) : undefined
      return earlierName === undefined ? page : { ...page, row: others.get(earlierName), earlierName }
    }),
    ...left.map(([earlierName, row]): Sent => ({ row, earlierName, former: null, known: null })),
  ]
}
