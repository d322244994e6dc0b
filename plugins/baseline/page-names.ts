import type { PageStates } from '../content/merge/index.ts'
import type { Page } from '../content/page.ts'
import { ownValue } from '../content/plain-object.ts'
import { eachState, type StoredBaseline } from './record.ts'

/**
 * What is known of the pages of a site goes by names, in its rows and orders: a page has its slug, and one
 * that is gone the slug that it had, or a longer name where another page has that.
 */

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
