import type { Page } from '../model.ts'

/** The states that a page may be shown in, the present one first; `null` stands for a page that is absent. */
export type PageStates = readonly (Page | null)[]

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
  const states = [...named].flatMap(([name, all]) =>
    all.flatMap((page) => (page ? [[name, page] as const] : [])),
  )
  const shown = pages.map((page) => [page, page] as const)
  for (const idsOf of [idOf, blockIdsOf]) {
    const [owners, there] = [ownersOf(states, idsOf), ownersOf(shown, idsOf)]
    for (const [id, name] of owners) if (name !== undefined) match(name, there.get(id))
  }
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
