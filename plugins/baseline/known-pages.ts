/**
 * What is known of the pages of a site goes by names, in its rows and orders: a page has its slug, and one
 * that is gone the slug that it had, or a longer name where another page has that.
 */
import { pace } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import { matchPages, type Renames, sideOf } from '../content/merge/index.ts'
import type { Page } from '../content/page.ts'
import { ownValue } from '../content/plain-object.ts'
import { eachState, type Meant, statesOf, type StoredBaseline } from './record.ts'

/** Returns the names of pages with these states. */
export function namesOf(pages: readonly PageStates[]): readonly string[] {
  const taken = new Set(pages.flatMap(([known]) => (known ? [known.slug] : [])))
  return pages.map(([known, ...others]) => {
    if (known) return known.slug
    const slug = others.find((page) => page !== null)?.slug ?? ''
    let name = slug
    for (let number = 2; taken.has(name); number++) name = `${slug}#${number}`
    taken.add(name)
    return name
  })
}

/** Returns the names of pages by their ids; of an id that several have, that of the first one. */
export function namesById(
  pages: readonly (readonly [id: string | undefined, name: string])[],
): Readonly<Record<string, string>> {
  const names = new Map<string, string>()
  for (const [id, name] of pages) if (id !== undefined && !names.has(id)) names.set(id, name)
  return Object.fromEntries(names)
}

/**
 * Names the pages of an answer of which only the order is known: by their ids, else by their slugs. Another
 * page may go by such a slug until this answer.
 */
export function namesOfOthers(
  pages: readonly Page[],
  { pages: rows, ids = {} }: Pick<StoredBaseline, 'pages' | 'ids'>,
): readonly (readonly [page: Page, name: string])[] {
  const used = new Set(rows.keys())
  const names = new Map<Page, string>()
  for (const page of pages) {
    const name = ownValue(ids, page.id)
    if (name === undefined || used.has(name)) continue
    names.set(page, name)
    used.add(name)
  }
  return pages.map((page) => [
    page,
    names.get(page) ?? (used.has(page.slug) ? `${page.slug}#shown` : page.slug),
  ])
}

/** Returns what is known of an order whose pages have other names. */
export function renamedOrder(
  order: StoredBaseline['order'],
  names: ReadonlyMap<string, string>,
): StoredBaseline['order'] {
  if (!order || [...names].every(([from, to]) => from === to)) return order
  return eachState(order, (list) => [...new Set(list.map((name) => names.get(name) ?? name))])
}

/** The states that a page may be shown in, the present one first; `null` stands for a page that is absent. */
type PageStates = readonly (Page | null)[]

/**
 * Finds pages by their states, under the names of these: by an id that is unique on both sides, of the page
 * or else of one of its blocks, as pages that are swapped may have the ids of each other; the rest by slug,
 * that of the first state before others. A page that may be absent is not one at its slug with another title:
 * that has come there from elsewhere.
 */
export function pagesByStates(
  named: ReadonlyMap<string, PageStates>,
  pages: readonly Page[],
): ReadonlyMap<string, Page> {
  const found = new Map<string, Page>()
  if (named.size === 0) return found
  const used = new Set<Page>()
  const match = (name: string, page: Page | undefined): void => {
    if (!page || found.has(name) || used.has(page)) return
    found.set(name, page)
    used.add(page)
  }
  const isDone = () => found.size === named.size || used.size === pages.length
  const states = [...named].flatMap(([name, all]) =>
    all.flatMap((page) => (page ? [[name, page] as const] : [])),
  )
  const shown = pages.map((page) => [page, page] as const)
  for (const idsOf of [idOf, blockIdsOf]) {
    if (isDone()) return found
    const [owners, there] = [ownersOf(states, idsOf), ownersOf(shown, idsOf)]
    for (const [id, name] of owners) if (name !== undefined) match(name, there.get(id))
  }
  if (isDone()) return found
  const left = new Map(pages.flatMap((page) => (used.has(page) ? [] : [[page.slug, page]])))
  const matchSlug = (name: string, slug: string): void => {
    const [page, all = []] = [left.get(slug), named.get(name)]
    const isOther = all.includes(null) && !all.some((each) => each?.title === page?.title)
    if (!isOther) match(name, page)
  }
  for (const [name, [known]] of named) if (known) matchSlug(name, known.slug)
  for (const [name, page] of states) matchSlug(name, page.slug)
  return found
}

const idOf = ({ id }: Page): readonly string[] => [id]
const blockIdsOf = ({ blocks }: Page): readonly string[] => blocks.map(({ id }) => id)

/** What has each id; `undefined` for one that several have. */
function ownersOf<T>(
  pages: readonly (readonly [owner: T, page: Page])[],
  idsOf: (page: Page) => readonly string[],
): ReadonlyMap<string, T | undefined> {
  const owners = new Map<string, T | undefined>()
  for (const [owner, page] of pages)
    for (const id of idsOf(page))
      owners.set(id, owners.has(id) && owners.get(id) !== owner ? undefined : owner)
  return owners
}

/** What was sent to a site, and what that had before and shows after the publish. */
export interface PublishedContent {
  readonly sent: SiteContent
  /** The answer after the publish; if it could not be read, what the site meant before, or what was sent. */
  readonly shown: SiteContent
  /** What the site meant before; `undefined` if that is unknown. */
  readonly before?: SiteContent | undefined
  /** From the site before to what was sent. */
  readonly renames?: Renames | undefined
}

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
  { sent, shown, before = { pages: [] }, renames }: PublishedContent,
): Promise<readonly (PublishedPage & { readonly name: string })[]> {
  const [base, ours] = [sideOf(before), sideOf(sent)]
  const matched = await matchPages({ base, ours, theirs: ours }, { ours: renames, theirs: renames })
  const both = matched.map(({ pages: { base: former = null, ours: known = null } }) => ({ former, known }))
  const known = withRows(both, rows)
  const states = known.map((page, at): [string, PageStates] => [
    String(at),
    [page.known, page.former, ...(page.row ? statesOf(page.row) : [])],
  ])
  await pace()
  const found = pagesByStates(new Map(states), shown.pages)
  await pace()
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
